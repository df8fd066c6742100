import { expect, test } from "vitest";
import { createShowing, held } from "./showing.ts";

async function* two() {
  yield 1;
  yield 2;
}

test("a turn that two clients show counts as shown until both have left", () => {
  const showing = createShowing();
  const [first, second] = [showing.turn("t1"), showing.turn("t1")];
  const hide = showing.user("ada");
  first();
  first();
  expect(showing.take()).toEqual({ turnIds: ["t1"], userIds: ["ada"] });
  second();
  hide();
  expect(showing.take()).toEqual({ turnIds: [], userIds: [] });
});

test("a turn counts as shown once if its request was read twice", () => {
  const showing = createShowing();
  showing.seen("t1");
  showing.seen("t1");
  expect(showing.take().turnIds).toEqual(["t1"]);
  expect(showing.take().turnIds).toEqual([]);
});

test("a turn counts as shown while a client reads its log", async () => {
  const showing = createShowing();
  const { signal } = new AbortController();
  const entries = held(two(), () => showing.turn("t1"), signal);
  expect(showing.take().turnIds).toEqual([]);
  const read: number[] = [];
  for await (const entry of entries) read.push(entry);
  expect(read).toEqual([1, 2]);
  expect(showing.take().turnIds).toEqual([]);
});

test("a turn does not count as shown any more when its client leaves while it reads the log", async () => {
  const showing = createShowing();
  const leaving = new AbortController();
  const entries = held(two(), () => showing.turn("t1"), leaving.signal);
  await entries.next();
  expect(showing.take().turnIds).toEqual(["t1"]);
  leaving.abort();
  expect(showing.take().turnIds).toEqual([]);
});
