import type { TurnStreamEntry } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { KEEP_ALIVE, type Silence, watchSilence } from "./keep-alive.ts";
import { discardedFrom, isDiscardable } from "../turn/discard.ts";
import { type StreamHelper, TURN_FAILED, writeLogged } from "../turn/stream-helper.ts";
import { KitError } from "../../contract/kit-error.ts";

const HEADERS = {
  "content-type": "text/event-stream",
  // A turn is private: a reload must not leave it in the disk cache of a shared computer.
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** Header of a UI message stream, version 1 of the AI SDK's protocol. */
export const UI_MESSAGE_STREAM_HEADERS = { "x-vercel-ai-ui-message-stream": "v1" };

/** The last event of a stream that ends before its turn. The AI SDK does not keep it, because it is transient. */
const CONTINUES = `data: ${JSON.stringify({ type: "data-turn-continues", data: {}, transient: true })}\n\n`;

const TOO_LONG = { type: "error", errorText: "The answer took longer than this server allows." };

/** Breaks a stream of which the client has read something that is no longer in the log. */
const TAKEN_BACK = new KitError(
  "elicit-kit: a model call runs again, and what it had written is taken back.",
);

export interface EventStreamOptions {
  /** Creates the helper that formats the turn. `write` takes whole events. */
  helper: (write: (event: string) => void) => StreamHelper;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Aborted when the client disconnects. Ends this reader, not the turn. */
  reader: AbortController;
  clock: Clock;
  keepAliveMs: number;
  /** Ends the stream after this time. Without `onCancel`, it then says that the turn continues; with it, that it failed. */
  maxMs?: number | undefined;
  /** Called when the client disconnects, if the turn then stops because nobody can reattach to it. */
  onCancel?: (() => Promise<void>) | undefined;
  /** Called once, when the stream ends or the client disconnects. */
  onClose?: (() => void) | undefined;
  onError: (error: unknown) => void;
}

/**
 * Sends a turn as server-sent events, with a comment after every `keepAliveMs` of silence: load balancers close silent
 * connections after 50 to 300 seconds, but a question may take ten minutes. Breaks if something that was sent is taken
 * back: a client that reattaches gets the stream without it.
 */
export function eventStream(entries: AsyncIterable<TurnStreamEntry>, options: EventStreamOptions): Response {
  const { reader, clock, keepAliveMs, onCancel, onClose, onError } = options;
  const iterator = entries[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let written: string[] = [];
  const helper = options.helper((event) => written.push(event));
  let silence: Silence | undefined;
  let cancelTimer: (() => void) | undefined;
  /** The last position that was sent and can be taken back. */
  let sent = -1;
  let hasEnded = false;

  function cancelTurn(): void {
    onCancel?.().catch(onError);
  }

  function flush(controller: ReadableStreamDefaultController<Uint8Array>) {
    controller.enqueue(encoder.encode(written.join("")));
    written = [];
  }

  function stop() {
    hasEnded = true;
    silence?.stop();
    cancelTimer?.();
    onClose?.();
  }

  function close(controller: ReadableStreamDefaultController<Uint8Array>) {
    stop();
    helper.end();
    flush(controller);
    controller.close();
  }

  function endEarly(controller: ReadableStreamDefaultController<Uint8Array>) {
    reader.abort();
    if (onCancel !== undefined) {
      cancelTurn();
      helper.writeChunk(TOO_LONG);
      close(controller);
      return;
    }
    stop();
    written.push(CONTINUES);
    flush(controller);
    controller.close();
  }

  /** Reads the log until the helper has written at least one event, then flushes. Some chunks produce no event. */
  async function writeNext(controller: ReadableStreamDefaultController<Uint8Array>) {
    while (written.length === 0) {
      const { done, value } = await iterator.next();
      if (reader.signal.aborted) return;
      if (done === true) {
        close(controller);
        return;
      }
      const from = discardedFrom(value);
      if (from !== undefined) {
        if (sent >= from) throw TAKEN_BACK;
        continue;
      }
      if (isDiscardable(value.chunk)) sent = value.seq;
      writeLogged(helper, value.chunk);
    }
    flush(controller);
    silence?.spoke();
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      silence = watchSilence(
        () => {
          // A slow client still has unread data, so it needs no comment.
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(KEEP_ALIVE);
        },
        { clock, everyMs: keepAliveMs },
      );
      if (options.maxMs !== undefined) cancelTimer = clock.after(options.maxMs, () => endEarly(controller));
    },
    async pull(controller) {
      try {
        await writeNext(controller);
      } catch (error) {
        // The log cannot be read, or a chunk cannot be serialised as JSON, such as a tool output that contains a bigint.
        if (reader.signal.aborted) return;
        reader.abort();
        cancelTurn();
        if (error === TAKEN_BACK) {
          stop();
          throw error;
        }
        onError(error);
        helper.writeChunk(TURN_FAILED);
        close(controller);
      }
    },
    cancel() {
      // A client that leaves without having read the end.
      if (hasEnded) return;
      stop();
      reader.abort();
      cancelTurn();
    },
  });
  return new Response(body, { headers: { ...HEADERS, ...options.headers } });
}
