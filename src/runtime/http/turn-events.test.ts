import { expect, test } from "vitest";
import { StoreAway } from "../../base/foreign-error.ts";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import type { TurnStreamEntry } from "../internal.ts";
import { turnEvents } from "./turn-events.ts";
import { createUiMessageStreamHelper } from "../turn/stream-helper.ts";

async function* entriesOf(...types: readonly string[]): AsyncGenerator<TurnStreamEntry> {
  for (const [seq, type] of types.entries()) yield { seq, at: 0, chunk: { type } };
}

function setUp(maxMs?: number) {
  const clock = createManualClock();
  let closed = 0;
  let cancelled = 0;
  const response = turnEvents(entriesOf("start", "finish"), {
    helper: createUiMessageStreamHelper,
    reader: new AbortController(),
    clock,
    keepAliveMs: 15_000,
    maxMs,
    onClose: () => (closed += 1),
    onCancel: async () => {
      cancelled += 1;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  return { clock, response, closed: () => closed, cancelled: () => cancelled };
}

/** Lets the stream write pending chunks. */
const written = () => new Promise((resolve) => setTimeout(resolve));

test("a client that leaves before the end of a stream is counted once in the telemetry", async () => {
  const { response, closed, cancelled } = setUp();
  const reader = response.body!.getReader();
  for (let read = 0; read < 2; read += 1) await reader.read();
  await written();
  await reader.cancel();
  expect(closed()).toBe(1);
  // The turn has ended, so there is nothing to stop.
  expect(cancelled()).toBe(0);
});

test("a client that leaves after the time limit of its stream is counted once in the telemetry", async () => {
  const { clock, response, closed, cancelled } = setUp(60_000);
  await written();
  clock.advance(60_000);
  await response.body!.cancel();
  expect(closed()).toBe(1);
  expect(cancelled()).toBe(1);
});

async function* failing(): AsyncGenerator<TurnStreamEntry> {
  yield* entriesOf("start");
  throw new StoreAway("The database is away.");
}

test.each([
  ["breaks, so that a client that can re-attach continues", undefined, "broken"],
  ["ends with an error for a client that cannot re-attach", async () => {}, "error"],
] as const)("a stream whose log cannot be read while the database is away %s", async (_, onCancel, end) => {
  const errors: unknown[] = [];
  const response = turnEvents(failing(), {
    helper: createUiMessageStreamHelper,
    reader: new AbortController(),
    clock: createManualClock(),
    keepAliveMs: 15_000,
    onCancel,
    onError: (error) => errors.push(error),
  });
  const text = await response.text().catch(() => "broken");
  expect(text).toContain(end);
  expect(errors.map(String)).toEqual(["Error: The database is away."]);
});
