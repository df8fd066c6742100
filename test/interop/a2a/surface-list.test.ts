/** Tests for the list of tasks, and for the messages of earlier tasks in a context. */
import { type ListTasksRequest, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { createA2aSurface } from "elicit-kit/a2a/server";
import { type RunTurn, createMemoryTurnStream } from "elicit-kit/runtime";
import type { TurnStream } from "elicit-kit/runtime/ports";
import { systemClock } from "../../../src/base/clock.ts";
import { describe, expect, test } from "vitest";
import { sleep } from "../../../src/base/deadlines.ts";
import { CITY, asking, text } from "../../stages/test-runtime.ts";
import { type Caller, caller, questionsOf, replyOf, serve, sharedPorts } from "./served.ts";

const echo: RunTurn = async function* run({ messages }) {
  yield* text(`I have read ${JSON.stringify(messages)}`);
};

/** Tasks that change in the same millisecond are sorted by id. */
const nextTime = () => sleep(systemClock, 2);

const ANY: ListTasksRequest = {
  tenant: "",
  contextId: "",
  status: TaskState.TASK_STATE_UNSPECIFIED,
  pageToken: "",
  statusTimestampAfter: undefined,
};

const list = (from: Caller, request: Partial<ListTasksRequest> = {}) =>
  from.client.listTasks({ ...ANY, ...request }, from.options);

describe.each(["JSONRPC", "HTTP+JSON"] as const)("the list of tasks (%s)", (transport) => {
  test("contains the tasks of one user and client, newest first, page by page", async () => {
    const ports = sharedPorts();
    const served = serve(echo, ports);
    const ada = await caller(served, { transport });
    const ids: string[] = [];
    for (const words of ["1", "2", "3", "4", "5"]) {
      ids.unshift((await ada.send(words)).id);
      await nextTime();
    }
    await (await caller(served, { transport, user: "bob" })).send("not hers");
    await (await caller(served, { transport, client: "other" })).send("not this client's");
    const elsewhere = await caller(serve(echo, ports), { transport });
    const first = await list(elsewhere, { pageSize: 3 });
    expect(first.tasks.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first).toMatchObject({ pageSize: 3, totalSize: 5 });
    const second = await list(elsewhere, { pageSize: 3, pageToken: first.nextPageToken });
    expect(second.tasks.map(({ id }) => id)).toEqual(ids.slice(3));
    expect(second.nextPageToken).toBe("");
  });

  test("omits the artifacts unless they are requested", async () => {
    const ada = await caller(serve(echo), { transport });
    await ada.send("Hello");
    expect((await list(ada)).tasks[0]?.artifacts).toEqual([]);
    const [task] = (await list(ada, { includeArtifacts: true })).tasks;
    expect(replyOf(task!)).toContain("Hello");
  });

  test("finds waiting tasks, and tasks of a context", async () => {
    const ada = await caller(serve(asking(CITY)), { transport });
    const ended = await ada.send("Book");
    const [question] = questionsOf(ended);
    await ada.answer(ended, { elicitationId: question!.elicitationId, action: "cancel" });
    const waiting = await ada.send("Book another");
    const byStatus = await list(ada, { status: TaskState.TASK_STATE_INPUT_REQUIRED });
    expect(byStatus.tasks.map(({ id }) => id)).toEqual([waiting.id]);
    const byContext = await list(ada, { contextId: ended.contextId });
    expect(byContext.tasks.map(({ id }) => id)).toEqual([ended.id]);
    const later = await list(ada, { statusTimestampAfter: new Date(Date.now() + 60_000).toISOString() });
    expect(later).toMatchObject({ tasks: [], totalSize: 0 });
  });

  test("is refused for an invalid page size, token or time", async () => {
    const ada = await caller(serve(echo), { transport });
    await ada.send("Hello");
    const tokens = ["gone", btoa("{}"), btoa('{"at":"1","id":1}')];
    for (const wrong of [
      { pageSize: 1000 },
      { historyLength: -1 },
      ...tokens.map((pageToken) => ({ pageToken })),
      { statusTimestampAfter: "yesterday" },
    ]) {
      await expect(list(ada, wrong)).rejects.toThrow(RequestMalformedError);
    }
  });
});

describe("the list of tasks", () => {
  test("begins with the task that changed last, and repeats no task on a later page", async () => {
    const ports = sharedPorts();
    const ada = await caller(serve(asking(CITY), ports));
    const ids: string[] = [];
    const waiting = [];
    for (const words of ["1", "2", "3", "4"]) {
      const task = await ada.send(words);
      waiting.push(task);
      ids.unshift(task.id);
      await nextTime();
    }
    const [oldest, , third] = waiting;
    const answer = (task: typeof oldest) =>
      ada.answer(task!, { elicitationId: questionsOf(task!)[0]!.elicitationId, action: "cancel" });
    await answer(oldest);
    const elsewhere = await caller(serve(asking(CITY), ports));
    const first = await list(elsewhere, { pageSize: 2 });
    expect(first.tasks.map(({ id }) => id)).toEqual([oldest!.id, ids[0]]);
    const times = first.tasks.map(({ status }) => Date.parse(status?.timestamp ?? ""));
    expect(times.toSorted((one, other) => other - one)).toEqual(times);
    await nextTime();
    // The task moves to the front between two pages.
    await answer(third);
    const second = await list(ada, { pageSize: 2, pageToken: first.nextPageToken });
    expect(second.tasks.map(({ id }) => id)).toEqual([ids[2]]);
    expect(second).toMatchObject({ nextPageToken: "", totalSize: 4 });
    const since = await list(ada, { statusTimestampAfter: new Date(times[0]!).toISOString() });
    expect(since.tasks.map(({ id }) => id)).toEqual([third!.id, oldest!.id]);
  });

  test("reads no more logs than the page has tasks, and no log of a task in another state", async () => {
    const logs = createMemoryTurnStream();
    const read: string[] = [];
    const stream: TurnStream = {
      ...logs,
      read: (turnId, from) => (read.push(turnId), logs.read(turnId, from)),
    };
    const ada = await caller(serve(asking(CITY), { ports: { stream } }));
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      ids.unshift((await ada.send("Book")).id);
      await nextTime();
    }
    const [newest = "", second = ""] = ids;
    await ada.client.cancelTask({ tenant: "", id: newest, metadata: undefined }, ada.options);
    read.length = 0;
    const first = await list(ada, { pageSize: 1 });
    expect(first).toMatchObject({ tasks: [{ id: newest }], totalSize: 12 });
    const next = await list(ada, { pageSize: 2, pageToken: first.nextPageToken });
    expect(next).toMatchObject({ tasks: [{ id: second }, {}], totalSize: 12 });
    expect(read).toHaveLength(3);
    read.length = 0;
    const waiting = await list(ada, { pageSize: 1, status: TaskState.TASK_STATE_INPUT_REQUIRED });
    expect(waiting).toMatchObject({ tasks: [{ id: second }], totalSize: 11 });
    expect(read).toHaveLength(1);
    read.length = 0;
    const stopped = await list(ada, { pageSize: 1, status: TaskState.TASK_STATE_CANCELED });
    expect(stopped).toMatchObject({ tasks: [{ id: newest }], totalSize: 1 });
    expect(read).toHaveLength(1);
  });

  test("finds a failed task behind many others, and reads only a few logs for a page without a match", async () => {
    const logs = createMemoryTurnStream();
    let reads = 0;
    const stream: TurnStream = {
      ...logs,
      read: (turnId, from) => ((reads += 1), logs.read(turnId, from)),
    };
    const run: RunTurn = async function* answer({ messages }) {
      if (JSON.stringify(messages).includes("fail")) throw new Error("It was told to.");
      yield* text("Done.");
    };
    const ada = await caller(serve(run, { ports: { stream } }));
    const failed = await ada.send("fail");
    for (let count = 0; count < 45; count += 1) await ada.send("Book");
    const found: string[] = [];
    const sizes: number[] = [];
    let pageToken = "";
    do {
      reads = 0;
      const page = await list(ada, { pageSize: 1, status: TaskState.TASK_STATE_FAILED, pageToken });
      expect(reads).toBeLessThanOrEqual(page.tasks.length + 20);
      found.push(...page.tasks.map(({ id }) => id));
      sizes.push(page.totalSize);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(found).toEqual([failed.id]);
    // The final states of the others are only in their logs, so each of them may match.
    expect(sizes).toEqual([46, 46, 46]);
  });
});

describe("a later task of a context", () => {
  test("has the messages of earlier ones, and none of other contexts or users", async () => {
    const served = serve(echo);
    const ada = await caller(served);
    const first = await ada.send("My name is Ada.");
    await ada.send("Another context.");
    await (await caller(served, { user: "bob" })).send("I am Bob.", { contextId: first.contextId });
    const second = await ada.send("What is my name?", { contextId: first.contextId });
    const reply = replyOf(second);
    expect(reply).toContain("My name is Ada.");
    expect(reply).toContain("I have read");
    expect(reply).not.toContain("Another context");
    expect(reply).not.toContain("I am Bob");
    expect(second.contextId).toBe(first.contextId);
    expect(second.id).not.toBe(first.id);
  });

  test("has the beginning of a long message", async () => {
    const ada = await caller(serve(echo));
    const first = await ada.send(`Remember this. ${'"\u0000'.repeat(20_000)}`);
    expect(first.history).toEqual([]);
    const second = await ada.send("Well?", { contextId: first.contextId });
    expect(replyOf(second)).toContain("Remember this.");
  });

  test("has the messages that the operator loads instead", async () => {
    const served = serve(echo, {
      surface: {
        messagesFor: ({ conversationId, message }) => [{ note: `from ${conversationId}` }, message],
      },
    });
    const ada = await caller(served);
    expect(replyOf(await ada.send("Hello", { contextId: "c-1" }))).toContain("from c-1");
  });
});

test("two agents of one runtime have separate tasks", async () => {
  const served = serve(async function* run({ surface }) {
    yield* text(`I am ${surface}.`);
  });
  const at = (url: string, kind?: string) =>
    createA2aSurface({
      runtime: served.runtime,
      authenticate: () => ({ user: { id: "ada" } }),
      url,
      card: { name: "Support", description: "Helps" },
      onError: (error) => served.errors.push(error),
      kind,
    });
  const SUPPORT = "https://agent.example.com/support";
  expect(() => at(SUPPORT)).toThrow('elicit-kit: two surfaces of this runtime have the kind "a2a"');
  const support = at(SUPPORT, "support");
  const toSupport = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json", "a2a-version": "1.0" };
    const response = await support.fetch(new Request(SUPPORT, { method: "POST", headers, body }));
    return (await response.json()) as { result?: unknown; error?: { message: string } };
  };
  const ada = await caller(served);
  const sent = { messageId: "m-1", contextId: "c-1" };
  const sales = await ada.send("Hi", sent);
  expect(replyOf(sales)).toBe("I am a2a.");
  expect((await toSupport("GetTask", { id: sales.id })).error?.message).toContain("Task not found");
  expect((await toSupport("ListTasks", {})).result).toMatchObject({ tasks: [], totalSize: 0 });
  // The same message to another agent starts another task, without the conversation with the first agent.
  const message = { ...sent, role: "ROLE_USER", parts: [{ text: "Hi" }] };
  const reply = JSON.stringify(await toSupport("SendMessage", { message }));
  expect(reply).toContain("I am support.");
  expect(reply).not.toContain(sales.id);
  expect((await list(ada)).tasks.map(({ id }) => id)).toEqual([sales.id]);
  expect(served.errors).toEqual([]);
});
