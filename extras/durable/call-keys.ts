import { KitError } from "../../src/contract/kit-error.ts";
import { nextTask } from "../../src/base/deadlines.ts";
import { type TurnOperation, CallOrder } from "../../src/runtime/internal.ts";

/** An operation that an earlier run of the turn has recorded. */
export interface RecordedOperation extends Pick<TurnOperation, "kind" | "shape" | "hasKey"> {
  readonly key: string;
}

/** An operation that has begun. */
export interface BegunOperation {
  /** Identifies the operation within its call. It stays the same when the turn runs again. */
  readonly key: string;
  /** Call it when the operation waits for something that no earlier run got, such as an answer. */
  isLive(): void;
}

export interface CallKeysOptions {
  /** The operations that earlier runs recorded, in the order in which they began. */
  readonly recorded?: readonly RecordedOperation[] | undefined;
  /** The keys of the call or turn that made this call. */
  readonly parent?: CallKeys | undefined;
  /** Shortens the text that a key is made of. @default unchanged */
  readonly digest?: ((text: string) => string) | undefined;
  /** Whether the turn is being stopped. A stopping turn may run other code than before. */
  readonly isStopped?: (() => boolean) | undefined;
  /** Ends the turn: its code has changed since an earlier run. */
  readonly onChanged?: ((error: KitError, missing: readonly RecordedOperation[]) => void) | undefined;
}

interface Running extends TurnOperation {
  readonly key: string;
  readonly end: () => void;
  isReplaying: boolean;
}

interface Held {
  readonly operation: Running;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Gives the operations of one turn, or of one call of a tool, the keys under which they are recorded. A key consists of a
 * description of the operation and its number among equal operations ({@link CallOrder}).
 */
export class CallKeys {
  readonly #options: CallKeysOptions;
  readonly #recorded: ReadonlyMap<string, { readonly operation: RecordedOperation; readonly place: number }>;
  /** The keys of recorded operations that this run has not begun yet. */
  readonly #unclaimed: Set<string>;
  readonly #order = new CallOrder();
  readonly #held = new Set<Held>();
  /** How many operations of this call, and of the calls that it makes, get their recorded results. */
  #replaying = 0;

  constructor(options: CallKeysOptions = {}) {
    this.#options = options;
    const entries = (options.recorded ?? []).map((operation, place) => ({ operation, place }));
    this.#recorded = new Map(entries.map((entry) => [entry.operation.key, entry]));
    this.#unclaimed = new Set(this.#recorded.keys());
  }

  /**
   * Runs an operation under its key. Call it as soon as the application asks for the operation: the order counts. Throws if
   * the operation needs a key of its own, or if the code has changed since an earlier run.
   */
  async run<Result>(
    operation: TurnOperation,
    work: (begun: BegunOperation) => Promise<Result>,
  ): Promise<Result> {
    const running = this.#begin(operation);
    try {
      if (!this.#isInPlace(running)) await this.#hold(running);
      this.#startReplaying(running);
      const begun = { key: running.key, isLive: () => this.#stopReplaying(running) };
      return await work(begun);
    } finally {
      // Operations that depend on other operations begin now, before this one ends.
      await nextTask();
      this.#stopReplaying(running);
      running.end();
    }
  }

  /** Runs `work`, which is recorded under its own id, in parallel with the operations of this call. */
  beside<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#order.beside(work);
  }

  /** Throws if an earlier run has recorded an operation that this run has not begun. Call it at the end of the call. */
  finish(): void {
    if (this.#unclaimed.size > 0) this.#change();
  }

  #begin(operation: TurnOperation): Running {
    const { kind, identity } = operation;
    const number = this.#order.numberOf(operation);
    const key = this.#digest(JSON.stringify([kind, identity, number]));
    const past = this.#recorded.get(key)?.operation;
    if (past !== undefined && past.shape !== this.#digest(operation.shape)) this.#change(operation);
    const end = this.#order.start(identity, number);
    const running: Running = { ...operation, key, end, isReplaying: false };
    this.#unclaimed.delete(key);
    for (const held of this.#held) {
      if (!this.#isInPlace(held.operation)) continue;
      this.#held.delete(held);
      held.admit();
    }
    return running;
  }

  /** Whether every operation that earlier runs began before this one has begun again. */
  #isInPlace({ hasKey, key }: Running): boolean {
    if (hasKey || this.#isStopped()) return true;
    const place = this.#recorded.get(key)?.place ?? Number.POSITIVE_INFINITY;
    for (const other of this.#unclaimed) {
      const before = this.#recorded.get(other);
      if (before !== undefined && before.place < place && !before.operation.hasKey) return false;
    }
    return true;
  }

  /** Waits for recorded operations that begin at about the same time, such as those of a parallel branch. */
  #hold(operation: Running): Promise<void> {
    return new Promise((admit, refuse) => {
      this.#held.add({ operation, admit, refuse });
      this.#lookForChange();
    });
  }

  #replays(count: 1 | -1): void {
    this.#replaying += count;
    const { parent } = this.#options;
    if (parent !== undefined) parent.#replays(count);
    this.#lookForChange();
  }

  #startReplaying(running: Running): void {
    if (!this.#recorded.has(running.key)) return;
    running.isReplaying = true;
    this.#replays(1);
  }

  #stopReplaying(running: Running): void {
    if (!running.isReplaying) return;
    running.isReplaying = false;
    this.#replays(-1);
  }

  /** If no operation is being replayed any more, no code is left that could begin the missing operations. */
  #lookForChange(): void {
    if (this.#held.size === 0 || this.#replaying > 0) return;
    void nextTask().then(() => (this.#replaying === 0 ? this.#refuseHeld() : undefined));
  }

  #refuseHeld(): void {
    for (const held of this.#held) {
      this.#held.delete(held);
      try {
        this.#change(held.operation);
        held.admit();
      } catch (error) {
        held.refuse(error);
      }
    }
  }

  #isStopped(): boolean {
    return this.#options.isStopped?.() === true;
  }

  #digest(text: string): string {
    return this.#options.digest?.(text) ?? text;
  }

  /** Ends the turn, unless it is being stopped. */
  #change(operation?: TurnOperation): void {
    if (this.#isStopped()) return;
    const missing = [...this.#unclaimed].flatMap((key) => this.#recorded.get(key)?.operation ?? []);
    const error = changedError(missing, operation, (text) => this.#digest(text));
    this.#options.onChanged?.(error, missing);
    throw error;
  }
}

function changedError(
  missing: readonly RecordedOperation[],
  operation: TurnOperation | undefined,
  digest: (text: string) => string,
): KitError {
  const what = operation === undefined ? "" : ` (${operation.kind} of "${operation.name}")`;
  const isReworded =
    operation?.kind === "question" &&
    missing.some(
      ({ kind, hasKey, shape }) => kind === "question" && !hasKey && shape === digest(operation.shape),
    );
  return new KitError(
    isReworded
      ? `elicit-kit: a call of "${operation.name}" words a question differently than before, so its turn was ended. If the message contains a value that changes, such as a time, give the question a key: form(message, schema, { key }). Or get the value in a step: runner.step(name, run).`
      : `elicit-kit: a turn that ran again did not repeat the recorded steps and questions of an earlier run${what}, so it was ended. Its code has changed, or does its work in an order that changes. Steps and questions with a key may change their order.`,
  );
}
