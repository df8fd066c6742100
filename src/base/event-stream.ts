import { KitError } from "../contract/kit-error.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createDeferred } from "./deadlines.ts";

/** A comment in a server-sent event stream. Clients ignore it. */
const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n\n");

const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  // Answers are private: a reload must not leave them in the disk cache of a shared computer.
  // A proxy or middleware that compresses would hold events back (RFC 9111, 5.2.2.6).
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** Sends the events of a source. Does nothing after the end, or after the client has left. */
export interface EventSink {
  write(events: string | Uint8Array): void;
  /** Sends `last`, and ends the stream. */
  end(last?: string): void;
}

/** The source of the events of a stream. */
export interface EventProducer {
  /** Called before the first `pull`. */
  start?(sink: EventSink): void;
  /** Writes at least one event, or ends the stream. Called when the client has room. A rejection breaks the stream. */
  pull(sink: EventSink): Promise<void>;
  /** Called when the client has left before the end. */
  leave(reason: unknown): Promise<void> | void;
  /** Called once, however the stream ends. */
  close?(): void;
}

/** Bun's server closes a connection after ten seconds of silence. */
const KEEP_ALIVE_MS = 8000;
const MAX_KEEP_ALIVE_MS = 15_000;

/** The value of the option `name`, or its default. */
export function keepAliveOf(name: string, everyMs = KEEP_ALIVE_MS): number {
  if (everyMs > 0 && everyMs <= MAX_KEEP_ALIVE_MS) return everyMs;
  throw new KitError(
    `elicit-kit: ${name} must be above 0 and at most 15,000 milliseconds, but it is: ${everyMs}. A client takes 45 seconds of silence for a lost connection (docs/contract.md, section 3).`,
  );
}

export interface StreamTiming {
  /**
   * Milliseconds of silence after which a comment is written. At most 15,000: a client takes a long silence for a lost
   * connection.
   * @default 8000
   */
  everyMs?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/**
 * Sends each event when the client is ready for it. A comment after `everyMs` of silence keeps the connection: servers
 * and load balancers close silent ones after 10 to 300 seconds, but a question may take ten minutes.
 */
export function sendEvents(source: EventProducer, timing: StreamTiming): ReadableStream<Uint8Array> {
  const { everyMs = KEEP_ALIVE_MS, clock = systemClock } = timing;
  const encoder = new TextEncoder();
  let hasEnded = false;
  /** The last characters of the stream, over the borders of its chunks. */
  let tail = "\n\n";
  let spokenAt = clock.now();
  let cancelTimer: (() => void) | undefined;
  let sink: EventSink = { write() {}, end() {} };

  function finish(): void {
    hasEnded = true;
    cancelTimer?.();
    source.close?.();
  }

  function sinkOf(controller: ReadableStreamDefaultController<Uint8Array>): EventSink {
    function write(events: string | Uint8Array): void {
      if (hasEnded) return;
      const bytes = typeof events === "string" ? encoder.encode(events) : events;
      tail = (tail + String.fromCharCode(...bytes.slice(-TAIL_LENGTH))).slice(-TAIL_LENGTH);
      spokenAt = clock.now();
      controller.enqueue(bytes);
    }
    return {
      write,
      end(last = "") {
        if (hasEnded) return;
        if (last !== "") write(last);
        finish();
        controller.close();
      },
    };
  }

  /**
   * Checks the time of the last write at intervals, because resetting a timer at each write would cost more than the
   * write.
   */
  function watch(controller: ReadableStreamDefaultController<Uint8Array>, inMs: number): void {
    cancelTimer = clock.after(inMs, () => {
      const silentMs = clock.now() - spokenAt;
      // The value is negative after the clock was set back. The length of the silence is then unknown, and a comment is
      // harmless.
      if (silentMs >= 0 && silentMs < everyMs) return watch(controller, everyMs - silentMs);
      // A slow client still has unread data, so it needs no comment.
      if (BLANK_LINE_AT_END.test(tail) && (controller.desiredSize ?? 0) > 0) controller.enqueue(KEEP_ALIVE);
      spokenAt = clock.now();
      watch(controller, everyMs);
    });
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      sink = sinkOf(controller);
      watch(controller, everyMs);
      source.start?.(sink);
    },
    async pull() {
      try {
        await source.pull(sink);
      } catch (error) {
        if (hasEnded) return;
        finish();
        throw error;
      }
    },
    cancel(reason) {
      // The client has read everything, or left before.
      if (hasEnded) return undefined;
      finish();
      return source.leave(reason);
    },
  });
}

/** A reply that streams `body`. */
export function eventReply(
  body: ReadableStream<Uint8Array>,
  headers?: Readonly<Record<string, string>>,
): Response {
  return new Response(body, { headers: { ...HEADERS, ...headers } });
}

/** Options of {@link keepAlive}. */
export interface KeepAliveOptions extends StreamTiming {}

/**
 * Returns the same event stream with a comment after every 8 seconds of silence. Use it in your own route if a turn may
 * wait for the user: servers and load balancers close silent connections after 10 to 300 seconds. It also forbids proxies
 * to transform the stream, because one that compresses would hold the question back. The runtime's own routes do both
 * already.
 */
export function keepAlive(response: Response, options: KeepAliveOptions = {}): Response {
  const everyMs = keepAliveOf("everyMs of keepAlive", options.everyMs);
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const source: EventProducer = {
    async pull(sink) {
      const { done, value } = await reader.read();
      if (done) sink.end();
      else sink.write(value);
    },
    leave: (reason) => reader.cancel(reason),
  };
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  const isFixed = headers.get("cache-control")?.toLowerCase().includes("no-transform") === true;
  if (!isFixed) headers.append("cache-control", "no-transform");
  return new Response(sendEvents(source, { ...options, everyMs }), { status, statusText, headers });
}

/** Writes one event. Resolves when the reader wants the next one, or at once when the reader has left. */
export type WriteEvent<Event> = (event: Event) => Promise<void>;

/**
 * Returns the events of `writer`, each when the reader asks for it. While the reader does not read, only one event is in
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
    // After the reader has left, this error can be ignored.
    work.catch(() => undefined);
  }
}

/** The options for turning events into the body of a reply. */
export interface EventStreamOptions<Event> {
  /** The frame of an event. @default `data: <JSON>` */
  readonly frame?: ((event: Event) => string) | undefined;
  /** The last frame of a failing stream. @default the connection breaks */
  readonly failed?: ((error: unknown) => string) | undefined;
  /** Called when the client leaves before the end. */
  readonly onLeave: () => void;
  readonly clock: Clock;
}

/** A reply of server-sent events. The next event is read when the client is ready for it. */
export function eventStream<Event>(
  events: AsyncGenerator<Event, void, undefined>,
  { frame = dataFrame, failed, onLeave, clock }: EventStreamOptions<Event>,
): Response {
  const source: EventProducer = {
    async pull(sink) {
      try {
        const { done, value } = await events.next();
        if (done === true) sink.end();
        else sink.write(frame(value));
      } catch (error) {
        if (failed === undefined) throw error;
        sink.end(failed(error));
      }
    },
    leave() {
      onLeave();
      // This resolves only when the pending read ends, so it is not awaited.
      events.return().catch(() => undefined);
    },
  };
  return eventReply(sendEvents(source, { clock }));
}

export const dataFrame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** An event ends with a blank line. Lines end with a line feed, a carriage return, or both. */
const BLANK_LINE_AT_END = /(?:\n|\r(?!\n))(?:\r\n|\n|\r)$/;
const TAIL_LENGTH = 4;
