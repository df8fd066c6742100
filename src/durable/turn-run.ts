import { createHash } from "node:crypto";
import { newId } from "../base/ids.ts";
import type { AskedQuestion, TurnOperation, TurnRunner } from "../runtime/index.ts";
import { CallKeys, type RecordedOperation, never, stepOperation } from "../runtime/internal.ts";
import { type Outcome, readOutcome, writeRecordable } from "./recorded-values.ts";
import type { ModelCall, ModelRecorder } from "./recorded-model.ts";
import type { Parking } from "./parking.ts";
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

/** Identifies what is recorded: the tool call that did it (empty: the turn), its kind, and its key or number among those. */
type RecordKey = readonly [path: string, kind: "tool" | "step" | "question" | "model", key: string | number];

/** What is recorded besides a result. */
interface RecordDetails {
  readonly name: string;
  /** Of a step or a question: see {@link RecordedOperation}. */
  readonly shape?: string;
  readonly hasKey?: boolean;
  /** Of a step or a question: the digest of what its call of a tool got. */
  readonly input?: string | undefined;
  /** The call that made this call. Absent for calls of the turn itself. */
  readonly parent?: string | undefined;
}

const digest = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);

/** One run of a turn in this process: what was recorded before, and what it does now. */
export class TurnRun {
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
    this.#options.note(isWaiting ? "waits" : "works");
    this.#options.parking.waitsFor(this.#holds === 0 && isWaiting ? this.root.waits : 0);
  }

  /** What an earlier run has recorded. */
  known([path, kind, key]: RecordKey, name: string): string | undefined {
    if (kind === "tool") this.#unclaimed.delete(path);
    const past = this.#past.get(JSON.stringify([path, kind, key]));
    if (past === undefined || past.name === name) return past?.text;
    this.#change(`did "${past.name}" before its process ended, and now does "${name}"`);
    return undefined;
  }

  /** Ends the turn if a call of it was one of another tool in an earlier run, or has got something else. */
  ensureSameInput(path: string, name: string, input: string): void {
    const past = this.#inputs.get(path);
    if (past === undefined || past === input) return;
    this.#change(
      `calls "${name}" where it called another tool before, or gave it another input (a default that changes, such as a time, does this as well)`,
    );
  }

  /** Ends the turn if it calls its model for the nth time without a call of a tool that came before, such as one that is gone. */
  ensureClaimed(number: number): void {
    const here = this.#models.get(number) ?? Number.POSITIVE_INFINITY;
    const isMissing = [...this.#unclaimed.values()].some((place) => place < here);
    if (isMissing) this.#change("does not repeat a tool call of an earlier run");
  }

  /** The keys of a scope, with what earlier runs have recorded in it. */
  keysOf(path: string, parent: CallKeys | undefined): CallKeys {
    const { stop, onChanged } = this.#options;
    const recorded = this.#operations.get(path);
    return new CallKeys({ recorded, parent, digest, isStopped: () => stop.aborted, onChanged });
  }

  /** Ends the turn, unless it is being stopped: it then takes another way through its code. */
  #change(what: string): void {
    if (this.#options.stop.aborted) return;
    const error = new KitError(
      `elicit-kit: a turn that ran again ${what}, so it was ended. Its code or its tools have changed.`,
    );
    this.#options.onChanged(error);
    throw error;
  }

  /** Runs `work` and records how it ended. Stays pending if another process has taken over the turn. */
  async record(key: RecordKey, details: RecordDetails, work: () => Promise<unknown>): Promise<string> {
    const recording = this.#options.record(JSON.stringify([...key, details]), async () => {
      const outcome = await outcomeOf(work);
      // It failed because the turn leaves this process. Another process does it again.
      if ("error" in outcome && this.turn.signals.letGo.aborted) return never();
      return writeRecordable(outcome, details.name);
    });
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

  /** Passes on what a wait has returned. Stays pending if another process has taken over the turn. */
  async afterWait<Result>(result: Result): Promise<Result> {
    return (await this.#options.check()) ? result : never();
  }
}

/** A turn, or one call of a tool in it. Each has its own steps, questions and calls of models. */
export class CallScope {
  readonly run: TurnRun;
  readonly #path: string;
  readonly #input: string | undefined;
  /** The call that made this call. `undefined`: the turn. */
  readonly #parent: string | undefined;
  readonly #keys: CallKeys;
  readonly #calls = new Set<CallScope>();
  #models = 0;
  #waits = 0;
  /** Steps and model calls that are under way. */
  #work = 0;

  /** @param call its path, the digest of its input, and the call that made it */
  constructor(run: TurnRun, { path, input, parent }: { path: string; input?: string; parent?: CallScope }) {
    this.run = run;
    this.#path = path;
    this.#input = input;
    this.#parent = parent === undefined || parent.#path === "" ? undefined : parent.#path;
    this.#keys = run.keysOf(path, parent === undefined ? undefined : parent.#keys);
  }

  /** Whether it only waits for the user. */
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
    { id, name, input }: { readonly id: string; readonly name: string; readonly input?: unknown },
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
    // A call that fails may do so before it asks again.
    if ("value" in outcome) scope.#keys.finish();
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
    return this.#keys.run(
      operation,
      async (begun) => (await this.#recorded(operation, begun.key, run)).result,
    );
  }

  ask<Result>(
    { elicitationId, ...question }: Parameters<TurnRunner["ask"]>[0],
    ask: (asked: AskedQuestion) => Promise<Result>,
  ): Promise<Result> {
    if (elicitationId !== undefined) {
      return this.#keys.beside(() => this.#wait(() => ask({ elicitationId, isNew: true, isOpen() {} })));
    }
    return this.#keys.run(question, async ({ key, isLive }) => {
      const { result, isNew } = await this.#recorded(question, key, async () => newId());
      return this.#wait(() => ask({ elicitationId: result, isNew, isOpen: isLive }));
    });
  }

  /** The recorded result of a step, or of what makes the id of a question. */
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

  async #wait<Result>(run: () => Promise<Result>): Promise<Result> {
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
      const key: RecordKey = [this.#path, "model", this.#models];
      const known = this.run.known(key, kind);
      // A tool that is gone was not called again. The agent would continue without its answer.
      if (kind === "stream" && this.#path === "") this.run.ensureClaimed(this.#models);
      if (known !== undefined) {
        const past: Outcome = readOutcome(known);
        return { known: { value: valueOf(past) }, record: async () => {}, fail() {} };
      }
      const end = this.#begin();
      const details = { name: kind, parent: this.#parent };
      return {
        known: undefined,
        record: async (value) => {
          const recorded: Outcome = readOutcome(await this.run.record(key, details, async () => value));
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
