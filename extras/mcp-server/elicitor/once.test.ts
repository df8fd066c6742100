import { expect, test } from "vitest";
import { createOnce } from "./replay.ts";

test("`once` runs a function one time for its key, even for parallel callers, and keeps the result", async () => {
  const done: Record<string, unknown> = {};
  const once = createOnce(done);
  let runs = 0;
  const run = async () => (runs += 1);
  expect(await Promise.all([once("a", run), once("a", run)])).toEqual([1, 1]);
  expect(await once("a", run)).toBe(1);
  expect(await once("b", run)).toBe(2);
});

test("`once` keeps results in JSON, including undefined", async () => {
  const first: Record<string, unknown> = {};
  await createOnce(first)("nothing", () => undefined);
  const second: Record<string, unknown> = JSON.parse(JSON.stringify(first));
  let runs = 0;
  const result = await createOnce(second)<undefined>("nothing", () => {
    runs += 1;
    return undefined;
  });
  expect([result, runs]).toEqual([undefined, 0]);
});

test("`once` lets a function that has failed run again, and its error reaches the caller", async () => {
  const once = createOnce({});
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 1) throw new Error("down");
    return "up";
  };
  await expect(once("a", run)).rejects.toThrow("down");
  expect(await once("a", run)).toBe("up");
});
