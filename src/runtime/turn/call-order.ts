import { ElicitorError, KitError } from "../../contract/kit-error.ts";
import type { TurnOperation } from "../ports/index.ts";
import { nextTask } from "../../base/deadlines.ts";

interface Running {
  /** The number among equal operations. */
  readonly number: number;
  /** The operations that run at the same time. */
  readonly beside: Set<Running>;
  /** Whether one of those has ended. Operations that begin from now on may depend on it. */
  isRaced: boolean;
}

/**
 * Numbers the equal operations of one turn, or of one call of a tool. An operation gets a number only if its order among
 * them is certain. Otherwise, two answers or two bookings could be swapped when the turn runs again. The same rule
 * applies in memory, where turns run only once, so that developers notice the problem early.
 */
export class CallOrder {
  readonly #running = new Set<Running>();
  readonly #latest = new Map<string, Running>();

  /** The number of the next operation among equal ones, from 1. Throws if it needs a key. */
  numberOf(operation: TurnOperation): number {
    const before = this.#latest.get(operation.identity);
    if (before !== undefined && (this.#running.has(before) || before.isRaced)) throw needsKey(operation);
    return (before?.number ?? 0) + 1;
  }

  /** Begins an operation, or other work if it has no `identity`. Returns the function that ends it. */
  start(identity?: string, number = 0): () => void {
    const running = this.#begin(identity, number);
    return () => this.#end(running);
  }

  #begin(identity: string | undefined, number: number): Running {
    const running: Running = { number, beside: new Set(this.#running), isRaced: false };
    for (const other of running.beside) other.beside.add(running);
    this.#running.add(running);
    if (identity !== undefined) this.#latest.set(identity, running);
    return running;
  }

  #end(running: Running): void {
    this.#running.delete(running);
    for (const other of running.beside) other.isRaced = true;
    running.beside.clear();
  }

  /** Runs an operation. Call it as soon as the application asks for the operation: the order counts. */
  async run<Result>(operation: TurnOperation, work: () => Promise<Result>): Promise<Result> {
    const running = this.#begin(operation.identity, this.numberOf(operation));
    try {
      return await work();
    } finally {
      // Operations that depend on one that ran beside this one begin now, before this one ends. If none did, the tool
      // continues at once.
      if (running.beside.size > 0) await nextTask();
      this.#end(running);
    }
  }

  /** Runs `work`, which has its own id, in parallel with the operations of this call. */
  async beside<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = this.start();
    try {
      return await work();
    } finally {
      end();
    }
  }
}

/** Identifies a step in two runs of a turn: by its name, and by its key if it has one. */
export function stepOperation(name: string, key: string | undefined): TurnOperation {
  const identity = JSON.stringify(key === undefined ? [name] : [name, key]);
  return { kind: "step", name, identity, shape: "", hasKey: key !== undefined };
}

function needsKey({ kind, name }: TurnOperation): KitError {
  if (kind === "step") {
    return new KitError(
      `elicit-kit: a tool call or turn makes the step "${name}" more than once, and other work runs beside it, so the order of these steps is not certain. Their results could be exchanged when the turn runs again. Give each a key of its own: step("${name}", run, { key }).`,
    );
  }
  return new ElicitorError(
    `elicit-kit: a call of "${name}" asks the same question more than once, and other work runs beside it, so the order of these questions is not certain. Their answers could be exchanged when the turn runs again. Give each a key of its own, such as form(message, schema, { key }), or ask them one after another.`,
  );
}
