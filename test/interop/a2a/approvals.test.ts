/** An agent with kagent's extension that asks permission for its tools. */
import { TaskState } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { type UIMessageChunk, convertToModelMessages, readUIMessageStream } from "ai";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import type { A2aToolCall } from "../../../src/a2a/relay/tool-call.ts";
import { type ReadStream, createChatClient } from "../../stages/chat-client.ts";
import { type Script, type ServedAgent, serveAgent } from "./agents.ts";
import { BOOK, chatWith } from "./chat.ts";

const KAGENT = "https://kagent.dev/extensions/hitl/v1";
const POD = { id: "t1", call_id: "c1", name: "delete_pod", args: { pod: "web-0" } };
const LOGS = { id: "t2", call_id: "c2", name: "read_logs", args: null };
const BOTH = { type: "tool_approval_request", hint: "To clean up", tools: [POD, LOGS] };

const said = (payload: unknown) => ({
  text: "May I?",
  extensions: [KAGENT],
  metadata: { [KAGENT]: payload },
});

/** Asks, and ends when it has an answer. */
const asking =
  (payload: unknown): Script =>
  (task) => {
    if (task.isNew) return task.status(TaskState.TASK_STATE_INPUT_REQUIRED, said(payload));
    task.artifact("Cleaned up");
    task.status(TaskState.TASK_STATE_COMPLETED);
  };

const serve = (script: Script, others = [KAGENT]) => serveAgent(script, { extension: false, others });
const approvalsOf = (agent: ServedAgent, index = 1) =>
  (agent.messages[index]?.metadata?.[KAGENT] as { approvals?: unknown } | undefined)?.approvals;
const chunksOf = ({ chunks }: ReadStream, type: string) => chunks.filter((chunk) => chunk["type"] === type);

/** The message as the AI SDK of a page has it. */
async function messageOf({ chunks }: ReadStream) {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as UIMessageChunk);
      controller.close();
    },
  });
  let last;
  for await (const message of readUIMessageStream({ stream })) last = message;
  return last;
}

test("the application decides on each call, and the agent gets all decisions in one message", async () => {
  const agent = await serve(asking(BOTH));
  const calls: A2aToolCall[] = [];
  const chat = chatWith(agent.url, BOOK, {
    approveTool(call) {
      calls.push(call);
      return call.toolName === "read_logs"
        ? { approved: true }
        : { approved: false, reason: "Pods stay where they are." };
    },
  });
  const stream = await chat.send();
  await stream.done;
  expect(calls).toMatchObject([
    { agent: "travel", toolName: "delete_pod", input: { pod: "web-0" }, hint: "To clean up" },
    { agent: "travel", toolName: "read_logs", input: {}, user: { id: "ada" }, conversationId: "c1" },
  ]);
  expect(agent.messages).toHaveLength(2);
  expect(agent.messages[1]?.metadata?.[KAGENT]).toEqual({
    type: "tool_approval_response",
    approvals: [
      { id: "t1", approved: false, rejection_reason: "Pods stay where they are." },
      { id: "t2", approved: true },
    ],
  });
  expect(JSON.stringify(stream.chunks)).not.toContain("data-elicitation-request");
  expect(chat.results()).toContain("Cleaned up");
});

test("the page gets the calls and the decisions as approvals of the AI SDK, and can continue with them", async () => {
  const agent = await serve(asking({ ...BOTH, tools: [{ ...POD, name: "delete pod\u202e!" }, LOGS] }));
  const chat = chatWith(agent.url, [...BOOK, "You are welcome."], {
    approveTool: ({ toolName }) => ({ approved: toolName === "read_logs" }),
  });
  const stream = await chat.send();
  await stream.done;
  const message = await messageOf(stream);
  const parts = message?.parts.filter(
    (part) => part.type === "dynamic-tool" && part.toolName.startsWith("travel_"),
  );
  expect(parts).toMatchObject([
    {
      toolName: "travel_delete_pod__",
      input: { pod: "web-0" },
      state: "output-denied",
      approval: { approved: false, reason: "The call is not allowed." },
    },
    { toolName: "travel_read_logs", state: "output-available", output: { status: "approved" } },
  ]);
  const next = await chat.send("c1", {
    messages: [message, { id: "m2", role: "user", parts: [{ type: "text", text: "Thanks" }] }],
  });
  await next.done;
  expect(chat.runtime.errors).toEqual([]);
  expect(next.chunks.at(-1)).toMatchObject({ type: "finish" });
  await expect(convertToModelMessages([message!])).resolves.toBeDefined();
});

test("a subscriber of the turn can ask the user, and pass on the decision", async () => {
  const agent = await serve(asking({ ...BOTH, tools: [POD] }));
  const waiting = new Map<string, (approved: boolean) => void>();
  const chat = chatWith(agent.url, BOOK, {
    approveTool({ turnId, approvalId }) {
      chat.runtime.subscribe(turnId, (event) => seen.push(event.type));
      return new Promise((resolve) => {
        waiting.set(approvalId, (approved) => resolve({ approved }));
      });
    },
  });
  const seen: string[] = [];
  const stream = await chat.send();
  await expect.poll(() => chunksOf(stream, "tool-approval-request")).toHaveLength(1);
  const [asked] = chunksOf(stream, "tool-approval-request");
  expect(agent.messages).toHaveLength(1);
  waiting.get(String(asked?.["approvalId"]))?.(true);
  await stream.done;
  expect(approvalsOf(agent)).toEqual([{ id: "t1", approved: true }]);
  expect(seen).toEqual(["approval-resolved"]);
});

test("without an approval function, each call is rejected, and nothing is shown", async () => {
  const agent = await serve(asking(BOTH));
  const chat = chatWith(agent.url);
  const stream = await chat.send();
  await stream.done;
  const rejected = { approved: false, rejection_reason: "Tools are not approved here." };
  expect(approvalsOf(agent)).toEqual([
    { id: "t1", ...rejected },
    { id: "t2", ...rejected },
  ]);
  expect(JSON.stringify(stream.chunks)).not.toMatch(/data-elicitation-request|approval/);
  expect(chat.results()).toContain("Cleaned up");
});

test.each([
  ["an error", () => Promise.reject(new Error("elicit-kit: the secret of ada")), "The decision has failed."],
  ["nothing", () => undefined, "There is no decision."],
  ["a word", () => ({ approved: "yes" }), "There is no decision."],
  ["a promise of nothing", async () => null, "There is no decision."],
  ["a no without a reason", () => ({ approved: false, reason: " " }), "The call is not allowed."],
])("if the application returns %s, the call is rejected with a reason", async (_, decide, reason) => {
  const agent = await serve(asking({ ...BOTH, tools: [POD] }));
  const chat = chatWith(agent.url, BOOK, { approveTool: decide as never });
  const stream = await chat.send();
  await stream.done;
  expect(approvalsOf(agent)).toEqual([{ id: "t1", approved: false, rejection_reason: reason }]);
  expect(chunksOf(stream, "tool-output-denied")).toHaveLength(1);
  expect(chat.errors).toHaveLength(reason.includes("failed") ? 1 : 0);
});

test("a call is rejected if there is no decision in 10 minutes", async () => {
  const agent = await serve(asking({ ...BOTH, tools: [POD] }));
  let signal: AbortSignal | undefined;
  const after: typeof systemClock.after = (ms, callback) =>
    systemClock.after(ms === 600_000 ? 50 : ms, callback);
  const chat = chatWith(agent.url, BOOK, {
    clock: { ...systemClock, after },
    approveTool: (call) => {
      ({ signal } = call);
      return new Promise(() => {});
    },
  });
  await (
    await chat.send()
  ).done;
  expect(signal?.aborted).toBe(true);
  expect(approvalsOf(agent)).toEqual([
    { id: "t1", approved: false, rejection_reason: "Nobody has decided in time." },
  ]);
});

test("when a turn is stopped, undecided calls are rejected, even if an approval arrives at the same time", async () => {
  const agent = await serve(asking({ ...BOTH, tools: [POD] }));
  const chat = chatWith(agent.url, BOOK, {
    approveTool: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ approved: true }));
      }),
  });
  const stream = await chat.send();
  await expect.poll(() => chunksOf(stream, "tool-approval-request")).toHaveLength(1);
  await chat.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await stream.done;
  expect(chunksOf(stream, "tool-output-denied")).toHaveLength(1);
  expect(agent.messages).toHaveLength(1);
  await expect.poll(() => agent.cancelled).toHaveLength(1);
});

test("an agent that no longer waits gets no decision, and the call is shown as rejected", async () => {
  let taskId = "";
  const ask = asking({ ...BOTH, tools: [POD] });
  const agent = await serve((task) => {
    ({ taskId } = task);
    return ask(task);
  });
  const chat = chatWith(agent.url, BOOK, { approveTool: () => new Promise(() => {}) });
  const stream = await chat.send();
  await expect.poll(() => chunksOf(stream, "tool-approval-request")).toHaveLength(1);
  const other = await new ClientFactory().createFromUrl(agent.url);
  await other.cancelTask({ tenant: "", id: taskId, metadata: undefined });
  await stream.done;
  expect(chunksOf(stream, "tool-output-denied")).toHaveLength(1);
  expect(agent.messages).toHaveLength(1);
  expect(chat.results()).toContain("has cancelled the task");
});

test.each([
  ["two calls with one id", [POD, { ...LOGS, id: "t1" }]],
  ["a call that cannot be read", [POD, { id: "t2", name: 7 }]],
])("an approval request with %s is rejected as a whole, without asking for a decision", async (_, tools) => {
  const agent = await serve(asking({ ...BOTH, tools }));
  let asked = 0;
  const chat = chatWith(agent.url, BOOK, {
    approveTool: () => {
      asked += 1;
      return { approved: true };
    },
  });
  await (
    await chat.send()
  ).done;
  expect(asked).toBe(0);
  const ids = [...new Set(tools.map(({ id }) => id))];
  expect(approvalsOf(agent)).toEqual(
    ids.map((id) => ({ id, approved: false, rejection_reason: "The request cannot be read." })),
  );
});

test("for an approval request without any id, the task is cancelled without a card", async () => {
  const agent = await serve(asking({ ...BOTH, tools: [] }));
  const chat = chatWith(agent.url, BOOK, { approveTool: () => ({ approved: true }) });
  const stream = await chat.send();
  await stream.done;
  expect(JSON.stringify(stream.chunks)).not.toContain("data-elicitation-request");
  expect(agent.messages).toHaveLength(1);
  expect(agent.cancelled).toHaveLength(1);
  expect(chat.results()).toContain("an approval that cannot be read");
});

test("an agent that uses the id of another call in the chat does not change that call", async () => {
  const agent = await serve(asking({ ...BOTH, tools: [{ ...POD, id: "call_1", call_id: "call_1" }] }));
  const chat = chatWith(agent.url, BOOK, { approveTool: () => ({ approved: false }) });
  const stream = await chat.send();
  await stream.done;
  const own = stream.chunks.find(
    ({ type, toolName }) => type === "tool-input-available" && toolName === "travel",
  );
  expect(chunksOf(stream, "tool-output-denied").map(({ toolCallId }) => toolCallId)).not.toContain(
    own?.["toolCallId"],
  );
  const part = (await messageOf(stream))?.parts.find(
    (one) => one.type === "dynamic-tool" && one.toolName === "travel",
  );
  expect(part).toMatchObject({ state: "output-available" });
});

test("an agent whose agent card does not list the extension gets no approval", async () => {
  const agent = await serve(asking(BOTH), []);
  const chat = chatWith(agent.url, BOOK, { approveTool: () => ({ approved: true }) });
  const stream = await chat.send();
  expect(await stream.request()).toMatchObject({ message: "May I?" });
  await chat.answer(stream, "decline");
  await stream.done;
  expect(agent.messages).toHaveLength(1);
  expect(agent.cancelled).toHaveLength(1);
});

test("the decision of each user applies only to calls of their own agent", async () => {
  const agent = await serve(asking({ ...BOTH, tools: [POD] }));
  const chat = chatWith(agent.url, [...BOOK, ...BOOK], {
    approveTool: ({ user }) => ({ approved: user?.id === "bob", reason: `Not for ${user?.id}.` }),
  });
  const ada = await chat.send();
  await ada.done;
  const bob = await createChatClient(chat.runtime.fetch, { user: "bob" }).send("c2");
  await bob.done;
  expect(approvalsOf(agent, 1)).toMatchObject([{ approved: false, rejection_reason: "Not for ada." }]);
  expect(approvalsOf(agent, 3)).toEqual([{ id: "t1", approved: true }]);
  expect(chunksOf(ada, "tool-approval-request")).toHaveLength(1);
  expect(chunksOf(bob, "tool-approval-request")).toHaveLength(1);
  expect(chunksOf(bob, "tool-output-denied")).toHaveLength(0);
});

test("the application decides on calls even in a chat that cannot ask", async () => {
  const agent = await serve(asking({ ...BOTH, tools: [POD] }));
  const chat = chatWith(agent.url, BOOK, { approveTool: () => ({ approved: true }) });
  const anonymous = await createChatClient(chat.runtime.fetch).send("c3");
  await anonymous.done;
  expect(approvalsOf(agent)).toEqual([{ id: "t1", approved: true }]);
});
