import { afterEach, expect, test, vi } from "vitest";
import type { PostgresClient } from "./database.ts";
import { createNotifications } from "./notifications.ts";

afterEach(() => void vi.useRealTimers());

test("while the database is away, a process tries to connect twice in each sweep interval, so that others do not take it for dead", async () => {
  vi.useFakeTimers();
  let fail: (error: Error) => void = () => {};
  let tries = 0;
  const client: PostgresClient = {
    query: async () => ({ rows: [] }),
    on(event: string, listener: (argument: never) => void) {
      if (event === "error") fail = (error) => listener(error as never);
    },
    off() {},
    release() {},
  };
  const sweepMs = 1000;
  const notifications = await createNotifications({
    async connect() {
      tries += 1;
      if (tries > 1) throw new Error("the database is away");
      return client;
    },
    channel: "elicit_kit",
    process: "1",
    sweepMs,
    onError() {},
  });
  fail(new Error("Connection terminated"));
  await vi.advanceTimersByTimeAsync(10 * sweepMs);
  const before = tries;
  await vi.advanceTimersByTimeAsync(10 * sweepMs);
  // Each pause is at most a quarter longer than half a sweep interval.
  expect(tries - before).toBeGreaterThanOrEqual(15);
  await notifications.close();
});

test("a process that was too busy to read a reply in time does not take its connection for silent", async () => {
  vi.useFakeTimers();
  const replies: (() => void)[] = [];
  const client: PostgresClient = {
    query: () => new Promise((resolve) => void replies.push(() => resolve({ rows: [] }))),
    on() {},
    off() {},
    release() {},
  };
  const starting = createNotifications({
    connect: async () => client,
    channel: "elicit_kit",
    process: "1",
    sweepMs: 1000,
    onError: (error) => expect.unreachable(String(error)),
  });
  for (let statement = 1; statement <= 4; statement += 1) {
    await vi.advanceTimersByTimeAsync(0);
    // The timers of a busy process run before it reads what has arrived meanwhile.
    vi.advanceTimersByTime(5000);
    replies.at(-1)?.();
  }
  await (await starting).close();
  expect(replies).toHaveLength(4);
});
