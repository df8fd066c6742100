/** A turn or a tool makes model calls at once, and runs again from what the first run has recorded. */
import { expect, test } from "vitest";
import { type Deferred, createDeferred, nextTask } from "../../src/base/deadlines.ts";
import type { CallScope } from "./call-scope.ts";
import type { RecordedStep } from "./engine.ts";
import { recordedModel } from "./recorded-model.ts";
import { runTurn } from "./testing/run-turn.ts";

/** One run of a turn. Each call of its model ends when the test says so. */
function run(past: readonly RecordedStep[] = []) {
  const calls = new Map<string, Deferred<unknown>>();
  const made: string[] = [];
  const { root, recorded: written, changes } = runTurn(past);
  const model = {
    modelId: "model",
    async doGenerate({ prompt }: { prompt: string; abortSignal?: AbortSignal; tools?: unknown[] }) {
      made.push(prompt);
      const call = createDeferred<unknown>();
      calls.set(prompt, call);
      return call.promise;
    },
  };
  const asking = (scope: CallScope) => recordedModel(model, () => scope.models);
  async function end(prompt: string): Promise<void> {
    await nextTask();
    calls.get(prompt)?.resolve(`text for ${prompt}`);
    await nextTask();
  }
  async function fail(prompt: string): Promise<void> {
    await nextTask();
    calls.get(prompt)?.reject(new Error("429"));
    await nextTask();
  }
  return { root, asking, end, fail, made, written, changes };
}

type Run = ReturnType<typeof run>;

/** Makes these model calls, one after the other. */
async function branch({ root, asking }: Run, prompts: readonly string[]): Promise<unknown[]> {
  const texts: unknown[] = [];
  for (const prompt of prompts) {
    const tools = [{ type: "function", name: "book", execute() {} }];
    const abortSignal = new AbortController().signal;
    texts.push(await asking(root).doGenerate({ prompt, abortSignal, tools }));
  }
  return texts;
}

const both = (turn: Run, a: readonly string[], b: readonly string[]) =>
  Promise.all([branch(turn, a), branch(turn, b)]);

test("when two branches call a model at once and run again, each gets its own results", async () => {
  const first = run();
  const done = both(first, ["A1", "A2"], ["B1", "B2"]);
  for (const prompt of ["B1", "A1", "B2", "A2"]) await first.end(prompt);
  const texts = await done;

  const again = run(first.written);
  expect(await both(again, ["A1", "A2"], ["B1", "B2"])).toEqual(texts);
  expect([again.made, again.changes]).toEqual([[], []]);
});

test("a branch whose model call was not recorded makes it again, and gets none of another branch", async () => {
  const first = run();
  void both(first, ["A1", "A2"], ["B1", "B2"]);
  for (const prompt of ["B1", "A1", "B2"]) await first.end(prompt);

  const again = run(first.written);
  const done = both(again, ["A1", "A2"], ["B1", "B2"]);
  await again.end("A2");
  expect(await done).toEqual([
    ["text for A1", "text for A2"],
    ["text for B1", "text for B2"],
  ]);
  expect(again.made).toEqual(["A2"]);
});

test("a model call that is tried again after an error keeps its result apart from one that runs meanwhile", async () => {
  const first = run();
  const retried = branch(first, ["A"]).catch(() => branch(first, ["A"]));
  const other = branch(first, ["B"]);
  await first.fail("A");
  await first.end("A");
  await first.end("B");
  expect(await Promise.all([retried, other])).toEqual([["text for A"], ["text for B"]]);

  const again = run(first.written);
  expect(await both(again, ["A"], ["B"])).toEqual([["text for A"], ["text for B"]]);
  expect(again.made).toEqual([]);
});

test("a branch that did a step first does not get the model call of a branch that was faster", async () => {
  const first = run();
  const step = createDeferred<void>();
  const slow = first.root.step("look", () => step.promise).then(() => branch(first, ["A"]));
  const fast = branch(first, ["B"]);
  await first.end("B");
  step.resolve();
  await expect.poll(() => first.made).toEqual(["B", "A"]);
  void slow;
  expect(await fast).toEqual(["text for B"]);

  const again = run(first.written);
  const looked = again.root.step("look", async () => {}).then(() => branch(again, ["A"]));
  await nextTask();
  await nextTask();
  const late = branch(again, ["B"]);
  await again.end("A");
  expect(await Promise.all([looked, late])).toEqual([["text for A"], ["text for B"]]);
});

test("model calls one after the other keep their results when their prompts change", async () => {
  const first = run();
  const done = branch(first, ["At 9:00, 1", "At 9:00, 2"]);
  for (const prompt of ["At 9:00, 1", "At 9:00, 2"]) await first.end(prompt);
  const texts = await done;

  const again = run(first.written);
  expect(await branch(again, ["At 9:05, 1", "At 9:05, 2"])).toEqual(texts);
  expect([again.made, again.changes]).toEqual([[], []]);
});

test("equal model calls at once get both results", async () => {
  const first = run();
  const done = both(first, ["A"], ["A", "C"]);
  for (const prompt of ["A", "C"]) await first.end(prompt);
  void done;

  const again = run(first.written);
  const texts = both(again, ["A"], ["A", "C"]);
  await again.end("A");
  expect(await texts).toEqual([["text for A"], ["text for A", "text for C"]]);
  expect(again.made).toEqual(["A"]);
});
