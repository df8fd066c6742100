import { expect, onTestFinished, test } from "vitest";
import type { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createAgentTurn } from "../../src/agent/index.ts";
import { readStream } from "../stages/chat-client.ts";
import { STEPS } from "../stages/durable-ports.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { type Step, createStatelessModel } from "../stages/scripted-model.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { answering, serveV1 } from "../interop/mcp/servers.ts";

const PARK_AFTER_MS = 30;
const FORM = {
  message: "Which city?",
  requestedSchema: {
    type: "object" as const,
    properties: { city: { type: "string" as const, title: "City" } },
    required: ["city"],
  },
};

/** An MCP server with one tool, which asks inside of its call and then books. */
async function setUp() {
  const booked: string[] = [];
  let calls = 0;
  let mayReply: Promise<void> = Promise.resolve();
  const { url } = await serveV1((server: McpServerV1) => {
    server.registerTool("book", {}, async ({ requestId }) => {
      calls += 1;
      const { action, content } = await server.server.elicitInput(FORM, { relatedRequestId: requestId });
      if (action === "accept") booked.push(String(content?.["city"]));
      await mayReply;
      return { content: [{ type: "text", text: `${action} ${booked.join()}` }] };
    });
  });
  return {
    ...(await startProcesses(url, { srv_book: {} })),
    booked,
    calls: () => calls,
    /** The server works as before, but its replies wait for the returned function. */
    holdReplies(): () => void {
      let reply: (() => void) | undefined;
      mayReply = new Promise((resolve) => (reply = resolve));
      return () => reply?.();
    },
  };
}

/** Two processes whose agent calls a tool of an MCP server. */
async function startProcesses(url: string, call: Step) {
  const steps: readonly Step[] = [call, "Have a nice trip."];
  const errors: unknown[] = [];
  const runTurn = createAgentTurn({
    model: createStatelessModel(steps, async () => {}),
    mcpServers: [{ name: "srv", service: "Travel", url, credentialScope: "none" }],
    requester: { name: "Demo" },
    onError: (error) => errors.push(error),
  });
  const processes = await createDurableProcesses();
  const network = await createSqlProxy(processes.url);
  const options = { parkAfterMs: PARK_AFTER_MS };
  const home = await processes.startProcess(runTurn, {
    ...options,
    connectionString: network.url,
    retryForMs: 300,
  });
  onTestFinished(() => network.open());
  const other = await processes.startProcess(runTurn, options);
  return { ...processes, network, home, other, errors };
}

test("a turn with a waiting MCP call is not parked, and the answer reaches the open call", async () => {
  const { home, other, parked, booked, calls, errors } = await setUp();
  const stream = await home.ada.send("c1");
  const city = await stream.request();
  await new Promise((resolve) => setTimeout(resolve, 10 * PARK_AFTER_MS));
  expect(await parked()).toBe(0);
  const { status } = await other.ada.answer("c1", { ...city, action: "accept", content: { city: "Rome" } });
  expect(status).toBe(200);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ output: "accept Rome" }));
  expect(stream.chunks.at(-1)).toMatchObject({ type: "finish" });
  expect([booked, calls()]).toEqual([["Rome"], 1]);
  expect([...home.errors(), ...other.errors(), ...errors]).toEqual([]);
});

test("when a process dies while an MCP call waits for the user, another process repeats the call, the answer counts, and the effect happens once", async () => {
  const { network, home, other, booked, calls } = await setUp();
  const before = await home.ada.send("c1");
  before.done.catch(() => {});
  const city = await before.request();
  const after = readStream(await other.ada.fetch("/run/api/chat/c1/stream"));
  network.cut();
  await expect.poll(calls).toBe(2);
  await other.ada.answer("c1", { ...city, action: "accept", content: { city: "Rome" } });
  await after.done;
  expect(after.chunks).toContainEqual(expect.objectContaining({ output: "accept Rome" }));
  expect(after.chunks.at(-1)).toMatchObject({ type: "finish" });
  expect(booked).toEqual(["Rome"]);
});

test(
  "when a process dies after an MCP server got the answer, the server does not get it again, and the model gets the reason",
  { tags: ["long"] },
  async () => {
    const { network, home, other, booked, calls, holdReplies } = await setUp();
    const before = await home.ada.send("c1");
    before.done.catch(() => {});
    const city = await before.request();
    onTestFinished(holdReplies());
    await other.ada.answer("c1", { ...city, action: "accept", content: { city: "Rome" } });
    await expect.poll(() => booked).toEqual(["Rome"]);
    const after = readStream(await other.ada.fetch("/run/api/chat/c1/stream"));
    network.cut();
    await after.done;
    expect(after.chunks).toContainEqual(
      expect.objectContaining({
        type: "tool-output-error",
        errorText: expect.stringContaining("may have been done"),
      }),
    );
    expect(after.chunks.at(-1)).toMatchObject({ type: "finish" });
    expect([booked, calls()]).toEqual([["Rome"], 2]);
  },
);

/** A server of 2026 that asks these questions in one round, and other questions after each restart. */
async function asking(...rounds: readonly (readonly string[])[]) {
  let calls = 0;
  const { url } = await answering(({ inputResponses }) => {
    if (inputResponses !== undefined) {
      return { resultType: "complete", content: [{ type: "text", text: JSON.stringify(inputResponses) }] };
    }
    const questions = rounds[calls] ?? [];
    calls += 1;
    const params = (message: string) => ({ mode: "form", ...FORM, message });
    return {
      resultType: "input_required",
      inputRequests: Object.fromEntries(
        questions.map((message) => [message, { method: "elicitation/create", params: params(message) }]),
      ),
      requestState: "state",
    };
  });
  return startProcesses(url, { srv_ask: {} });
}

test.each([
  { what: "more", before: ["From?"], after: ["From?", "To?"] },
  { what: "less", before: ["From?", "To?"], after: ["From?"] },
  { what: "something else", before: ["From?", "To?"], after: ["Via?", "To?"] },
])(
  "when a process dies while an MCP server asks, and the repeated call asks $what, the user answers that, and the turn continues",
  { tags: ["long"] },
  async ({ before, after }) => {
    const { network, home, other, errors } = await asking(before, after);
    const first = await home.ada.send("c1");
    first.done.catch(() => {});
    await first.request(before.length - 1);
    const second = readStream(await other.ada.fetch("/run/api/chat/c1/stream"));
    network.cut();
    const content = { city: "Rome" };
    for (const question of after) {
      const { elicitationId } = await second.request(0, ({ message }) => message === question);
      await other.ada.answer("c1", { elicitationId, action: "accept", content });
    }
    await second.done;
    const output = JSON.stringify(
      Object.fromEntries(after.map((question) => [question, { action: "accept", content }])),
    );
    expect(second.chunks).toContainEqual(expect.objectContaining({ output }));
    expect(second.chunks).toContainEqual(expect.objectContaining({ type: "finish" }));
    expect([...other.errors(), ...errors]).toEqual([]);
  },
);

test(
  "a question of an MCP server that the database refuses to record ends the turn, and is reported",
  { tags: ["long"] },
  async () => {
    const { home, query } = await asking(["From?", "To?"]);
    await query(
      `alter table ${STEPS.table} add constraint broken check (${STEPS.name} not like '%elicitation ids%' and ${STEPS.name} not like '%"question"%')`,
    );
    const stream = await home.ada.send("c1");
    await stream.done;
    expect(stream.chunks.at(-1)).toMatchObject({
      type: "error",
      errorText: "The assistant could not finish its answer.",
    });
    expect([...home.errors(), ...home.portErrors]).not.toEqual([]);
  },
);
