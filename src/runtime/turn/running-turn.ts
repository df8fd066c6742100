import type { StreamChunk } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { atMost } from "../../base/deadlines.ts";
import { TAKEN_OVER } from "../ports/turn-runner.ts";

/** How long a stop waits for the turn to end, because the user is waiting. */
export const STOP_MS = 10_000;

/** A turn that runs, or is about to run, in this process. */
export class RunningTurn {
  readonly id: string;
  /** Resolves when the turn no longer runs in this process. Never rejects. */
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

  /** The end chunk, if the turn is stopped. */
  get last(): StreamChunk {
    return this.#last;
  }

  /**
   * Withdraws the requests of the turn and aborts it, with `last` as the end chunk of its log. Resolves when the log is
   * closed, or after ten seconds. It does not wait longer for the agent or `onTurnEnd`. Further calls only wait.
   */
  async stop(reason: string, last: StreamChunk = this.#last): Promise<void> {
    if (!this.signal.aborted) {
      this.#last = last;
      this.abort(new DOMException(reason, "AbortError"));
    }
    await atMost(this.#clock, STOP_MS, this.ended);
  }

  /** Stops it in this process only: another process continues the turn. */
  letGo(): void {
    this.abort(TAKEN_OVER);
  }

  /** For the code that runs the turn: aborts remaining work. */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** For the code that runs the turn: call it when all work has ended. */
  end(): void {
    this.#resolveEnded?.();
  }

  /** For the code that runs the turn: returns `false` on the second call. */
  begin(): boolean {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    return isFirst;
  }
}
