import { readFileSync } from "node:fs";
import { conformanceCases } from "elicit-kit/conformance";
import { describe, expect, it } from "vitest";

const page = readFileSync(new URL("../../docs/evidence/conformance.md", import.meta.url), "utf8");

describe("docs/evidence/conformance.md", () => {
  it("has a row for each case of the suite (to update it: `npm run conformance`)", () => {
    const rows = [...page.matchAll(/^\| `([^`]+)` \| .+ \| (?:yes|\*\*no\*\*|–) \|$/gm)];
    expect(rows.map(([, id]) => id)).toEqual(conformanceCases.map(({ id }) => id));
  });

  it("contains the reason for each broken or unchecked rule", () => {
    const marks = page.match(/ \| (?:\*\*no\*\*|–)(?= )/g) ?? [];
    const notes = page.match(/^- .+, `[^`]+`: \S/gm) ?? [];
    expect(notes).toHaveLength(marks.length);
  });
});
