import { readFileSync } from "node:fs";
import { conformanceCases } from "elicit-kit/conformance";
import { describe, expect, it } from "vitest";

const page = readFileSync(new URL("../../docs/reference/conformance.md", import.meta.url), "utf8");

describe("docs/reference/conformance.md", () => {
  it("has a row for each case of the suite; `npm run conformance` writes it anew", () => {
    const rows = [...page.matchAll(/^\| `([^`]+)` \| .+ \| (?:yes|\*\*no\*\*|–) \|$/gm)];
    expect(rows.map(([, id]) => id)).toEqual(conformanceCases.map(({ id }) => id));
  });

  it("says why, wherever a rule was not kept or not checked", () => {
    const marks = page.match(/ \| (?:\*\*no\*\*|–)(?= )/g) ?? [];
    const notes = page.match(/^- .+, `[^`]+`: \S/gm) ?? [];
    expect(notes).toHaveLength(marks.length);
  });
});
