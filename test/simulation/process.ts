import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../src/base/clock.ts";
import { StoreAway } from "../../src/base/foreign-error.ts";
import { createEventBus } from "../../src/base/event-bus.ts";
import type { World } from "./world.ts";

/** How long a statement is tried again when the database cannot be reached, in milliseconds. */
const RETRY_FOR_MS = 15_000;
const SWEEP_MS = 2000;
/** A statement without a reply is given up after this time, and arrives at most this late. */
const REPLY_MS = 5000;
const LATEST_MS = 12_000;
/** The shortest time between two sweeps, as a fraction of the usual one. */
const SHORTEST = 0.75;
/** A process that is gone for less than this is missed by at most one sweep. */
export const RECONNECT_MS = SHORTEST * SWEEP_MS;

/** A process without its lock and without a connection is taken for dead after this time, if a turn of it is answered. */
export const GRACE_MS = 250;

/** How long messages take. */
export interface Pace {
  /** The usual time of one way to the database, in milliseconds. */
  readonly usualMs: number;
  /** The probability that a message takes up to `slowMs`. */
  readonly slow: number;
  readonly slowMs: number;
  /** The probability that a notification arrives twice. */
  readonly twice: number;
  /** The probability that a statement is given up, is sent again, and then arrives nevertheless. */
  readonly late: number;
}

class Unreachable extends StoreAway {
  constructor() {
    super("elicit-kit: the database cannot be reached");
  }
}

/** A process of the application. Faults make it die, freeze or lose its connection. */
export class SimulatedProcess {
  readonly key: string;
  /** The version of the application's tools. */
  readonly version: number;
  readonly clock: Clock;
  /** Turns that the process has created but does not run yet. */
  readonly planned = new Set<string>();
  isDead = false;
  /** Whether it cannot reach the database. */
  isCut = false;
  /** The probability that the database refuses a statement, for a reason that may pass. */
  refused = 0;
  /** Whether its code is frozen. Messages wait until it runs again. */
  #isFrozen = false;
  readonly #world: World;
  readonly #pace: Pace;
  readonly #held: (() => void)[] = [];
  readonly #bus = createEventBus<undefined>();
  readonly #sweeps: (() => Promise<void>)[] = [];
  readonly #reconnects: (() => void)[] = [];
  #cancelSweep = () => {};
  #sweeping: Promise<void> | undefined;

  constructor(world: World, { key, version, pace }: { key: string; version: number; pace: Pace }) {
    this.key = key;
    this.version = version;
    this.#world = world;
    this.#pace = pace;
    this.clock = {
      now: () => world.now,
      after: (ms, callback) => {
        const inContext = AsyncLocalStorage.snapshot();
        let isCancelled = false;
        const cancel = world.after(ms, () =>
          this.deliver(() => {
            if (!isCancelled) inContext(callback);
          }),
        );
        return () => {
          isCancelled = true;
          cancel();
        };
      },
    };
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  /** Runs code in this process, as soon as it can. */
  deliver(run: () => void): void {
    if (this.isDead) return;
    if (this.#isFrozen) this.#held.push(run);
    else run();
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const run of this.#held.splice(0)) this.#world.after(this.#delay(), () => this.deliver(run));
  }

  /**
   * Runs a statement in the database, atomically. If its reply is lost, it runs again, unless a mark shows the database
   * that it has run.
   */
  call<Result>(statement: () => Result, { isMarked = false } = {}): Promise<Result> {
    const world = this.#world;
    const begun = world.now;
    let first: { readonly result: Result } | undefined;
    return new Promise((resolve, reject) => {
      const again = () => {
        if (world.now - begun > RETRY_FOR_MS) this.deliver(() => reject(new Unreachable()));
        else world.after(world.random.between(50, 1000), () => this.deliver(attempt));
      };
      const attempt = () => {
        if (world.random.chance(this.#pace.late)) {
          world.after(world.random.between(0, LATEST_MS), () => runLate());
          world.after(REPLY_MS, again);
          return;
        }
        // A process that dies may have sent its last statements.
        const isSent = !this.isCut;
        world.after(this.#delay(), () => {
          if (!isSent || this.isCut) {
            again();
            return;
          }
          if (this.isDead && world.random.chance(0.5)) return;
          if (world.random.chance(this.refused)) {
            if (world.random.chance(0.5)) again();
            else this.deliver(() => reject(new Unreachable()));
            return;
          }
          try {
            const result = first !== undefined && isMarked ? first.result : statement();
            first = { result };
          } catch (error) {
            world.after(this.#delay(), () => this.deliver(() => reject(error)));
            return;
          }
          const { result } = first;
          world.after(this.#delay(), () => {
            if (this.isCut) again();
            else this.deliver(() => resolve(result));
          });
        });
      };
      const runLate = () => {
        if (first !== undefined && isMarked) return;
        try {
          first = { result: statement() };
        } catch {
          // Nobody waits for the reply.
        }
      };
      if (!this.isDead) attempt();
    });
  }

  /** Calls `listener` for each notification about `id`. */
  on(topic: string, id: string, listener: () => void): () => void {
    return this.#bus.subscribe(`${topic} ${id}`, listener);
  }

  onSweep(listener: () => Promise<void>): void {
    this.#sweeps.push(listener);
  }

  onReconnect(listener: () => void): void {
    this.#reconnects.push(listener);
  }

  /** Notifications are lost without a connection, and may otherwise be late or repeated. */
  notify(topic: string, id: string): void {
    const times = this.#world.random.chance(this.#pace.twice) ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      this.#world.after(this.#delay(), () => {
        if (!this.isCut) this.deliver(() => this.#bus.publish(`${topic} ${id}`, undefined));
      });
    }
  }

  reconnected(): void {
    this.deliver(() => {
      for (const listener of this.#reconnects) listener();
      this.#cancelSweep();
      void this.#sweep().finally(() => this.start());
    });
  }

  start(): void {
    this.#cancelSweep();
    this.#cancelSweep = this.clock.after(
      SWEEP_MS * this.#world.random.between(SHORTEST, 2 - SHORTEST),
      () => {
        void this.#sweep().finally(() => this.start());
      },
    );
  }

  /** Runs one sweep at a time. A call during a sweep gets the result of that sweep. */
  #sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepAll().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #sweepAll(): Promise<void> {
    if (this.isCut) return;
    // A failing sweep is repeated.
    await Promise.all(this.#sweeps.map((run) => run().catch(() => {})));
  }

  #delay(): number {
    const { usualMs, slow, slowMs } = this.#pace;
    const { random } = this.#world;
    return random.chance(slow) ? random.between(0, slowMs) : random.between(0, 2 * usualMs);
  }
}
