import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { nextTask } from "../../base/deadlines.ts";
import { TAKEN_OVER } from "../ports/turn-runner.ts";
import { BackgroundWork } from "./background.ts";

/** An agent that has one question in the background, and waits for it. */
function setUp() {
  const stop = new AbortController();
  const background = new BackgroundWork({
    id: "t1",
    signal: stop.signal,
    recorder: {
      step: (_, run) => run(),
      bind: (callback) => callback,
      background: (work) => work(),
      untilAnswered: (wait) => wait(),
    },
    write: undefined,
    onError: (error) => expect.unreachable(String(error)),
  });
  background.run({ toolCallId: "call_1", tool: "ask" }, () => new Promise(() => {}));
  const results: unknown[] = [];
  void background.next().then((ended) => results.push(ended));
  return { stop, background, results };
}

test("an agent whose turn is stopped waits for no answer in the background", async () => {
  const { stop, results } = setUp();
  stop.abort(new DOMException("The user has stopped it.", "AbortError"));
  await nextTask();
  expect(results).toEqual([[]]);
});

test("an agent whose turn another process has taken over does not continue as if no answer followed", async () => {
  const { stop, background, results } = setUp();
  stop.abort(TAKEN_OVER);
  void background.next().then((ended) => results.push(ended));
  await nextTask();
  expect(results).toEqual([]);
});

test.each([
  ["fails", () => Promise.reject(new Error("the model is away")), "error"],
  ["ends", () => Promise.resolve(), "tool-output-available"],
])(
  "when an agent %s while a call asks in the background, the chat learns how the call has ended",
  async (_, end, last) => {
    const runtime = createTestRuntime(async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      const call = { toolCallId: "call_1", tool: "ask" };
      turn.background?.run(call, async () => (await turn.ask(CITY)).outcome);
      yield { type: "tool-output-available", toolCallId: "call_1", output: "The user was asked." };
      await end();
    });
    const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
    await stream.done;
    const outputs = stream.chunks.filter(({ type }) => type === "tool-output-available");
    expect(outputs).toEqual([
      expect.objectContaining({ output: "The user was asked.", preliminary: true }),
      { type: "tool-output-available", toolCallId: "call_1", output: "withdrawn" },
    ]);
    expect(stream.chunks.at(-1)?.["type"]).toBe(last);
  },
);
