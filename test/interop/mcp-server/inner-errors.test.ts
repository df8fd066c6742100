/** Tests for failures inside the agent's server: the client gets a fixed text, and the error is logged. */
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ForeignError } from "../../../src/base/foreign-error.ts";
import {
  type RuntimeOptions,
  createMemoryRecords,
  createMemoryTurnRunner,
  createMemoryTurnStream,
} from "../../../src/runtime/index.ts";
import { type AgentOptions, type ServedAgent, serveAgent, sharedPorts } from "./agent.ts";
import { type Era, clientV1, clientV2 } from "./clients.ts";
import { asksForCity } from "./turns.ts";
import { ASK, accept, roundOf, wireClient } from "./wire.ts";

const SECRET = "postgres://agent:hunter2@db.internal";
const FIXED = "The agent failed to handle the request.";
const TASKS = { elicitation: { form: {} }, extensions: { "io.modelcontextprotocol/tasks": {} } };

/** An error in the format of a database driver. */
function databaseError(): Error {
  return Object.assign(new Error(`could not connect to ${SECRET}`), { code: "ECONNREFUSED", query: SECRET });
}

const failingMessages: AgentOptions = {
  surface: { messagesFor: () => Promise.reject(databaseError()) },
};

/** The ports fail from the moment the test says. */
function failingPorts() {
  let isDown = false;
  const records = createMemoryRecords();
  const stream = createMemoryTurnStream();
  const runtime: Partial<RuntimeOptions> = {
    ports: {
      records,
      stream: {
        ...stream,
        async get(turnId) {
          if (isDown) throw databaseError();
          return stream.get(turnId);
        },
      },
    },
  };
  return { runtime, fail: () => (isDown = true) };
}

/** The log names the failure, and contains none of its text. */
function expectLogged({ errors }: ServedAgent): void {
  expect(errors).toHaveLength(1);
  expect(errors[0]).toBeInstanceOf(ForeignError);
  const log = inspect(errors, { depth: 20, showHidden: true });
  expect(log).toContain("ECONNREFUSED");
  expect(log).not.toContain("hunter2");
}

describe("an error of the operator's database", () => {
  const clients: readonly [string, Era, typeof clientV2][] = [
    ["version 1 of the SDK", "2025-06-18", clientV1],
    ["version 1 of the SDK", "2025-11-25", clientV1],
    ["version 2 of the SDK", "2025-11-25", clientV2],
    ["version 2 of the SDK", "2026-07-28", clientV2],
  ];

  test.each(clients)("does not appear in a reply to %s in %s", async (_, era, connect) => {
    const agent = await serveAgent(asksForCity, failingMessages);
    const client = await connect(agent.url, era);
    const error: unknown = await client.call({ message: "Book a trip" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining(FIXED) });
    expect(inspect(error, { depth: 20 })).not.toContain("hunter2");
    expectLogged(agent);
  });

  test("does not appear in a reply to a client that only gets links", async () => {
    const agent = await serveAgent(asksForCity, failingMessages);
    const client = await clientV1(agent.url, "2025-06-18", { capabilities: {} });
    await expect(client.call({ message: "Book a trip" })).rejects.toThrow(FIXED);
    expectLogged(agent);
  });

  test("does not appear in the next round of a call", async () => {
    const { runtime, fail } = failingPorts();
    const agent = await serveAgent(asksForCity, { runtime });
    const client = wireClient(agent.url);
    const { key, requestState } = roundOf(await client.call(ASK));
    fail();
    const { error } = await client.call({ ...ASK, requestState, inputResponses: { [key]: accept("Oslo") } });
    expect(error).toEqual({ code: -32_603, message: FIXED });
    expectLogged(agent);
  });

  test.each(["tasks/get", "tasks/update", "tasks/cancel"])(
    "does not appear in a reply to %s",
    async (method) => {
      const { runtime, fail } = failingPorts();
      const agent = await serveAgent(asksForCity, { runtime });
      const client = wireClient(agent.url);
      const started: unknown = (await client.call(ASK, { capabilities: TASKS })).result;
      const { taskId } = started as { taskId: string };
      fail();
      const { error } = await client.request(method, { taskId, inputResponses: {} }, { capabilities: TASKS });
      expect(error).toEqual({ code: -32_603, message: FIXED });
      expectLogged(agent);
    },
  );
});

test("the operator gets an error when a turn cannot be stopped although the client has cancelled its call", async () => {
  const ports = { ...sharedPorts(), hostedPage: { origin: "https://auth.example.com" } };
  const first = await serveAgent(asksForCity, { runtime: ports });
  const asked = await clientV1(first.url, "2025-11-25", { capabilities: {} });
  const { conversationId } = (await asked.call({ message: "Book a trip" })).structured;
  // The turn runs in the first process. The second one must reach it to stop it.
  const runner = { ...createMemoryTurnRunner(), stop: () => Promise.reject(databaseError()) };
  const second = await serveAgent(asksForCity, { runtime: { ...ports, ports: { ...ports.ports, runner } } });
  const abort = new AbortController();
  const client = await clientV2(second.url, "2025-11-25", {
    answer() {
      abort.abort();
      return { action: "cancel" };
    },
  });
  await expect(client.call({ conversationId }, { signal: abort.signal })).rejects.toThrow("aborted");
  await expect.poll(() => second.errors).toHaveLength(1);
  expectLogged(second);
});

test("an error of the protocol reaches the client unchanged, and is not reported to the operator", async () => {
  const { url, errors } = await serveAgent(asksForCity);
  const client = await clientV2(url, "2025-11-25");
  await expect(client.call({ message: 7 })).rejects.toThrow("message must be text.");
  expect(errors).toEqual([]);
});
