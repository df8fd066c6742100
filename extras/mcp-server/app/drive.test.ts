import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createManualClock, promisesSettled } from "../../../src/base/testing/manual-clock.ts";
import { type CallToolResult, isInputRequiredResult } from "@modelcontextprotocol/server";
import { HOLD_MS, type RunRound, VIEW_WITHIN_MS, drive } from "./drive.ts";
import { createOpenCalls } from "./open-calls.ts";

// The machine may be busy, and FC_RUNS may set long runs.
vi.setConfig({ testTimeout: 600_000 });
const RUNS = Number(process.env["FC_RUNS"] ?? 2000);

const QUESTIONS = 3;
const EXPIRES_MS = 20_000;
const VIEWS = ["view-1", "view-2"] as const;

type Step =
  | { do: "poll"; view: string; leaves: boolean }
  | { do: "answer"; view: string; back: number; value: number }
  | { do: "time"; ms: number }
  | { do: "cancel" }
  | { do: "death" };

const view = fc.constantFrom(...VIEWS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("poll" as const), view, leaves: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      view,
      // Usually the newest version.
      back: fc.constantFrom(0, 0, 0, 1),
      value: fc.nat(9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("time" as const), ms: fc.constantFrom(500, 8000, 25_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "cancel" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "death" as const }) },
);

/** A tool that asks one question after another. Its state carries the answers, like the sealed state of the kit. */
function createTool(now: () => number) {
  const used = new Set<string>();
  const run: RunRound = async ({ requestState = "", responses }, cardRun) => {
    if (requestState !== "" && used.has(requestState))
      throw new Error(`the state ${requestState} was used twice`);
    used.add(requestState);
    const { answers, until }: { answers: unknown[]; until: number } =
      requestState === "" ? { answers: [], until: now() + EXPIRES_MS } : JSON.parse(requestState);
    const key = `question-${answers.length + 1}`;
    const expired = now() >= until;
    if (expired || responses[key] !== undefined) {
      answers.push(expired ? "expired" : responses[key]);
      if (answers.length === QUESTIONS) return { content: [{ type: "text", text: JSON.stringify(answers) }] };
    }
    cardRun.until = expired || responses[key] !== undefined ? now() + EXPIRES_MS : until;
    const params = {
      mode: "form" as const,
      message: "?",
      requestedSchema: { type: "object" as const, properties: {} },
    };
    return {
      resultType: "input_required",
      inputRequests: { [`question-${answers.length + 1}`]: { method: "elicitation/create", params } },
      requestState: JSON.stringify({ answers, until: cardRun.until, nth: used.size }),
    };
  };
  return { run };
}

test("a call returns the first answers, in any order of polls, answers, timeouts, cancellations and crashes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const clock = createManualClock();
      const { run } = createTool(clock.now);
      const abort = new AbortController();
      const startedAt = clock.now();
      let calls = createOpenCalls(clock);
      const call = calls.open({ owner: "ada", tool: "book", arguments: {}, requestId: 1 });
      /** The answers that were taken, in order. */
      const taken: unknown[] = [];
      let result: CallToolResult | undefined;
      let returnedAt: number | undefined;
      const finish = async () => {
        const options = { clock, signal: abort.signal, viewWithinMs: VIEW_WITHIN_MS };
        const returned = await drive(call, run, options);
        if (!isInputRequiredResult(returned)) result = returned;
        returnedAt = clock.now();
      };
      const driven = finish();
      let isCancelled = false;
      await promisesSettled();

      for (const one of steps) {
        const { state } = call;
        if (one.do === "poll") {
          const other = VIEWS.find((name) => name !== one.view) ?? "";
          const claimed = calls.claim({ owner: "ada", view: one.view, call: call.id });
          // While one view polls, no other view can claim the call.
          if (claimed !== undefined) {
            expect(calls.claim({ owner: "ada", view: other, call: call.id })).toBeUndefined();
            calls.release(call, one.view, one.leaves ? "gone" : "waits");
          }
          expect(calls.claim({ owner: "eve", view: "eve", call: call.id })).toBeUndefined();
        }
        if (one.do === "answer") {
          const [key = ""] = state.status === "asked" ? Object.keys(state.round.inputRequests) : [];
          const responses = { [key]: one.value };
          const version = call.version - one.back;
          const before = JSON.stringify(call.state);
          const given = calls.give({ owner: "ada", view: one.view, call: call.id }, version, responses);
          const isRepeat = one.back > 0 || state.status !== "asked";
          if (given === "taken" && !isRepeat) taken.push(one.value);
          if (isRepeat) expect(JSON.stringify(call.state)).toBe(before);
        }
        if (one.do === "time") await clock.advanceAsync(one.ms);
        if (one.do === "cancel") {
          isCancelled ||= result === undefined;
          abort.abort();
        }
        if (one.do === "death") {
          // Another process does not know the call.
          calls = createOpenCalls(clock);
          expect(calls.claim({ owner: "ada", view: "view-1", call: call.id })).toBeUndefined();
        }
        await promisesSettled();
      }
      await clock.advanceAsync(HOLD_MS);
      await driven;

      expect(returnedAt).toBeLessThanOrEqual(startedAt + HOLD_MS);
      const { status } = call.state;
      if (isCancelled) {
        expect(call.state).toEqual({ status: "ended", withdrawn: true });
        return;
      }
      const text = result?.content[0]?.type === "text" ? result.content[0].text : "";
      if (status === "handed") expect(text).toContain("elicitation_result");
      const answers: unknown[] =
        call.state.status === "handed" ? JSON.parse(call.state.round.requestState).answers : JSON.parse(text);
      if (status !== "handed") expect(answers).toHaveLength(QUESTIONS);
      expect(answers.filter((value) => value !== "expired")).toEqual(taken);
    }),
    { numRuns: RUNS },
  );
});
