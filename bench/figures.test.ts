import { expect, it } from "vitest";
import { rowOf } from "./figures.ts";

it("holds a figure with a peer to a multiple of it, and says whether that was met", () => {
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

it("holds a figure without a peer to its target itself", () => {
  expect(rowOf({ figure: "form", unit: "KiB", ours: 3.5, target: 3 })).toEqual([
    "form",
    "3.50 KiB",
    "–",
    "–",
    "≤ 3 KiB",
    "no",
  ]);
});

it("demands nothing where there is no target", () => {
  const row = rowOf({ figure: "form", unit: "ms", ours: 3, peer: { name: "other", value: 1 } });
  expect(row).toEqual(["form", "3.00 ms", "other: 1.00 ms", "3.00", "–", "–"]);
});
