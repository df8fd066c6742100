import { expect, it } from "vitest";
import { rowOf } from "./figures.ts";

it("a figure with a limit as a multiple of another tool's figure passes only within that limit", () => {
  const figure = { figure: "heap", unit: "KiB", ours: 12, peer: { name: "bare", value: 10 } } as const;
  expect(rowOf({ ...figure, target: 1.2 })).toEqual([
    "heap",
    "12.0 KiB",
    "bare: 10.0 KiB",
    "1.20",
    "≤ 1.2 ×",
    "yes",
  ]);
  expect(rowOf({ ...figure, target: 1.1 }).slice(-2)).toEqual(["≤ 1.1 ×", "no"]);
});

it("a figure with a limit of its own fails when it is larger", () => {
  expect(rowOf({ figure: "form", unit: "KiB", ours: 3.5, target: 3 })).toEqual([
    "form",
    "3.50 KiB",
    "–",
    "–",
    "≤ 3 KiB",
    "no",
  ]);
});

it("a figure without a target always passes", () => {
  const row = rowOf({ figure: "form", unit: "ms", ours: 3, peer: { name: "other", value: 1 } });
  expect(row).toEqual(["form", "3.00 ms", "other: 1.00 ms", "3.00", "–", "–"]);
});
