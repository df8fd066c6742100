import { expect, test } from "vitest";
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
