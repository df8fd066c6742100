/** A model call that an earlier run of the turn has recorded. */
export interface RecordedCall {
  readonly number: number;
  /** The digest of the call. */
  readonly shape: string;
  /** Whether other work of its scope ran meanwhile. */
  readonly isBeside: boolean;
}

/** A model call that has begun. */
export interface NumberedCall {
  readonly number: number;
  /** Whether other work of its scope has run since it began. */
  readonly isBeside: boolean;
  end(): void;
  /** Leaves the number to another try of the call. */
  free(): void;
}

/**
 * Gives the model calls of a scope the numbers under which they are recorded. Calls one after the other are known by their
 * number, so their prompts may change. The order of calls at once may change from run to run, so they are known by their
 * digests.
 */
export class ModelNumbers {
  /** The recorded calls that this run has not begun yet, in the order of their numbers. */
  readonly #unclaimed: RecordedCall[];
  readonly #taken: Set<number>;
  readonly #running = new Set<{ isBeside: boolean }>();
  /** How many steps and questions of the scope have begun and not ended. */
  #others = 0;
  #isParallel: boolean;

  constructor(recorded: readonly RecordedCall[]) {
    this.#unclaimed = [...recorded].toSorted((a, b) => a.number - b.number);
    this.#taken = new Set(recorded.map(({ number }) => number));
    this.#isParallel = recorded.some(({ isBeside }) => isBeside);
  }

  /** Whether work of the scope runs beside its model calls, now or in an earlier run. */
  get isParallel(): boolean {
    return this.#isParallel;
  }

  begin(shape: string): NumberedCall {
    const call = { isBeside: this.#running.size > 0 || this.#others > 0 };
    if (call.isBeside) this.#markRunning();
    const past = this.#past(shape);
    const number = past?.number ?? this.#freeNumber();
    this.#taken.add(number);
    this.#running.add(call);
    const end = () => void this.#running.delete(call);
    // The next call of the same branch begins after that, and those of others that begin now do not.
    if (past !== undefined) queueMicrotask(end);
    const isBeside = () => call.isBeside;
    return {
      number,
      get isBeside() {
        return isBeside();
      },
      end,
      free: () => {
        end();
        this.#taken.delete(number);
      },
    };
  }

  /** Runs a step or a question of the scope. */
  async beside<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#others += 1;
    if (this.#running.size > 0) this.#markRunning();
    try {
      return await work();
    } finally {
      this.#others -= 1;
    }
  }

  #markRunning(): void {
    this.#isParallel = true;
    for (const call of this.#running) call.isBeside = true;
  }

  #past(shape: string): RecordedCall | undefined {
    const equal = this.#unclaimed.findIndex((call) => call.shape === shape);
    if (equal !== -1) return this.#unclaimed.splice(equal, 1)[0];
    return this.#isParallel ? undefined : this.#unclaimed.shift();
  }

  #freeNumber(): number {
    for (let number = 1; ; number += 1) if (!this.#taken.has(number)) return number;
  }
}
