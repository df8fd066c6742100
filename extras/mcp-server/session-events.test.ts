import { expect, test } from "vitest";
import { createSessionEvents } from "./session-events.ts";

const message = (id: number, text = "") => ({ jsonrpc: "2.0" as const, id, result: { text } });

async function replayed(events: ReturnType<typeof createSessionEvents>, lastEventId: string) {
  const sent: unknown[] = [];
  const streamId = await events.replayEventsAfter(lastEventId, {
    async send(_, { ...event }) {
      sent.push("id" in event ? event.id : undefined);
    },
  });
  return { streamId, sent };
}

test("a stream resumes after its last event, without events of other streams", async () => {
  const events = createSessionEvents();
  const first = await events.storeEvent("a", message(1));
  await events.storeEvent("b", message(2));
  await events.storeEvent("a", message(3));
  expect(await replayed(events, first)).toEqual({ streamId: "a", sent: [3] });
});

test("the event that only marks the beginning of a stream is not sent again", async () => {
  const events = createSessionEvents();
  const other = await events.storeEvent("a", message(1));
  // The SDK stores it as an empty message.
  await events.storeEvent("a", {} as ReturnType<typeof message>);
  await events.storeEvent("a", message(2));
  expect((await replayed(events, other)).sent).toEqual([2]);
});

test("the oldest events are removed, but never the newest, and the stream can still be resumed", async () => {
  const events = createSessionEvents();
  const first = await events.storeEvent("a", message(0));
  for (let id = 1; id <= 600; id += 1) await events.storeEvent("a", message(id));
  const { sent } = await replayed(events, first);
  expect(sent).toHaveLength(500);
  expect(sent.at(-1)).toBe(600);
  await events.storeEvent("a", message(601, "x".repeat(300_000)));
  expect((await replayed(events, first)).sent).toEqual([601]);
});

test.each(["", "a", "a.", ".1", "a.1.x"])("an unknown event id is refused: %j", async (id) => {
  const events = createSessionEvents();
  expect(await events.getStreamIdForEventId?.(id)).toBeUndefined();
  await expect(replayed(events, id)).rejects.toThrow("elicit-kit: a client sent a Last-Event-ID");
});
