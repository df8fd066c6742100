import { newId } from "../../src/base/ids.ts";
import {
  type AskedQuestion,
  type TurnOperation,
  type TurnRecorder,
  stepOperation,
} from "../../src/runtime/internal.ts";
import type { CallKeys } from "./call-keys.ts";
import { ModelNumbers, type RecordedCall } from "./model-numbers.ts";
import type { ModelCall, ModelRecorder } from "./recorded-model.ts";
import { type Outcome, digest, outcomeOf, readOutcome, valueOf, writeRecordable } from "./recorded-values.ts";
import type { ClaimedTurn } from "./engine.ts";
import type { RecordDetails, RecordKey } from "./record-key.ts";

/** The parts of a run that a scope uses. */
export interface ScopedRun {
  readonly turn: ClaimedTurn;
  keysOf(path: string, parent: CallKeys | undefined): CallKeys;
  modelCallsOf(path: string): readonly RecordedCall[];
  known(key: RecordKey, name: string): string | undefined;
  record(key: RecordKey, details: RecordDetails, work: () => Promise<unknown>): Promise<string>;
  ensureSameInput(path: string, name: string, input: string): void;
  ensureClaimed(number: number): void;
  changed(): void;
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
  afterWait<Result>(result: Result): Promise<Result>;
}

/** A turn, or one call of a tool in it. Each scope has its own steps, questions and model calls. */
export class CallScope {
  readonly run: ScopedRun;
  readonly #path: string;
  readonly #input: string | undefined;
  /** The call that made this call. `undefined`: the turn. */
  readonly #parent: string | undefined;
  readonly #keys: CallKeys;
  readonly #calls = new Set<CallScope>();
  readonly #models: ModelNumbers;
  /** The ids of the requests that it waits for. */
  readonly #waits = new Set<string>();
  /** Steps and model calls that have begun and not ended. */
  #work = 0;
  /** How many of its works run in the background. */
  #background = 0;
  /** Whether it waits for works in the background. */
  #isAwaiting = false;

  /** @param call its path, the digest of its input, and the call that made it */
  constructor(run: ScopedRun, { path, input, parent }: { path: string; input?: string; parent?: CallScope }) {
    this.run = run;
    this.#path = path;
    this.#input = input;
    this.#parent = parent === undefined || parent.#path === "" ? undefined : parent.#path;
    this.#keys = run.keysOf(path, parent === undefined ? undefined : parent.#keys);
    this.#models = new ModelNumbers(run.modelCallsOf(path));
  }

  /** Whether the scope only waits for the user. */
  get isWaiting(): boolean {
    return this.#waitsOnly(this.#isAwaiting);
  }

  /** Without `isAwaiting`, waits in the background do not count: the agent continues meanwhile. */
  #waitsOnly(isAwaiting: boolean): boolean {
    if (this.#work > 0) return false;
    const counts = (scope: CallScope) => isAwaiting || scope.#background === 0;
    const calls = [...this.#calls];
    if (!(this.#waits.size > 0 && counts(this)) && !calls.some(counts)) return false;
    return calls.every((call) => call.#waitsOnly(call.#isAwaiting || call.#background > 0));
  }

  /** The ids of the requests that this scope and its tool calls wait for. */
  get waits(): readonly string[] {
    return [...this.#waits, ...[...this.#calls].flatMap((call) => call.waits)];
  }

  /** Runs one call of a tool in a scope of its own. */
  async call<Result>(
    {
      id,
      name,
      input,
      hasFailed = () => false,
    }: {
      readonly id: string;
      readonly name: string;
      readonly input?: unknown;
      readonly hasFailed?: ((result: Result) => boolean) | undefined;
    },
    run: (scope: CallScope) => Promise<Result>,
  ): Promise<Result> {
    const key: RecordKey = [id, "tool", 0];
    const known = this.run.known(key, name);
    if (known !== undefined) {
      const past: Outcome<Result> = readOutcome(known);
      return valueOf(past);
    }
    const inputDigest = digest(writeRecordable({ value: [name, input] }, name));
    this.run.ensureSameInput(id, name, inputDigest);
    const scope = new CallScope(this.run, { path: id, input: inputDigest, parent: this });
    this.#calls.add(scope);
    this.run.changed();
    const outcome = await this.#keys.beside(async () => {
      try {
        return await outcomeOf(() => run(scope));
      } finally {
        this.#calls.delete(scope);
        this.run.changed();
      }
    });
    // A failing call may fail before it asks again.
    if ("value" in outcome && !hasFailed(outcome.value)) scope.#keys.finish();
    const details = { name, parent: this.#path === "" ? undefined : this.#path };
    const recorded: Outcome<Result> = readOutcome(
      await this.busy(() => this.run.record(key, details, async () => valueOf(outcome))),
    );
    return valueOf(recorded);
  }

  step<Result>(
    name: string,
    run: () => Promise<Result>,
    { key }: { readonly key?: string | undefined } = {},
  ): Promise<Result> {
    const operation = stepOperation(name, key);
    return this.#models.beside(() =>
      this.#keys.run(operation, async ({ key: own }) => (await this.#recorded(operation, own, run)).result),
    );
  }

  ask<Result>(
    { elicitationId, ...question }: Parameters<TurnRecorder["ask"]>[0],
    ask: (asked: AskedQuestion) => Promise<Result>,
  ): Promise<Result> {
    if (elicitationId !== undefined) {
      return this.#keys.beside(() =>
        this.#wait(elicitationId, () => ask({ elicitationId, isNew: true, isOpen() {} })),
      );
    }
    return this.#models.beside(() =>
      this.#keys.run(question, async ({ key, isLive }) => {
        const { result, isNew } = await this.#recorded(question, key, async () => newId());
        return this.#wait(result, () => ask({ elicitationId: result, isNew, isOpen: isLive }));
      }),
    );
  }

  /** Returns the recorded result of a step, or of the input to a question's id. */
  async #recorded<Result>(
    { kind, name, shape, hasKey }: TurnOperation,
    key: string,
    run: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly isNew: boolean }> {
    const recordKey: RecordKey = [this.#path, kind, key];
    const known = this.run.known(recordKey, name);
    const details = { name, shape: digest(shape), hasKey, input: this.#input, parent: this.#parent };
    const text = known ?? (await this.busy(() => this.run.record(recordKey, details, run)));
    const outcome: Outcome<Result> = readOutcome(text);
    return { result: valueOf(outcome), isNew: known === undefined };
  }

  async #wait<Result>(elicitationId: string, run: () => Promise<Result>): Promise<Result> {
    this.#waits.add(elicitationId);
    this.run.changed();
    let result: Result;
    try {
      result = await run();
    } finally {
      this.#waits.delete(elicitationId);
      this.run.changed();
    }
    return this.run.afterWait(result);
  }

  /** Runs the rest of a call in the background. */
  async background<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#background += 1;
    this.run.changed();
    try {
      return await work();
    } finally {
      this.#background -= 1;
      this.run.changed();
    }
  }

  /** Runs `wait`, in which the scope waits for what runs in the background. */
  async untilAnswered<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#isAwaiting = true;
    this.run.changed();
    try {
      return await wait();
    } finally {
      this.#isAwaiting = false;
      this.run.changed();
    }
  }

  /** Counts `run` as work, so that the turn is not parked meanwhile. */
  async busy<Result>(run: () => Promise<Result>): Promise<Result> {
    const end = this.#begin();
    try {
      return await run();
    } finally {
      end();
    }
  }

  readonly models: ModelRecorder = {
    begin: (kind, options): ModelCall => {
      const shape = digest(writeRecordable({ value: [kind, options] }, kind));
      const call = this.#models.begin(shape);
      const key: RecordKey = [this.#path, "model", call.number];
      const known = this.run.known(key, kind);
      // If a tool was removed, its call does not run again. The agent would continue without the result of that call. Of
      // calls at once, one may begin before the tools of another.
      if (kind === "stream" && this.#path === "" && !this.#models.isParallel) {
        this.run.ensureClaimed(call.number);
      }
      if (known !== undefined) {
        const past: Outcome = readOutcome(known);
        return { known: { value: valueOf(past) }, record: async () => {}, fail() {} };
      }
      const end = this.#begin();
      return {
        known: undefined,
        record: async (value) => {
          const details = { name: kind, shape, isBeside: call.isBeside, parent: this.#parent };
          const text = await this.run.record(key, details, async () => value);
          call.end();
          end();
          const recorded: Outcome = readOutcome(text);
          valueOf(recorded);
        },
        fail: () => {
          call.free();
          end();
        },
      };
    },
  };

  #begin(): () => void {
    this.#work += 1;
    this.run.changed();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#work -= 1;
      this.run.changed();
    };
  }
}
