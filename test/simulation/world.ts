import type { Random } from "./random.ts";

interface Happening {
  readonly at: number;
  /** Events at the same time happen in the order in which they were scheduled. */
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** The time, and all scheduled events. Nothing happens outside of it: there are no timers, sockets or threads. */
export class World {
  readonly random: Random;
  now = Date.parse("2026-11-20T12:00:00Z");
  #planned = 0;
  /** A binary heap with the next event first. */
  readonly #heap: Happening[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  after(ms: number, run: () => void): () => void {
    this.#planned += 1;
    const one = { at: this.now + Math.max(0, ms), order: this.#planned, run, isCancelled: false };
    this.#push(one);
    return () => {
      one.isCancelled = true;
    };
  }

  /** Runs events, one after another, until `isOver` or for this long. Returns whether it is over. */
  async run(isOver: () => boolean, forMs: number): Promise<boolean> {
    const end = this.now + forMs;
    for (;;) {
      // Runs when no promise can continue: all effects of the last event have happened.
      await new Promise(setImmediate);
      if (isOver()) return true;
      const next = this.#next();
      if (next === undefined || next.at > end) return false;
      this.#pop();
      this.now = next.at;
      next.run();
    }
  }

  #next(): Happening | undefined {
    while (this.#heap[0]?.isCancelled === true) this.#pop();
    return this.#heap[0];
  }

  #push(one: Happening): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(one);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, one)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = one;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      let child = heap[below];
      if (child === undefined) break;
      const other = heap[below + 1];
      if (other !== undefined && isBefore(other, child)) {
        below += 1;
        child = other;
      }
      if (isBefore(last, child)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
  }
}

function isBefore(one: Happening, other: Happening): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
