import type { Clock } from "../ports.ts";
import { systemClock } from "../shared/clock.ts";

/** A server-sent comment: clients skip it. */
export const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n\n");

export interface Silence {
  /** Something was written. */
  spoke(): void;
  stop(): void;
}

/**
 * Calls `onSilence` whenever nothing was written for `everyMs` milliseconds. One timer, which looks when it rings: a
 * timer put off at every write would cost more than the write.
 */
export function watchSilence(onSilence: () => void, options: { clock: Clock; everyMs: number }): Silence {
  const { clock, everyMs } = options;
  let spokenAt = clock.now();
  let callOff = clock.after(everyMs, look);

  function look(): void {
    const silentMs = clock.now() - spokenAt;
    // Below zero the machine's clock was set back: nothing is known then, and a comment does no harm.
    if (silentMs >= 0 && silentMs < everyMs) {
      callOff = clock.after(everyMs - silentMs, look);
      return;
    }
    onSilence();
    spokenAt = clock.now();
    callOff = clock.after(everyMs, look);
  }

  return {
    spoke() {
      spokenAt = clock.now();
    },
    stop: () => callOff(),
  };
}

/** How often {@link keepAlive} writes. */
export interface KeepAliveOptions {
  /**
   * Milliseconds of silence after which a comment is written.
   * @default 15_000
   */
  everyMs?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/**
 * The same event stream, with a comment whenever it was silent for 15 seconds. For a route of your own that waits for a
 * person: load balancers close silent connections after 50 to 300 seconds. The runtime's own routes do this already.
 */
export function keepAlive(response: Response, options: KeepAliveOptions = {}): Response {
  const { everyMs = 15_000, clock = systemClock } = options;
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let isBetweenEvents = true;
  let silence: Silence | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      silence = watchSilence(
        () => {
          // A client that reads too slowly has enough to read.
          if (isBetweenEvents && (controller.desiredSize ?? 0) > 0) controller.enqueue(KEEP_ALIVE);
        },
        { clock, everyMs },
      );
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          isBetweenEvents = endsWithBlankLine(value);
          silence?.spoke();
          controller.enqueue(value);
          return;
        }
        silence?.stop();
        controller.close();
      } catch (error) {
        silence?.stop();
        controller.error(error);
      }
    },
    cancel(reason) {
      silence?.stop();
      return reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

const LINE_FEED = 10;

function endsWithBlankLine(bytes: Uint8Array): boolean {
  return bytes.at(-1) === LINE_FEED && bytes.at(-2) === LINE_FEED;
}
