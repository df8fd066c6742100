import { expect, test } from "vitest";
import { createManualClock } from "./testing/manual-clock.ts";
import { eventStream, eventsOf } from "./event-stream.ts";

const clock = createManualClock();
const never = new AbortController().signal;

test("the writer is at most one event ahead of the reader", async () => {
  let written = 0;
  const events = eventsOf<number>(async (write) => {
    for (; written < 5; written += 1) await write(written);
  }, never);
  const got: number[] = [];
  for await (const event of events) {
    expect(written).toBe(event);
    got.push(event);
  }
  expect(got).toEqual([0, 1, 2, 3, 4]);
});

test("an error of the writer reaches the reader after all written events", async () => {
  const events = eventsOf<string>(async (write) => {
    await write("one");
    throw new Error("down");
  }, never);
  expect(await events.next()).toEqual({ done: false, value: "one" });
  await expect(events.next()).rejects.toThrow("down");
});

test("when the reader leaves, the writer ends, even if it waits for something other than the reader", async () => {
  const left = new AbortController();
  let ended = 0;
  const waitsForReader = eventsOf<string>(async (write) => {
    await write("one");
    await write("two");
    ended += 1;
  }, left.signal);
  const waitsForElse = eventsOf<string>(async (_, signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    ended += 1;
  }, left.signal);
  await waitsForReader.next();
  const [reading, waiting] = [waitsForReader.next(), waitsForElse.next()];
  await reading;
  left.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect((await waitsForReader.next()).done).toBe(true);
  await expect.poll(() => ended).toBe(2);
});

test("a stream reports that its client has left, but not that it has read to the end", async () => {
  let left = 0;
  const open = () =>
    eventStream(
      eventsOf<string>(async (write) => {
        await write("one");
        await write("two");
      }, never),
      { clock, onLeave: () => (left += 1) },
    );
  expect(await open().text()).toBe('data: "one"\n\ndata: "two"\n\n');
  expect(left).toBe(0);
  const reader = open().body!.getReader();
  await reader.read();
  await reader.cancel();
  expect(left).toBe(1);
});

test("a failing stream ends with an error frame if it has one, and breaks otherwise", async () => {
  const failing = () =>
    eventsOf<string>(async (write) => {
      await write("one");
      throw new Error("down");
    }, never);
  const said = eventStream(failing(), {
    clock,
    onLeave() {},
    failed: (error) => `event: error\ndata: ${String(error)}\n\n`,
  });
  expect(await said.text()).toBe('data: "one"\n\nevent: error\ndata: Error: down\n\n');
  await expect(eventStream(failing(), { clock, onLeave() {} }).text()).rejects.toThrow("down");
});
