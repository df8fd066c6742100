import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import { KitError } from "../../src/contract/kit-error.ts";

interface StoredEvent {
  readonly streamId: string;
  readonly number: number;
  readonly message: JSONRPCMessage;
  /** The length as JSON. */
  readonly size: number;
}

/** Beyond these limits, older events are removed. The newest is always kept. */
const MAX_EVENTS = 500;
const MAX_SIZE = 256 * 1024;

/**
 * Keeps the messages of one session, so that a client whose connection breaks gets missed questions and results on its
 * next connection (`Last-Event-ID`).
 */
export function createSessionEvents(): EventStore {
  const events: StoredEvent[] = [];
  let count = 0;
  let total = 0;

  return {
    async storeEvent(streamId, message) {
      count += 1;
      const size = JSON.stringify(message).length;
      events.push({ streamId, number: count, message, size });
      total += size;
      while (events.length > 1 && (events.length > MAX_EVENTS || total > MAX_SIZE)) {
        total -= events.shift()?.size ?? 0;
      }
      return `${streamId}.${count}`;
    },
    async getStreamIdForEventId(eventId) {
      return placeOf(eventId)?.streamId;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const place = placeOf(lastEventId);
      if (place === undefined)
        throw new KitError("elicit-kit: a client sent a Last-Event-ID of another server.");
      const later = events.filter(
        ({ streamId, number }) => streamId === place.streamId && number > place.number,
      );
      for (const { number, message } of later) {
        // An event without a message only marks the beginning of a stream.
        if ("jsonrpc" in message) await send(`${place.streamId}.${number}`, message);
      }
      return place.streamId;
    },
  };
}

/** The id contains the stream, so that a stream can be resumed after its older events are removed. */
function placeOf(eventId: string): { streamId: string; number: number } | undefined {
  const [, streamId, number] = /^(.+)\.(\d{1,15})$/.exec(eventId) ?? [];
  return streamId === undefined ? undefined : { streamId, number: Number(number) };
}
