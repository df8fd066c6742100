import { never } from "../runtime/internal.ts";
import { CallKeys, type RecordedOperation } from "./call-keys.ts";
import { CallScope, type ScopedRun } from "./call-scope.ts";
import type { RecordDetails, RecordKey } from "./record-key.ts";
import { digest, outcomeOf, writeRecordable } from "./recorded-values.ts";
import type { Parking } from "./parking.ts";
import { recordStop, stopIn } from "./recorded-stop.ts";
import type { ClaimedTurn, RecordStep, RecordedStep, TurnConduct } from "./engine.ts";
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
  /** Called when the turn begins to wait or to work, and when it has recorded something. */
  readonly note: (what: TurnConduct) => void;
  /** The code of the turn has changed since an earlier run. */
  readonly onChanged: (error: KitError) => void;
}

/** One run of a turn in this process: what was recorded before, and what it does now. */
export class TurnRun implements ScopedRun {
  readonly root: CallScope;
  readonly #options: TurnRunOptions;
  readonly #past = new Map<string, { readonly name: string; readonly text: string }>();
  /** The steps and questions of earlier runs, by tool call. */
  readonly #operations = new Map<string, RecordedOperation[]>();
  /** The digests of what calls of tools got in earlier runs. */
  readonly #inputs = new Map<string, string>();
  /** Calls that the turn itself made in an earlier run and has not made in this one, with the places of their first records. */
  readonly #unclaimed = new Map<string, number>();
  /** The places of the records of its model, by their numbers. */
  readonly #models = new Map<string | number, number>();
  /** Steps whose effect has begun and is not recorded. */
  readonly #active = new Set<Promise<unknown>>();
  #holds = 0;
  /** Resolves when the stop of the turn is recorded. */
  #stopped: Promise<void> | undefined;
  /** What has changed in the code of the turn. The turn is about to end. */
  #change: KitError | undefined;

  constructor(options: TurnRunOptions) {
    this.#options = options;
    for (const [place, { name, text }] of options.past.entries()) {
      const [path, kind, key, details]: [...RecordKey, RecordDetails] = JSON.parse(name);
      this.#past.set(JSON.stringify([path, kind, key]), { name: details.name, text });
      const isOfTurn = path !== "" && details.parent === undefined;
      if (isOfTurn && !this.#unclaimed.has(path)) this.#unclaimed.set(path, place);
      if (path === "" && kind === "model") this.#models.set(key, place);
      if (kind !== "step" && kind !== "question") continue;
      const { shape = "", hasKey = false, input } = details;
      if (input !== undefined) this.#inputs.set(path, input);
      const operations = this.#operations.get(path) ?? [];
      this.#operations.set(path, [...operations, { kind, key: `${key}`, shape, hasKey }]);
    }
    this.root = new CallScope(this, { path: "" });
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
    const { isWaiting } = this.root;
    const waits = isWaiting ? this.root.waits : 0;
    this.#options.note({ waits });
    this.#options.parking.waitsFor(this.#holds === 0 ? waits : 0);
  }

  /** What an earlier run has recorded. */
  known([path, kind, key]: RecordKey, name: string): string | undefined {
    if (kind === "tool") this.#unclaimed.delete(path);
    const past = this.#past.get(JSON.stringify([path, kind, key]));
    if (past === undefined || past.name === name) return past?.text;
    this.#differs(`did "${past.name}" before its process ended, and now does "${name}"`);
    return undefined;
  }

  /** Ends the turn if a call of it was one of another tool in an earlier run, or has got something else. */
  ensureSameInput(path: string, name: string, input: string): void {
    const past = this.#inputs.get(path);
    if (past === undefined || past === input) return;
    this.#differs(
      `calls "${name}" where it called another tool before, or gave it another input (a default that changes, such as a time, does this as well)`,
    );
  }

  /** Ends the turn if it calls its model for the nth time without a call of a tool that came before, such as one that is gone. */
  ensureClaimed(number: number): void {
    const here = this.#models.get(number) ?? Number.POSITIVE_INFINITY;
    const isMissing = [...this.#unclaimed.values()].some((place) => place < here);
    if (isMissing) this.#differs("does not repeat a tool call of an earlier run");
  }

  /** The keys of a scope, with what earlier runs have recorded in it. */
  keysOf(path: string, parent: CallKeys | undefined): CallKeys {
    const { stop } = this.#options;
    const recorded = this.#operations.get(path);
    return new CallKeys({
      recorded,
      parent,
      digest,
      isStopped: () => stop.aborted,
      onChanged: (error) => this.#end(error),
    });
  }

  /** Ends the turn, unless it is being stopped: it then takes another way through its code. */
  #differs(what: string): void {
    if (this.#options.stop.aborted) return;
    const error = new KitError(
      `elicit-kit: a turn that ran again ${what}, so it was ended. Its code or its tools have changed.`,
    );
    this.#end(error);
    throw error;
  }

  #end(change: KitError): void {
    this.#change ??= change;
    this.#options.onChanged(change);
  }

  /** Runs `work` and records how it ended. Stays pending if another process has taken over the turn. */
  async record(key: RecordKey, details: RecordDetails, work: () => Promise<unknown>): Promise<string> {
    // Another run must end the turn, too, so it must not find what calls do meanwhile. The end of the turn is recorded.
    const isOfTurn = key[0] === "" && key[1] === "step";
    if (this.#change !== undefined && !isOfTurn) throw this.#change;
    const recording = this.#afterStop(() =>
      this.#options.record(JSON.stringify([...key, details]), async () => {
        const outcome = await outcomeOf(work);
        // It failed because the turn leaves this process. Another process does it again.
        if ("error" in outcome && this.turn.signals.letGo.aborted) return never();
        return writeRecordable(outcome, details.name);
      }),
    );
    this.#active.add(recording);
    try {
      const text = await recording;
      this.#options.note("recorded");
      return text;
    } catch (error) {
      if (this.turn.signals.letGo.aborted || !(await this.#options.check())) return never();
      throw error;
    } finally {
      this.#active.delete(recording);
    }
  }

  /** Does `work`, once a stop of the turn is recorded. */
  #afterStop<Result>(work: () => Promise<Result>): Promise<Result> {
    const { stop, past, record } = this.#options;
    if (!stop.aborted) return work();
    this.#stopped ??= stopIn(past) === undefined ? recordStop(stop.reason, record) : Promise.resolve();
    return this.#stopped.then(work);
  }

  /** Passes on what a wait has returned. Stays pending if another process has taken over the turn. */
  async afterWait<Result>(result: Result): Promise<Result> {
    return (await this.#options.check()) ? result : never();
  }
}
