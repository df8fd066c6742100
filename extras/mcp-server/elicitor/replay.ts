import type { InputRequest, InputRequiredResult } from "@modelcontextprotocol/server";
import type { ElicitationResult } from "../../../src/runtime/internal.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { newId } from "../../../src/base/ids.ts";
import { writeElicitation } from "../../../src/mcp/wire/translate.ts";
import { type ClientModes, inputRequestOf } from "../presentation.ts";
import {
  type KeyedQuestion,
  digestOf,
  elicitationOf,
  resultOf,
  resultOfAttempts,
  resultWithoutAsking,
} from "./question.ts";
import type { AskedQuestion, ReplayState } from "./replay-state.ts";
import { KitError } from "../../../src/contract/kit-error.ts";
import { isObject } from "../../../src/contract/json.ts";

/**
 * The handler asked other questions than in an earlier run. Thrown in the handler, and returned as the result of the
 * call.
 */
export class ReplayError extends KitError {
  override readonly name = "ReplayError";
}

export interface ReplayOptions {
  /** Absent in the first round. */
  readonly before: ReplayState | undefined;
  readonly call: string;
  /** The client's answers. Untrusted. */
  readonly responses: Readonly<Record<string, unknown>>;
  readonly modes: ClientModes;
  readonly clock: Clock;
  readonly expiresInMs: number;
  /** Whether the user has finished on the page of a request. */
  readonly isCompleted: (elicitationId: string) => Promise<boolean>;
  /** Adds data for the client of this run to the `params` of a question. */
  readonly written?:
    | ((params: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>)
    | undefined;
}

/** One run of a handler. Earlier answers are replayed, and the first question without an answer ends the run. */
export interface Replay {
  ask(question: KeyedQuestion): Promise<ElicitationResult>;
  once<T>(key: string, run: () => T | Promise<T>): Promise<T>;
  /** Resolves when the handler only waits for answers, as far as this run can know. */
  readonly blocked: Promise<void>;
  /** Set when the handler has asked other questions than in an earlier run. */
  readonly failure: ReplayError | undefined;
  /** The next round, and how long its state must be kept. */
  round(): {
    inputRequests: NonNullable<InputRequiredResult["inputRequests"]>;
    state: ReplayState;
    /** When the first open question expires. */
    until: number;
  };
}

/** How long a state can be used after its questions have expired, so that the handler gets that outcome. */
const GRACE_MS = 15 * 60_000;

export function createReplay(options: ReplayOptions): Replay {
  const { before, call, responses, modes, clock, isCompleted, written: own = (params) => params } = options;
  const run = before?.run ?? newId();
  const asked: (AskedQuestion | undefined)[] = [...(before?.asked ?? [])];
  const done: Record<string, unknown> = { ...before?.done };
  /** Open questions by key. Their digests take different times, so `index` keeps the order in which they were asked. */
  const open = new Map<string, { readonly index: number; readonly request: InputRequest }>();
  let count = 0;
  let busy = 0;
  let failure: ReplayError | undefined;
  const blocked = createDeferred<void>();

  /** Counts work that the end of the round must not interrupt, and checks again when the work is done. */
  async function during<T>(work: () => Promise<T>): Promise<T> {
    busy += 1;
    try {
      return await work();
    } finally {
      busy -= 1;
      look();
    }
  }

  function look(): void {
    // Waits a moment for more questions: those asked at the same time belong to one round.
    clock.after(0, () => {
      if (busy === 0 && (open.size > 0 || failure !== undefined)) blocked.resolve();
    });
  }

  function fail(message: string): never {
    failure = new ReplayError(`elicit-kit: ${message}`);
    throw failure;
  }

  /** Returns the result of the question at `index`, or `undefined` if the user must be asked. */
  async function answerTo(question: KeyedQuestion, index: number): Promise<ElicitationResult | undefined> {
    const digest = await digestOf(question);
    const expiresInMs = question.expiresInMs ?? options.expiresInMs;
    const known = asked[index] ?? { digest, until: clock.now() + expiresInMs, refusals: 0 };
    if (known.digest !== digest) {
      fail(
        `the handler asked something else when it ran again: question ${index + 1} was another one before. Ask in the same order each time, and read what may change with once(key, fn).`,
      );
    }
    if (known.result !== undefined) return known.result;
    const id = idOf(run, index);
    const key = question.key ?? keyOf(index);
    const given = asked[index] !== undefined && Object.hasOwn(responses, key) ? responses[key] : undefined;
    const result = given === undefined ? { problem: undefined } : resultOf(question, given);
    const isLate = clock.now() >= known.until;
    if ("outcome" in result) {
      const isConsent = question.mode === "url" && result.outcome === "accepted";
      // A complete page counts, even if the client reports it late.
      if (isConsent ? await isCompleted(id) : !isLate) return keep(index, known, result);
    }
    if (isLate || clock.now() >= known.until)
      return keep(index, known, { outcome: "expired", afterMs: expiresInMs });
    const note = "problem" in result ? result.problem : "This is not finished yet.";
    const refusals = known.refusals + ("problem" in result && note !== undefined ? 1 : 0);
    const failed = note === undefined ? undefined : resultOfAttempts(refusals, note);
    if (failed !== undefined) return keep(index, known, failed);
    const written = writeElicitation(elicitationOf(question, id, note), "2026-07-28");
    const request =
      written.ok && inputRequestOf({ by: "elicitation", params: own(written.value), as: question.mode });
    if (request === undefined || request === false) {
      return keep(index, known, { outcome: "failed", reason: "this form cannot be asked through MCP" });
    }
    asked[index] = { ...known, refusals };
    if (open.has(key)) fail(`two questions that are open at once have the key ${JSON.stringify(key)}.`);
    open.set(key, { index, request });
    return undefined;
  }

  function keep(index: number, known: AskedQuestion, result: ElicitationResult): ElicitationResult {
    asked[index] = { ...known, result };
    return result;
  }

  return {
    blocked: blocked.promise,
    once: createOnce(done, during),
    get failure() {
      return failure;
    },
    async ask(question) {
      const unasked = resultWithoutAsking(question, modes);
      if (unasked !== undefined) return unasked;
      const index = count;
      count += 1;
      const result = await during(() => answerTo(question, index));
      // The run ends here. The handler will run again with the answer.
      return result ?? new Promise<never>(() => {});
    },
    round() {
      const all = asked.flatMap((question) => question ?? []);
      const unanswered = all.filter(({ result }) => result === undefined);
      return {
        inputRequests: Object.fromEntries(
          [...open]
            .toSorted(([, one], [, other]) => one.index - other.index)
            .map(([key, { request }]) => [key, request]),
        ),
        until: Math.min(...unanswered.map(({ until }) => until)),
        state: {
          id: newId(),
          run,
          call,
          asked: all,
          done,
          expiresAt: Math.max(...all.map(({ until }) => until)) + GRACE_MS,
        },
      };
    },
  };
}

const keyOf = (index: number) => `question-${index + 1}`;
const idOf = (run: string, index: number) => `${run}-${index + 1}`;

/**
 * Runs effects of a call once. `done` contains earlier results and collects new ones. `during` is called with each
 * running effect.
 */
export function createOnce(
  done: Record<string, unknown>,
  during: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): <T>(key: string, run: () => T | Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<void>>();

  return async <T>(key: string, run: () => T | Promise<T>): Promise<T> => {
    if (!Object.hasOwn(done, key)) {
      const work = running.get(key) ?? during(async () => void (done[key] = { value: await run() }));
      running.set(key, work);
      // A failed effect may run again.
      await work.finally(() => running.delete(key));
    }
    const kept = done[key];
    // JSON leaves out a result that is undefined.
    const value = isObject(kept) ? kept["value"] : undefined;
    if (isResult(value, kept, run)) return value;
    throw new KitError(`elicit-kit: once(${JSON.stringify(key)}) has no result.`);
  };
}

/** The value stored under a key is the result of the function with that key, in this run or an earlier one. */
function isResult<T>(_value: unknown, kept: unknown, _run: () => T | Promise<T>): _value is T {
  return kept !== undefined;
}
