/**
 * Tests for calls that run as tasks in MCP 2026-07-28. The client comes from the extension's own package, and its schemas
 * validate the messages.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  type ApplicationInputResult,
  createTaskSessionFromClient,
  resultFromTaskOutcome,
} from "@modelcontextprotocol/ext-tasks/client";
import {
  CancelTaskResultV2Schema,
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
  UpdateTaskResultV2Schema,
} from "@modelcontextprotocol/ext-tasks/core/v2";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryRecords } from "../../../src/runtime/index.ts";
import type { ElicitationRecords } from "../../../src/runtime/internal.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { serveAgent, sharedPorts } from "./agent.ts";
import { calledOf } from "./clients.ts";
import { asks, asksForCity } from "./turns.ts";
import { ASK, type WireOptions, accept, wireClient } from "./wire.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const declaring = (elicitation: Readonly<Record<string, Readonly<Record<string, never>>>>) => ({
  elicitation,
  extensions: { [TASKS]: {} },
});
const BOTH = declaring({ form: {}, url: {} });
const PAGE = "https://auth.example.com/connect?id=";
const withPage = { runtime: { hostedPage: { origin: "https://auth.example.com" } } };
const ANSWER_PAGE = "https://auth.example.com/auth/answer?elicitationId=";

/** Starts a task in plain JSON. */
async function startTask(url: string, options: WireOptions = {}) {
  const client = wireClient(url);
  const more = { capabilities: BOTH, ...options };
  const { taskId } = CreateTaskResultV2Schema.parse((await client.call(ASK, more)).result);
  const send = async (method: string, params = {}, again: WireOptions = {}) =>
    client.request(method, { taskId, ...params }, { ...more, ...again });
  return {
    taskId,
    send,
    async get() {
      return GetTaskResultV2Schema.parse((await send("tasks/get")).result);
    },
    async update(inputResponses: Readonly<Record<string, unknown>>) {
      const { result } = await send("tasks/update", { inputResponses });
      expect(UpdateTaskResultV2Schema.parse(result).resultType).toBe("complete");
    },
  };
}

type State = Awaited<ReturnType<Awaited<ReturnType<typeof startTask>>["get"]>>;

interface Asked {
  readonly key: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The open questions of a task. */
function asked(state: State): [Asked, ...Asked[]] {
  if (state.status !== "input_required") throw new Error(`the task is ${state.status}`);
  const entries = Object.entries(state.inputRequests);
  const [first, ...others] = entries.map(([key, { params }]) => ({ key, params: { ...params } }));
  if (first === undefined) throw new Error("the task asks nothing");
  return [first, ...others];
}

const textOf = (state: State) => (state.status === "completed" ? calledOf(state.result).text : state.status);

describe("the client of the tasks extension", () => {
  /** Calls the tool like an application that uses the extension's package. */
  async function callWith(
    url: string,
    answer: (message: string) => {
      action: "accept" | "decline" | "cancel";
      content?: Record<string, string>;
    },
  ) {
    const client = new Client(
      { name: "tasks", version: "1" },
      {
        capabilities: { elicitation: { form: {}, url: {} } },
        versionNegotiation: { mode: { pin: "2026-07-28" } },
      },
    );
    const requestInit = { headers: { authorization: "Bearer ada" } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const wire = wireClient(url);
    const session = createTaskSessionFromClient(client, {
      endpointId: "agent",
      // The SDK's client cannot send the extension's requests.
      async rawDispatch(request) {
        const { id, method, params } = request as {
          id: number;
          method: string;
          params: Record<string, unknown>;
        };
        const { status: _, ...reply } = await wire.request(method, params, { capabilities: BOTH });
        return JSON.parse(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
      },
      v2RequestFraming: {
        protocolVersion: "2026-07-28",
        clientInfo: { name: "tasks", version: "1" },
        clientCapabilities: BOTH,
      },
      onInputRequest: async (request) => {
        if (request.kind !== "elicitation") throw new Error("nothing else is asked");
        // Its type depends on the kind of the request, which TypeScript does not narrow.
        return answer(JSON.stringify(request.params["message"])) as ApplicationInputResult<typeof request>;
      },
    });
    onTestFinished(async () => {
      await session.close();
      await client.close();
    });
    const execution = await session.callTool("ask_agent", { message: "Book a trip" });
    expect(execution.kind).toBe("task");
    return calledOf(resultFromTaskOutcome((await execution.settle()).outcome) as { content?: unknown });
  }

  test("answers the agent's question, and gets the agent's reply", async () => {
    const { url, errors } = await serveAgent(asksForCity);
    const { text, structured } = await callWith(url, () => ({
      action: "accept",
      content: { answer: "Oslo" },
    }));
    expect(JSON.parse(text)).toEqual({ outcome: "accepted", value: "Oslo" });
    expect(structured).toMatchObject({ conversationId: expect.any(String) });
    expect(errors).toEqual([]);
  });

  test.each([
    ["decline", "declined"],
    ["cancel", "cancelled"],
  ] as const)("passes on a %s", async (action, outcome) => {
    const { url } = await serveAgent(asksForCity);
    const { text } = await callWith(url, () => ({ action }));
    expect(JSON.parse(text).outcome).toBe(outcome);
  });

  test("is asked again with the reason after an invalid answer, three times at most", async () => {
    const { url } = await serveAgent(asksForCity);
    const messages: string[] = [];
    const { text } = await callWith(url, (message) => {
      messages.push(message);
      return { action: "accept", content: { answer: "O" } };
    });
    expect(JSON.parse(text).outcome).toBe("failed");
    const again = expect.stringContaining("Please check: answer does not fit: too short");
    expect(messages).toEqual(['"Where to?"', again, again]);
  });
});

describe("a task", () => {
  test("continues when the connection of its call is closed, and can be found by another process", async () => {
    const ports = sharedPorts();
    const first = await serveAgent(asksForCity, { runtime: ports });
    const second = await serveAgent(asksForCity, { runtime: ports });
    const task = await startTask(first.url, { headers: { connection: "close" } });
    const [{ key }] = asked(await task.get());
    const other = wireClient(second.url);
    const options = { capabilities: BOTH };
    await other.request(
      "tasks/update",
      { taskId: task.taskId, inputResponses: { [key]: accept("Oslo") } },
      options,
    );
    await expect
      .poll(async () => {
        const { result } = await other.request("tasks/get", { taskId: task.taskId }, options);
        return textOf(GetTaskResultV2Schema.parse(result));
      })
      .toContain("Oslo");
  });

  test("asks again in every process after an invalid answer, three times at most in all of them", async () => {
    const ports = sharedPorts();
    const urls = [
      (await serveAgent(asksForCity, { runtime: ports })).url,
      (await serveAgent(asksForCity, { runtime: ports })).url,
    ];
    const { taskId } = await startTask(urls[0] ?? "");
    const [first, second] = urls.map((url) => wireClient(url));
    const look = async (client = first) => {
      const { result } = await client!.request("tasks/get", { taskId }, { capabilities: BOTH });
      return GetTaskResultV2Schema.parse(result);
    };
    const keys = new Set<string>();
    for (const [answering, reading] of [
      [first, second],
      [second, first],
      [first, second],
    ]) {
      const [{ key, params }] = asked(await look(answering));
      if (keys.size > 0) expect(params["message"]).toContain("Please check: ");
      keys.add(key);
      const inputResponses = { [key]: accept("O") };
      await answering?.request("tasks/update", { taskId, inputResponses }, { capabilities: BOTH });
      if (keys.size < 3) expect(asked(await look(reading))[0].key).not.toBe(key);
    }
    expect(keys.size).toBe(3);
    await expect.poll(async () => textOf(await look(second))).toContain("none of 3 answers was valid");
  });

  test("asks for a page again, with the reason, when the user's attempt on the page has failed", async () => {
    const run = asks((elicitor) =>
      elicitor.url("Connect Tracker", {
        url: (id) => `${PAGE}${id}`,
        service: "Tracker",
        purpose: "connect",
      }),
    );
    const { url, runtime } = await serveAgent(run);
    const task = await startTask(url);
    const [{ key }] = asked(await task.get());
    await task.update({ [key]: { action: "accept" } });
    await runtime.elicitations.fail(key, "Tracker refused the sign-in.");
    const [again] = asked(await task.get());
    expect(again.key).not.toBe(key);
    expect(again.params["message"]).toBe("Connect Tracker\n\nTracker refused the sign-in.");
    await task.update({ [again.key]: { action: "accept" } });
    await runtime.elicitations.complete(key);
    await expect.poll(async () => textOf(await task.get())).toContain('"outcome":"accepted"');
  });

  test("returns at every poll which tool the agent uses", async () => {
    const { url } = await serveAgent(asksForCity);
    const task = await startTask(url);
    for (let looks = 0; looks < 3; looks += 1) {
      expect(await task.get()).toMatchObject({ status: "input_required", statusMessage: "Using book" });
    }
  });

  test("shows only the questions that are still open", async () => {
    const run = asks((elicitor) => Promise.all([elicitor.text("First?"), elicitor.text("Second?")]));
    const { url } = await serveAgent(run);
    const task = await startTask(url);
    const [{ key: first }, other] = asked(await task.get());
    const second = other?.key ?? "";
    await task.update({ [first]: accept("1"), unknown: accept("x") });
    expect(asked(await task.get()).map(({ key }) => key)).toEqual([second]);
    await task.update({ [second]: accept("2") });
    await expect.poll(async () => textOf(await task.get())).toContain('"value":"2"');
  });

  test("ignores a second answer, and an answer to an earlier attempt", async () => {
    const { url } = await serveAgent(asksForCity);
    const task = await startTask(url);
    const [{ key }] = asked(await task.get());
    await task.update({ [key]: accept("O") });
    const [{ key: again }] = asked(await task.get());
    expect(again).not.toBe(key);
    await task.update({ [key]: accept("Rome") });
    expect(asked(await task.get()).map(({ key: open }) => open)).toEqual([again]);
    await task.update({ [again]: accept("Oslo") });
    await task.update({ [again]: accept("Paris") });
    await expect.poll(async () => textOf(await task.get())).toContain("Oslo");
  });

  test("finds one answer among ten thousand unknown ones, and reads its questions once", async () => {
    const stored = createMemoryRecords();
    let reads = 0;
    const records: ElicitationRecords = {
      ...stored,
      get(id) {
        reads += 1;
        return stored.get(id);
      },
    };
    const { url } = await serveAgent(asksForCity, {
      runtime: { ...sharedPorts(), ports: { ...sharedPorts().ports, records } },
    });
    const task = await startTask(url);
    const [{ key }] = asked(await task.get());
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`a${n}`, {}]));
    reads = 0;
    await task.update({ ...unknown, [key]: accept("Oslo") });
    expect(reads).toBeLessThan(20);
    await expect.poll(async () => textOf(await task.get())).toContain("Oslo");
  });

  test("keeps its question when too many answers arrive, and the client gets a time to wait", async () => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    const { url } = await serveAgent(asksForCity, {
      runtime: { limits: { writesPerMinute: 2 }, ports: { clock } },
      surface: { clock },
    });
    const task = await startTask(url);
    const [{ key: first }] = asked(await task.get());
    await task.update({ [first]: accept("O") });
    const [{ key }] = asked(await task.get());
    for (let times = 0; times < 4; times += 1) {
      const { error } = await task.send("tasks/update", { inputResponses: { [key]: accept("Oslo") } });
      expect(error?.message).toMatch(/^Too many answers at once. Please answer again in \d+ seconds.$/);
      expect(asked(await task.get()).map((open) => open.key)).toEqual([key]);
    }
    ahead = 60_000;
    await task.update({ [key]: accept("Oslo") });
    await expect.poll(async () => textOf(await task.get())).toContain("Oslo");
  });

  test("waits without a question while the user is on a page", async () => {
    const run = asks((elicitor) =>
      elicitor.url("Connect Tracker", {
        url: (id) => `${PAGE}${id}`,
        service: "Tracker",
        purpose: "connect",
      }),
    );
    const { url, runtime } = await serveAgent(run);
    const task = await startTask(url);
    const [{ key, params }] = asked(await task.get());
    expect(params).toMatchObject({ mode: "url", message: "Connect Tracker", url: `${PAGE}${key}` });
    await task.update({ [key]: { action: "accept" } });
    expect((await task.get()).status).toBe("working");
    await runtime.elicitations.complete(key);
    await expect.poll(async () => textOf(await task.get())).toContain('"outcome":"accepted"');
  });

  test("shows a form as a link to the answer page if the client only supports pages", async () => {
    const { url, runtime } = await serveAgent(asksForCity, withPage);
    const task = await startTask(url, { capabilities: declaring({ url: {} }) });
    const [{ key: elicitationId, params }] = asked(await task.get());
    expect(params["url"]).toBe(`${ANSWER_PAGE}${elicitationId}`);
    await task.update({ [elicitationId]: { action: "accept", content: { answer: "Rome" } } });
    expect((await task.get()).status).toBe("working");
    const record = await runtime.elicitations.get(elicitationId);
    const conversationId = record?.conversationId ?? "";
    const content = { answer: "Oslo" };
    await runtime.elicitations.answer({ elicitationId, conversationId, action: "accept", content }, "ada");
    await expect.poll(async () => textOf(await task.get())).toContain("Oslo");
  });

  test("names the card with its form for a host that shows the server's view for forms (SEP-3118)", async () => {
    const ui = { mimeTypes: ["text/html;profile=mcp-app"], elicitation: {} };
    const capabilities = { ...BOTH, extensions: { ...BOTH.extensions, "io.modelcontextprotocol/ui": ui } };
    const { url } = await serveAgent(asksForCity, { surface: { app: true } });
    const task = await startTask(url, { capabilities });
    const [{ params }] = asked(await task.get());
    expect(params).toHaveProperty("_meta.ui.resourceUri", expect.stringMatching(/^ui:\/\/elicit-kit\/card-/));
  });

  test("says where the user can answer, if the client cannot ask and the operator has an answer page", async () => {
    const { url } = await serveAgent(asksForCity, withPage);
    const task = await startTask(url, { capabilities: { extensions: { [TASKS]: {} } } });
    const state = await task.get();
    expect(state).toMatchObject({ status: "working", statusMessage: expect.stringContaining(ANSWER_PAGE) });
  });

  test("can be cancelled by its client: the question is withdrawn, and cancelling again changes nothing", async () => {
    const { url, runtime } = await serveAgent(asksForCity);
    const task = await startTask(url);
    const [{ key }] = asked(await task.get());
    for (let times = 0; times < 2; times += 1) {
      const { result } = await task.send("tasks/cancel");
      expect(CancelTaskResultV2Schema.parse(result).resultType).toBe("complete");
    }
    expect((await task.get()).status).toBe("cancelled");
    expect((await runtime.elicitations.get(key))?.status).toBe("withdrawn");
  });

  test.each([
    ["another person", { token: "bob" }],
    ["another client of the same user", { token: "ada@other" }],
    ["a service account", { token: "service" }],
  ])("is invisible to %s", async (_, options) => {
    const { url, runtime } = await serveAgent(asksForCity);
    const task = await startTask(url);
    const [{ key }] = asked(await task.get());
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const { error } = await task.send(method, { inputResponses: { [key]: accept("Oslo") } }, options);
      expect(error?.code).toBe(-32602);
    }
    expect((await runtime.elicitations.get(key))?.status).toBe("pending");
  });

  test("is not started for a client that has not declared the extension, whose requests get error -32021", async () => {
    const { url } = await serveAgent(asksForCity);
    const task = await startTask(url);
    const capabilities = { elicitation: { form: {} } };
    const { error } = await task.send("tasks/get", {}, { capabilities });
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    });
    const { result } = await wireClient(url).call(ASK, { capabilities });
    expect(result?.resultType).toBe("input_required");
  });
});

test("a turn that ends at once is a result, not a task", async () => {
  const { url } = await serveAgent(asks(async () => "done"));
  const { result } = await wireClient(url).call(ASK, { capabilities: BOTH });
  expect(result).toMatchObject({ resultType: "complete", content: [{ text: '"done"' }] });
});
