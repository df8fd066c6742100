import { CODE_CHANGED, TURN_FAILED, never } from "../../src/runtime/internal.ts";
import type { Clock } from "../../src/base/clock.ts";
import { sleep } from "../../src/base/deadlines.ts";
import { isStoreAway } from "../../src/base/foreign-error.ts";
import { CallKeys, type RecordedOperation } from "./call-keys.ts";
import { CallScope, type ScopedRun } from "./call-scope.ts";
import type { RecordedCall } from "./model-numbers.ts";
import type { RecordDetails, RecordKey } from "./record-key.ts";
import { digest, outcomeOf, writeRecordable } from "./recorded-values.ts";
import type { Parking } from "./parking.ts";
import { recordStop, stopIn } from "./recorded-stop.ts";
import type { ClaimedTurn, RecordStep, RecordedStep, TurnConduct } from "./engine.ts";
import { KitError } from "../../src/contract/kit-error.ts";

/** The pauses between the tries to record a result, in milliseconds. */
const PAUSES_MS = [100, 500, 2000];

/** What a run needs from the engine. */
export interface TurnRunOptions {
  readonly turn: ClaimedTurn;
  /** Ends the turn. */
  readonly stop: AbortSignal;
  readonly record: RecordStep;
  /** The steps of earlier runs. */
  readonly past: readonly RecordedStep[];
  /** Whether the turn still belongs to this run. */
  readonly check: () => Promise<boolean>;
  readonly parking: Pick<Parking, "waitsFor" | "pending" | "hasJustParked">;
  /** Called when the turn begins to wait or to work, and after it recorded something. */
  readonly note: (what: TurnConduct) => void;
  /** Runs the parked turn again at once. */
  readonly wake: () => void;
  /** Ends this run after an error that may pass. The turn runs again later. */
  readonly leave: (error: unknown) => void;
  readonly clock: Clock;
  /** Ends the turn: its code has changed since an earlier run, or a result cannot be recorded. `words` is for the user. */
  readonly onFailed: (error: unknown, words: string) => void;
}

/** One run of a turn in this process: what was recorded before, and what it does now. */
export class TurnRun implements ScopedRun {
  readonly root: CallScope;
  readonly #options: TurnRunOptions;
  readonly #past = new Map<string, { readonly name: string; readonly text: string }>();
  /** The steps and questions of earlier runs, by tool call. */
  readonly #operations = new Map<string, RecordedOperation[]>();
  /** The digests of the inputs of tool calls in earlier runs. */
  readonly #inputs = new Map<string, string>();
  /**
   * Calls that the turn itself made in an earlier run and not yet in this one, with the positions of their first records.
   */
  readonly #unclaimed = new Map<string, number>();
  /** The model calls of earlier runs, by tool call and number. */
  readonly #models = new Map<string, Map<number, RecordedCall & { readonly place: number }>>();
  /** Steps that have begun and are not recorded yet. */
  readonly #active = new Set<Promise<unknown>>();
  #holds = 0;
  /** Resolves when the stop of the turn is recorded. */
  #stopped: Promise<void> | undefined;
  /** What has changed in the code of the turn. The turn is about to end because of it. */
  #change: KitError | undefined;

  constructor(options: TurnRunOptions) {
    this.#options = options;
    for (const [place, { name, text }] of options.past.entries()) {
      const [path, kind, key, details]: [...RecordKey, RecordDetails] = JSON.parse(name);
      this.#past.set(JSON.stringify([path, kind, key]), { name: details.name, text });
      const isOfTurn = path !== "" && details.parent === undefined;
      if (isOfTurn && !this.#unclaimed.has(path)) this.#unclaimed.set(path, place);
      if (kind === "model") {
        const { shape = "", isBeside = false } = details;
        const calls = this.#models.get(path) ?? new Map();
        this.#models.set(path, calls.set(key, { number: Number(key), shape, isBeside, place }));
      }
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

  /** The number of recorded streams of the turn's model, without those of its tools. */
  get modelStreams(): number {
    const calls = this.modelCallsOf("").map(({ number }) => JSON.stringify(["", "model", number]));
    return calls.filter((key) => this.#past.get(key)?.name === "stream").length;
  }

  /** Resolves when no step is running. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#active);
  }

  /** Keeps the turn from being parked until `work` has ended. Never resolves if the turn was parked just before. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#holds += 1;
    this.changed();
    try {
      const pending = this.#options.parking.pending();
      if (pending !== undefined) {
        await pending;
        if (this.turn.signals.letGo.aborted) return await this.wakeIfJustParked();
      }
      return await work();
    } finally {
      this.#holds -= 1;
      this.changed();
    }
  }

  /**
   * Call it for work that begins when the turn has left this process. If the turn was parked just before, nothing else would
   * wake it for the answer that the work follows. Never resolves.
   */
  wakeIfJustParked(): Promise<never> {
    if (this.#options.parking.hasJustParked()) this.#options.wake();
    return never();
  }

  /** Called when something begins or ends. */
  changed(): void {
    const { isWaiting } = this.root;
    const waits = isWaiting ? this.root.waits : [];
    this.#options.note({ waits: waits.length });
    this.#options.parking.waitsFor(this.#holds === 0 ? waits : []);
  }

  /** Returns the result that an earlier run recorded. */
  known([path, kind, key]: RecordKey, name: string): string | undefined {
    if (kind === "tool") this.#unclaimed.delete(path);
    const past = this.#past.get(JSON.stringify([path, kind, key]));
    if (past === undefined || past.name === name) return past?.text;
    this.#differs(`did "${past.name}" before its process ended, and now does "${name}"`);
    return undefined;
  }

  /** Ends the turn if one of its calls was a call of another tool in an earlier run, or had another input. */
  ensureSameInput(path: string, name: string, input: string): void {
    const past = this.#inputs.get(path);
    if (past === undefined || past === input) return;
    this.#differs(
      `calls "${name}" where it called another tool before, or gave it another input (a default that changes, such as a time, does this as well)`,
    );
  }

  /** Ends the turn if it makes its nth model call without an earlier tool call, for example of a removed tool. */
  ensureClaimed(number: number): void {
    const here = this.#models.get("")?.get(number)?.place ?? Number.POSITIVE_INFINITY;
    const isMissing = [...this.#unclaimed.values()].some((place) => place < here);
    if (isMissing) this.#differs("does not repeat a tool call of an earlier run");
  }

  /** The model calls that earlier runs have recorded in a scope. */
  modelCallsOf(path: string): readonly RecordedCall[] {
    return [...(this.#models.get(path)?.values() ?? [])];
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

  /** Ends the turn. Does nothing while the turn is being stopped, because it may then run other code. */
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
    this.#options.onFailed(change, CODE_CHANGED);
  }

  /** Runs `work` and records how it ended. Never resolves if another process has taken over the turn. */
  async record(key: RecordKey, details: RecordDetails, work: () => Promise<unknown>): Promise<string> {
    // The next run must end the turn as well, so it must not find later results of calls. The end of the turn itself is
    // recorded.
    const isOfTurn = key[0] === "" && key[1] === "step";
    if (this.#change !== undefined && !isOfTurn) throw this.#change;
    // The work is done once in this run, however often its record is tried.
    let done: Promise<string> | undefined;
    const name = JSON.stringify([...key, details]);
    const recording = this.#afterStop(() =>
      this.#recorded(name, () => (done ??= this.#outcome(work, details.name))),
    );
    this.#active.add(recording);
    try {
      const text = await recording;
      this.#options.note("recorded");
      return text;
    } finally {
      this.#active.delete(recording);
    }
  }

  async #outcome(work: () => Promise<unknown>, name: string): Promise<string> {
    const outcome = await outcomeOf(work);
    if (!("error" in outcome)) return writeRecordable(outcome, name);
    // The step failed because the turn leaves this process. Another process runs it again.
    if (this.turn.signals.letGo.aborted) return never();
    if (isStoreAway(outcome.error)) return this.#leave(outcome.error);
    return writeRecordable(outcome, name);
  }

  /** Never rejects: an error here is one of the engine, and not of the tool. */
  async #recorded(name: string, work: () => Promise<string>): Promise<string> {
    for (const pause of [...PAUSES_MS, undefined]) {
      try {
        return await this.#options.record(name, work);
      } catch (error) {
        if (this.turn.signals.letGo.aborted || (await this.#isLost())) return never();
        if (!isStoreAway(error)) {
          this.#options.onFailed(error, TURN_FAILED.errorText);
          return never();
        }
        if (pause === undefined) return this.#leave(error);
        await sleep(this.#options.clock, pause);
      }
    }
    return never();
  }

  #leave(error: unknown): Promise<never> {
    this.#options.leave(error);
    return never();
  }

  /** If the claims cannot be read, the turn may still belong to this run. */
  async #isLost(): Promise<boolean> {
    return !(await this.#options.check().catch(() => true));
  }

  /** Runs `work` once a stop of the turn is recorded. */
  #afterStop<Result>(work: () => Promise<Result>): Promise<Result> {
    const { stop, past } = this.#options;
    if (!stop.aborted) return work();
    this.#stopped ??=
      stopIn(past) === undefined
        ? recordStop(stop.reason, (name, text) => this.#recorded(name, text))
        : Promise.resolve();
    return this.#stopped.then(work);
  }

  /**
   * Passes on the result of a wait. Never resolves if another process has taken over the turn. The turn is not parked before
   * what waits for the result continues.
   */
  afterWait<Result>(result: Result): Promise<Result> {
    return this.hold(async () => ((await this.#options.check()) ? result : never()));
  }
}
