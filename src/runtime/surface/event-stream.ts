import { keepAlive } from "../http/keep-alive.ts";
import type { Clock } from "../../base/clock.ts";
import { createDeferred } from "../../base/deferred.ts";

/** Writes one event. Resolves when the reader wants the next one, and at once when the reader has left. */
export type WriteEvent<Event> = (event: Event) => Promise<void>;

/**
 * The events that `writer` writes, each when the reader asks for it: a reader that reads nothing holds one event in
 * memory. The writer awaits each `write`, and ends when `signal` aborts. Ending the iteration aborts it, too.
 */
export async function* eventsOf<Event>(
  writer: (write: WriteEvent<Event>, signal: AbortSignal) => Promise<void>,
  left: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  const reading = new AbortController();
  const signal = AbortSignal.any([left, reading.signal]);
  let written = createDeferred<{ readonly event: Event } | undefined>();
  let wanted = createDeferred<void>();

  const work = writer(async (event) => {
    if (signal.aborted) return;
    written.resolve({ event });
    await wanted.promise;
  }, signal);
  const end = () => {
    written.resolve(undefined);
    wanted.resolve();
  };
  work.then(end, end);
  signal.addEventListener("abort", end);
  try {
    for (;;) {
      const next = await written.promise;
      if (next === undefined) break;
      yield next.event;
      written = createDeferred();
      const before = wanted;
      wanted = createDeferred();
      before.resolve();
    }
    if (!left.aborted) await work;
  } finally {
    signal.removeEventListener("abort", end);
    reading.abort();
    end();
    // After the reader has left, nobody needs to know.
    work.catch(() => undefined);
  }
}

/** How events become the body of a reply. */
export interface EventStreamOptions<Event> {
  /** The frame of an event. @default `data: <JSON>` */
  readonly frame?: ((event: Event) => string) | undefined;
  /** The last frame of a stream that fails. @default the connection breaks */
  readonly failed?: ((error: unknown) => string) | undefined;
  /** Called when the client leaves before the end. */
  readonly onLeave: () => void;
  readonly clock: Clock;
}

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** A reply of server-sent events. The next event is read when the client has room for it. */
export function eventStream<Event>(
  events: AsyncGenerator<Event, void, undefined>,
  { frame = (event) => `data: ${JSON.stringify(event)}\n\n`, ...options }: EventStreamOptions<Event>,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (done === true) return controller.close();
        controller.enqueue(encoder.encode(frame(value)));
      } catch (error) {
        if (options.failed === undefined) throw error;
        controller.enqueue(encoder.encode(options.failed(error)));
        controller.close();
      }
    },
    cancel() {
      options.onLeave();
      // Ends the reading only when its pending read ends, so nobody waits for it.
      events.return().catch(() => undefined);
    },
  });
  return keepAlive(new Response(body, { headers: HEADERS }), { clock: options.clock });
}
