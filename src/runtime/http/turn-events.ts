import { isStoreAway } from "../../base/foreign-error.ts";
import type { TurnStreamEntry } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { type EventSink, dataFrame, eventReply, sendEvents } from "../../base/event-stream.ts";
import { discardedFrom, isDiscardable } from "../turn/turn-log.ts";
import { type StreamHelper, TURN_FAILED, writeLogged } from "../turn/stream-helper.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The last event of a stream that ends before its turn. The event is transient, so the AI SDK does not keep it. */
const CONTINUES = dataFrame({ type: "data-turn-continues", data: {}, transient: true });

const TOO_LONG = { type: "error", errorText: "The answer took longer than this server allows." };

/** Breaks a stream if the client has read a part that was discarded from the log. */
const TAKEN_BACK = new KitError(
  "elicit-kit: a model call runs again, and what it had written is taken back.",
);

export interface TurnEventsOptions {
  /** Creates the helper that formats the turn. `write` expects complete events. */
  helper: (write: (event: string) => void) => StreamHelper;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Aborts when the client disconnects. This ends the reader, not the turn. */
  reader: AbortController;
  clock: Clock;
  keepAliveMs: number;
  /**
   * Ends the stream after this time. Without `onCancel`, the stream then says that the turn continues. With it, the
   * stream fails.
   */
  maxMs?: number | undefined;
  /** Called when the client disconnects, if the turn must then stop because no client can re-attach to it. */
  onCancel?: (() => Promise<void>) | undefined;
  /** Called once, when the stream ends or the client disconnects. */
  onClose?: (() => void) | undefined;
  onError: (error: unknown) => void;
}

/**
 * Sends a turn as server-sent events. Breaks if sent text is discarded. A client that re-attaches gets the stream without
 * that text.
 */
export function turnEvents(entries: AsyncIterable<TurnStreamEntry>, options: TurnEventsOptions): Response {
  const { reader, clock, maxMs, onCancel, onClose, onError } = options;
  const iterator = entries[Symbol.asyncIterator]();
  let written: string[] = [];
  const helper = options.helper((event) => written.push(event));
  let cancelTimer: (() => void) | undefined;
  /** The last sent position whose entry can be discarded. */
  let sent = -1;

  function leave(): void {
    reader.abort();
    onCancel?.().catch(onError);
  }

  function taken(): string {
    const events = written.join("");
    written = [];
    return events;
  }

  function end(sink: EventSink): void {
    helper.end();
    sink.end(taken());
  }

  function endEarly(sink: EventSink): void {
    leave();
    if (onCancel === undefined) return sink.end(taken() + CONTINUES);
    helper.writeChunk(TOO_LONG);
    end(sink);
  }

  /** Reads the log until the helper has written at least one event. Some chunks produce no event. */
  async function writeNext(sink: EventSink): Promise<void> {
    while (written.length === 0) {
      const { done, value } = await iterator.next();
      if (reader.signal.aborted) return;
      if (done === true) return end(sink);
      const from = discardedFrom(value);
      if (from !== undefined) {
        if (sent >= from) throw TAKEN_BACK;
        continue;
      }
      if (isDiscardable(value.chunk)) sent = value.seq;
      writeLogged(helper, value.chunk);
    }
    sink.write(taken());
  }

  const body = sendEvents(
    {
      start(sink) {
        if (maxMs !== undefined) cancelTimer = clock.after(maxMs, () => endEarly(sink));
      },
      async pull(sink) {
        try {
          await writeNext(sink);
        } catch (error) {
          // The log cannot be read, or a chunk cannot be serialised as JSON, for example a tool output with a bigint.
          if (reader.signal.aborted) return;
          leave();
          if (error === TAKEN_BACK) throw error;
          onError(error);
          // The turn continues. A client that re-attaches must not take it for failed.
          if (isStoreAway(error) && onCancel === undefined) throw error;
          helper.writeChunk(TURN_FAILED);
          end(sink);
        }
      },
      leave,
      close() {
        cancelTimer?.();
        onClose?.();
      },
    },
    { clock, everyMs: options.keepAliveMs },
  );
  return eventReply(body, options.headers);
}
