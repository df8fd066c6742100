import { describe, expect, it } from "vitest";
import { type Field, parseRequestedSchema } from "./index.ts";

const list = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

/** What a form shows for a property, or why it is refused. */
function read(property: unknown, $defs: object = {}): Field | string | undefined {
  const parsed = parseRequestedSchema({ type: "object", $defs, properties: { it: property } });
  return parsed.ok ? parsed.fields[0] : parsed.reasons[0]?.message;
}

describe("a schema that would take minutes to read is refused", () => {
  const parts = (count: number, part: object) => Array.from({ length: count }, () => part);

  it.each<[string, unknown, object?]>([
    ["many parts beside many keywords", { ...list(9000), allOf: parts(4000, {}) }],
    [
      "many references to a long list",
      { allOf: parts(1000, { $ref: "#/$defs/A" }) },
      { A: { enum: list(20_000) } },
    ],
    [
      "many references to two long lists",
      { allOf: parts(5000, { $ref: "#/$defs/C" }) },
      {
        A: { enum: list(5000) },
        B: { enum: list(5000, 5000) },
        C: { allOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] },
      },
    ],
  ])("%s", (_, property, $defs) => {
    expect(read(property, $defs)).toBe("unsupported-property: $ref");
  });
});
