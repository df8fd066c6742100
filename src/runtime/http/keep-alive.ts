import { type Clock, systemClock } from "../../base/clock.ts";

/** A server-sent comment. Clients ignore it. */
export const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n\n");

export interface Silence {
  /** Something was written. */
  spoke(): void;
  stop(): void;
}

/**
 * Calls `onSilence` whenever nothing was written for `everyMs` milliseconds. The timer checks the time of the last write
 * when it fires, because resetting it at every write would cost more than the write.
 */
export function watchSilence(onSilence: () => void, options: { clock: Clock; everyMs: number }): Silence {
  const { clock, everyMs } = options;
  let spokenAt = clock.now();
  let cancel = clock.after(everyMs, look);

  function look(): void {
    const silentMs = clock.now() - spokenAt;
    // Negative after the clock was set back. The length of the silence is then unknown, and a comment is harmless.
    if (silentMs >= 0 && silentMs < everyMs) {
      cancel = clock.after(everyMs - silentMs, look);
      return;
    }
    onSilence();
    spokenAt = clock.now();
    cancel = clock.after(everyMs, look);
  }

  return {
    spoke() {
      spokenAt = clock.now();
    },
    stop: () => cancel(),
  };
}

/** Options of {@link keepAlive}. */
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
 * Returns the same event stream with a comment after every 15 seconds of silence. Use it in your own route if a turn may
 * wait for the user: load balancers close silent connections after 50 to 300 seconds. The runtime's own routes do it
 * already.
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
          // A slow client still has unread data, so it needs no comment.
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
