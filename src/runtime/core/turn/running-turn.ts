import type { Clock, StreamChunk } from "../ports.ts";
import { atMost } from "../shared/clock.ts";
import { LET_GO } from "../shared/let-go.ts";

/** How long a stop waits for the end of what it stops. A person is waiting for it. */
export const STOP_MS = 10_000;

/** A turn that runs, or is about to run, in this process. */
export class RunningTurn {
  readonly id: string;
  /** Resolves when nothing of the turn runs here any more. Never rejects. */
  readonly ended: Promise<void>;
  readonly #abort = new AbortController();
  readonly #clock: Clock;
  #last: StreamChunk = { type: "abort" };
  #hasBegun = false;
  #resolveEnded: (() => void) | undefined;

  constructor(id: string, clock: Clock) {
    this.id = id;
    this.#clock = clock;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The last chunk, when it is stopped. */
  get last(): StreamChunk {
    return this.#last;
  }

  /**
   * Withdraws what the turn asks, aborts it, and resolves when its log is closed, or after ten seconds: what the agent
   * or the keeper of history does then is not waited for. The log's last chunk is `last`. Once; later calls wait too.
   */
  stop(reason: string, last: StreamChunk = this.#last): Promise<void> {
    if (!this.signal.aborted) {
      this.#last = last;
      this.abort(new DOMException(reason, "AbortError"));
    }
    return atMost(this.#clock, STOP_MS, this.ended);
  }

  /** Stops it here, and here only: another process goes on with it. */
  letGo(): void {
    this.abort(LET_GO);
  }

  /** For who runs it: aborts what still runs. */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** For who runs it: nothing runs any more. */
  end(): void {
    this.#resolveEnded?.();
  }

  /** For who runs it: `false` the second time. */
  begin(): boolean {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    return isFirst;
  }
}
