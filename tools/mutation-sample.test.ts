import { expect, it } from "vitest";
import { sampleOf } from "./mutation-sample.mjs";

const text = (lines: number) => "x;\n".repeat(lines);
const sources = new Map([
  ["a.ts", text(40)],
  ["b.ts", text(8)],
]);

it("the sample for mutation tests divides files into windows that do not overlap", () => {
  expect(sampleOf(sources, 10, "1")).toEqual(["a.ts:1-16", "a.ts:17-32", "a.ts:33-40", "b.ts:1-8"]);
});

it("the same seed chooses the same windows, and other seeds choose others", () => {
  const samples = Array.from({ length: 20 }, (_, seed) => sampleOf(sources, 1, `${seed}`).join());
  expect(samples).toEqual(Array.from({ length: 20 }, (_, seed) => sampleOf(sources, 1, `${seed}`).join()));
  expect(new Set(samples).size).toBe(4);
});
