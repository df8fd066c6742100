import type { Clock, TurnStreamEntry } from "../ports.ts";
import { KEEP_ALIVE, type Silence, watchSilence } from "./keep-alive.ts";
import { type StreamHelper, TURN_FAILED, writeLogged } from "../turn/stream-helper.ts";

const HEADERS = {
  "content-type": "text/event-stream",
  // A turn is one person's: a reload must not leave it on the disk of a machine that others use, too.
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** Of a UI message stream, version 1 of the AI SDK's protocol. */
export const UI_MESSAGE_STREAM_HEADERS = { "x-vercel-ai-ui-message-stream": "v1" };

export interface EventStreamOptions {
  /** Makes what writes the turn; `write` takes whole events. */
  helper: (write: (event: string) => void) => StreamHelper;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Aborts when the client goes away, and with it only this reader, not the turn. */
  reader: AbortController;
  clock: Clock;
  keepAliveMs: number;
  onCancel?: (() => void) | undefined;
  /** Called once, when nothing of it is read any more: at its end, or when the client goes away. */
  onClose?: (() => void) | undefined;
  onError: (error: unknown) => void;
}

/**
 * A turn as server-sent events, with a comment whenever nothing was said for `keepAliveMs`: load balancers close silent
 * connections after 50 to 300 seconds, a question may take ten minutes.
 */
export function eventStream(entries: AsyncIterable<TurnStreamEntry>, options: EventStreamOptions): Response {
  const { reader, clock, keepAliveMs, onCancel, onClose, onError } = options;
  const iterator = entries[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let written: string[] = [];
  const helper = options.helper((event) => written.push(event));
  let silence: Silence | undefined;

  function flush(controller: ReadableStreamDefaultController<Uint8Array>) {
    controller.enqueue(encoder.encode(written.join("")));
    written = [];
  }

  function close(controller: ReadableStreamDefaultController<Uint8Array>) {
    silence?.stop();
    onClose?.();
    helper.end();
    flush(controller);
    controller.close();
  }

  /** Writes all that comes next in the log, up to the first thing that this surface has words for. */
  async function writeNext(controller: ReadableStreamDefaultController<Uint8Array>) {
    while (written.length === 0) {
      const { done, value } = await iterator.next();
      if (reader.signal.aborted) return;
      if (done === true) {
        close(controller);
        return;
      }
      writeLogged(helper, value.chunk);
    }
    flush(controller);
    silence?.spoke();
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      silence = watchSilence(
        () => {
          // A client that reads too slowly has enough to read.
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(KEEP_ALIVE);
        },
        { clock, everyMs: keepAliveMs },
      );
    },
    async pull(controller) {
      try {
        await writeNext(controller);
      } catch (error) {
        // The log cannot be read, or a chunk is no JSON, such as a tool's output with a bigint in it.
        if (reader.signal.aborted) return;
        onError(error);
        reader.abort();
        onCancel?.();
        helper.writeChunk(TURN_FAILED);
        close(controller);
      }
    },
    cancel() {
      silence?.stop();
      onClose?.();
      reader.abort();
      onCancel?.();
    },
  });
  return new Response(body, { headers: { ...HEADERS, ...options.headers } });
}
