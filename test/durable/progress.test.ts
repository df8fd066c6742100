import { expect, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { readStream } from "../stages/chat-client.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { CITY, text } from "../stages/test-runtime.ts";

const progress = (words: string) => ({ type: "data-progress", id: "progress", data: words });

test("progress that a turn reports after a question is shown, even if the turn reported the same before the question and has run again", async () => {
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    let isFirst = false;
    await turn.runner.step("search", async () => void (isFirst = true));
    if (isFirst) yield* [progress("searching"), progress("found")];
    const { outcome } = await turn.ask(CITY);
    yield progress("searching");
    yield* text(outcome);
  };
  const { startProcess, parked } = await createDurableProcesses();
  const { ada, errors } = await startProcess(runTurn, { parkAfterMs: 20 });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await expect.poll(parked).toBe(1);
  await stream.cancel();
  const shown = readStream(await ada.fetch("/run/api/chat/c1/stream"));
  await ada.answer("c1", { elicitationId, action: "decline" });
  await shown.done;
  expect(shown.chunks.flatMap(({ type, data }) => (type === "data-progress" ? [data] : []))).toEqual([
    "searching",
    "found",
    "searching",
  ]);
  expect(shown.chunks.filter(({ id }) => id === elicitationId)).toHaveLength(2);
  expect(errors()).toEqual([]);
});
