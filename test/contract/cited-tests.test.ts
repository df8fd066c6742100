import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Citation, citationsOf, faultOf, titlesOf } from "./cited-tests.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe.each([
  ["docs/evidence/spec-coverage.md", 50],
  ["docs/evidence/threats/pages-and-windows.md", 40],
  ["docs/evidence/threats/answers-and-identity.md", 30],
  ["docs/evidence/threats/servers-and-tokens.md", 10],
  ["docs/evidence/threats/operators.md", 25],
  ["docs/evidence/threats/mcp-sign-in.md", 25],
])("%s", (document, least) => {
  const cited = citationsOf(read(document));

  it(`cites more than ${least} tests, and all of them exist`, () => {
    expect(cited.length).toBeGreaterThan(least);
    expect(cited.map((citation) => faultOf(citation, read)).filter((fault) => fault !== undefined)).toEqual(
      [],
    );
  });
});

it("each row of the coverage cites a test, or says what is missing", () => {
  const rows = read("docs/evidence/spec-coverage.md")
    .split("\n")
    .filter((line) => /^\| (?!---)/.test(line) && !line.endsWith("| shown by |"));
  expect(rows.length).toBeGreaterThan(35);
  for (const row of rows) {
    const isCovered = citationsOf(row).length > 0 || /to come with|by design:/.test(row);
    expect([row, isCovered]).toEqual([row, true]);
  }
});

it.each([
  ["docs/evidence/threats/pages-and-windows.md", 40],
  ["docs/evidence/threats/answers-and-identity.md", 30],
  ["docs/evidence/threats/servers-and-tokens.md", 10],
  ["docs/evidence/threats/operators.md", 25],
  ["docs/evidence/threats/mcp-sign-in.md", 25],
])("each numbered row of %s has its tests in the list below the table", (document, least) => {
  const rows = read(document)
    .split("\n")
    .flatMap((line) => {
      const id = /^\| ([A-Z]\d+) \|/.exec(line)?.[1];
      return id === undefined ? [] : [{ id, isTested: citationsOf(line).length > 0 }];
    });
  const idsOf = (isTested: boolean) => rows.filter((row) => row.isTested === isTested).map(({ id }) => id);
  const numbers = idsOf(false);
  expect(numbers.length).toBeGreaterThan(least);
  expect(numbers).toEqual([...new Set(numbers)]);
  expect(idsOf(true)).toEqual(numbers);
});

describe("the check of citations", () => {
  const source = `
    // "a comment is no test"
    describe("a form", () => {
      it("says \\"no\\"", () => {});
      it.each([["a(", 1], ["b", 2]])("takes %s", async () => {});
      it.each(rows)("%s, as it is, fits", () => {});
      it(\`\${name} is a template\`, () => {});
      test(
        "spans lines",
        { timeout: 1 },
        () => {},
      );
      fieldCase({ sources: ["a/b#1"], before: "failed" }, "comes from a report", () => {});
    });`;
  const files: Readonly<Record<string, string>> = { "a.test.ts": source, "empty.test.ts": "export {};" };
  const readHere = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error("no such file");
    return text;
  };
  const fault = (citation: Citation) => faultOf(citation, readHere);

  it("finds the titles of tests and groups, and no other text", () => {
    expect(titlesOf(source, "a.test.ts")).toEqual([
      "a form",
      'says "no"',
      "takes %s",
      "%s, as it is, fits",
      "${} is a template",
      "spans lines",
      "comes from a report",
    ]);
  });

  it("reads files and titles in the last column alone", () => {
    const table =
      '| `x.test.ts` "not here" | `a.test.ts` "takes" and "spans", `b.test.ts`, `c.spec.tsx` "x" (y) |';
    expect(citationsOf(`${table}\nno table: \`d.test.ts\``)).toEqual([
      { path: "a.test.ts", title: "takes" },
      { path: "a.test.ts", title: "spans" },
      { path: "b.test.ts", title: undefined },
      { path: "c.spec.tsx", title: "x" },
    ]);
  });

  it("accepts a part of a title, and a file that has tests", () => {
    expect(fault({ path: "a.test.ts", title: "spans" })).toBeUndefined();
    expect(fault({ path: "a.test.ts", title: "as it is" })).toBeUndefined();
    expect(fault({ path: "a.test.ts", title: undefined })).toBeUndefined();
  });

  it.each([
    [{ path: "gone.test.ts", title: "x" }, "there is no file gone.test.ts"],
    [{ path: "empty.test.ts", title: undefined }, "empty.test.ts has no tests"],
    [{ path: "a.test.ts", title: "a comment is no test" }, "a.test.ts has no test with"],
    [{ path: "a.test.ts", title: "another title" }, "a.test.ts has no test with"],
  ])("refuses %j", (citation, message) => {
    expect(fault(citation)).toContain(message);
  });
});
