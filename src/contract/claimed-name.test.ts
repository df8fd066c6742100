import fc from "fast-check";
import { expect, test } from "vitest";
import { claimedNameOf } from "./claimed-name.ts";

test.each([
  ["  Travel\n\tBot ", "Travel Bot"],
  ["\u202EtoB levarT", "toB levarT"],
  ["👩‍🚀 Bot", "👩 🚀 Bot"],
  ["x".repeat(101), "x".repeat(100)],
  ["\u200B \u2066", undefined],
  ["", undefined],
  [undefined, undefined],
  [{ name: "Bot" }, undefined],
])("a peer with the name %j is shown as %j", (name, shown) => {
  expect(claimedNameOf(name)).toBe(shown);
});

test("the shown name is one line of at most 100 characters, whatever the peer sends", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
      const shown = claimedNameOf(name) ?? "x";
      expect([...shown].length).toBeLessThanOrEqual(100);
      expect(shown).toMatch(/^[^\p{Cc}\p{Cf}]+$/u);
    }),
  );
});
