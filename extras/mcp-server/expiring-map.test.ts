import { expect, test } from "vitest";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { createExpiringMap } from "./task-calls.ts";

test("a value is kept for the set time after it was last set", () => {
  const clock = createManualClock();
  const map = createExpiringMap<number>(clock, 1000);
  map.set("a", 1);
  map.set("b", 2);
  clock.advance(600);
  map.set("a", 3);
  clock.advance(600);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([3, undefined, undefined]);
  map.set("d", 4);
  clock.advance(600);
  expect([map.get("a"), map.get("d")]).toEqual([undefined, 4]);
});
