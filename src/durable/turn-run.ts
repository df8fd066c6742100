import { never } from "../runtime/internal.ts";
import { type Outcome, readOutcome, writeRecordable } from "./recorded-values.ts";
import type { ModelCall, ModelRecorder } from "./recorded-model.ts";
import type { Parking } from "./parking.ts";
import type { ClaimedTurn, RecordStep, RecordedStep } from "./engine.ts";
import { KitError } from "../contract/kit-error.ts";

/** What a run needs of the engine. */
export interface TurnRunOptions {
  readonly turn: ClaimedTurn;
  /** Ends the turn. */
  readonly stop: AbortSignal;
  readonly record: RecordStep;
  /** The steps of earlier runs. */
  readonly past: readonly RecordedStep[];
  /** Whether the turn is still this run's. */
  readonly check: () => Promise<boolean>;
  readonly parking: Pick<Parking, "waitsFor" | "pending">;
  /** The code of the turn has changed since an earlier run. */
  readonly onChanged: () => void;
}

/** Identifies a step of a turn: the tool call that made it (empty: the turn), its kind, and its number among those. */
type StepKey = readonly [path: string, kind: "tool" | "step" | "model", number: number];

/** One run of a turn in this process: what was recorded before, and what it does now. */
export class TurnRun {
  readonly root: CallScope;
  readonly #options: TurnRunOptions;
  readonly #past = new Map<string, { readonly name: string; readonly text: string }>();
  /** Steps whose effect has begun and is not recorded. */
  readonly #active = new Set<Promise<unknown>>();
  #holds = 0;

  constructor(options: TurnRunOptions) {
    this.#options = options;
    this.root = new CallScope(this, "");
    for (const { name, text } of options.past) {
      const [path, kind, number, label]: [...StepKey, string] = JSON.parse(name);
      this.#past.set(JSON.stringify([path, kind, number]), { name: label, text });
    }
  }

  get turn(): ClaimedTurn {
    return this.#options.turn;
  }

  /** How many streams of its model are recorded, not counting those of its tools. */
  get modelStreams(): number {
    let streams = 0;
    for (let number = 1; ; number += 1) {
      const call = this.#past.get(JSON.stringify(["", "model", number]));
      if (call === undefined) return streams;
      if (call.name === "stream") streams += 1;
    }
  }

  /** Resolves when no effect of a step is under way. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#active);
  }

  /** Keeps the turn from being parked until `work` has ended. Stays pending if the turn was parked just before. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#holds += 1;
    this.changed();
    try {
      const pending = this.#options.parking.pending();
      if (pending !== undefined) {
        await pending;
        if (this.turn.signals.letGo.aborted) return await never();
      }
      return await work();
    } finally {
      this.#holds -= 1;
      this.changed();
    }
  }

  /** Called when something begins or ends. */
  changed(): void {
    this.#options.parking.waitsFor(this.#holds === 0 && this.root.isWaiting ? this.root.waits : 0);
  }

  /** What an earlier run has recorded. */
  known([path, kind, number]: StepKey, name: string): string | undefined {
    const past = this.#past.get(JSON.stringify([path, kind, number]));
    if (past === undefined) return undefined;
    if (past.name === name) return past.text;
    // A turn that is being stopped takes another way through its code.
    if (this.#options.stop.aborted) return undefined;
    this.#options.onChanged();
    throw new KitError(
      `elicit-kit: a turn did "${past.name}" before its process ended, and now does "${name}".`,
    );
  }

  /** Runs `work` and records how it ended. Stays pending if another process has taken over the turn. */
  async record(key: StepKey, name: string, work: () => Promise<unknown>): Promise<string> {
    const recording = this.#options.record(JSON.stringify([...key, name]), async () => {
      const outcome = await outcomeOf(work);
      // It failed because the turn leaves this process. Another process does it again.
      if ("error" in outcome && this.turn.signals.letGo.aborted) return never();
      return writeRecordable(outcome, name);
    });
    this.#active.add(recording);
    try {
      return await recording;
    } catch (error) {
      if (this.turn.signals.letGo.aborted || !(await this.#options.check())) return never();
      throw error;
    } finally {
      this.#active.delete(recording);
    }
  }

  /** Passes on what a wait has returned. Stays pending if another process has taken over the turn. */
  async afterWait<Result>(result: Result): Promise<Result> {
    return (await this.#options.check()) ? result : never();
  }
}

/** A turn, or one call of a tool in it. Each numbers its own steps. */
export class CallScope {
  readonly run: TurnRun;
  readonly #path: string;
  readonly #calls = new Set<CallScope>();
  #steps = 0;
  #models = 0;
  #waits = 0;
  /** Steps and model calls that are under way. */
  #work = 0;

  constructor(run: TurnRun, path: string) {
    this.run = run;
    this.#path = path;
  }

  /** Whether it does nothing but wait for the user. */
  get isWaiting(): boolean {
    if (this.#work > 0 || (this.#waits === 0 && this.#calls.size === 0)) return false;
    return [...this.#calls].every((call) => call.isWaiting);
  }

  /** How many answers it waits for, with its tool calls. */
  get waits(): number {
    return [...this.#calls].reduce((sum, call) => sum + call.waits, this.#waits);
  }

  /** Runs one call of a tool in a scope of its own. */
  async call<Result>(
    { id, name }: { readonly id: string; readonly name: string },
    run: (scope: CallScope) => Promise<Result>,
  ): Promise<Result> {
    const key: StepKey = [id, "tool", 0];
    const known = this.run.known(key, name);
    if (known !== undefined) {
      const past: Outcome<Result> = readOutcome(known);
      return valueOf(past);
    }
    const scope = new CallScope(this.run, id);
    this.#calls.add(scope);
    this.run.changed();
    let outcome: Outcome<Result>;
    try {
      outcome = await outcomeOf(() => run(scope));
    } finally {
      this.#calls.delete(scope);
      this.run.changed();
    }
    const recorded: Outcome<Result> = readOutcome(
      await this.busy(() => this.run.record(key, name, async () => valueOf(outcome))),
    );
    return valueOf(recorded);
  }

  async step<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    this.#steps += 1;
    const key: StepKey = [this.#path, "step", this.#steps];
    const text = this.run.known(key, name) ?? (await this.busy(() => this.run.record(key, name, run)));
    const outcome: Outcome<Result> = readOutcome(text);
    return valueOf(outcome);
  }

  async wait<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#waits += 1;
    this.run.changed();
    let result: Result;
    try {
      result = await run();
    } finally {
      this.#waits -= 1;
      this.run.changed();
    }
    return this.run.afterWait(result);
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
    begin: (kind): ModelCall => {
      this.#models += 1;
      const key: StepKey = [this.#path, "model", this.#models];
      const known = this.run.known(key, kind);
      if (known !== undefined) {
        const past: Outcome = readOutcome(known);
        return { known: { value: valueOf(past) }, record: async () => {}, fail() {} };
      }
      const end = this.#begin();
      return {
        known: undefined,
        record: async (value) => {
          const recorded: Outcome = readOutcome(await this.run.record(key, kind, async () => value));
          end();
          valueOf(recorded);
        },
        fail: () => {
          this.#models -= 1;
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

async function outcomeOf<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

function valueOf<Result>(outcome: Outcome<Result>): Result {
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
