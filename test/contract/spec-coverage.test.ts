import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** Each test that `docs/spec-coverage.md` names, with its file. */
const cited = read("docs/spec-coverage.md")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .flatMap((line) => {
    let path = "";
    return [...line.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`|"([^"]+)"/g)].flatMap(
      ([, file, title = ""]) => {
        path = file ?? path;
        return file === undefined ? [[path, title] as const] : [];
      },
    );
  });

it.each(cited)("what the coverage of the proposal cites is a test: %s %s", (path, title) => {
  expect(read(path)).toContain(title);
});

it("every row of the coverage names a test, or says what is to come", () => {
  const rows = read("docs/spec-coverage.md")
    .split("\n")
    .filter((line) => /^\| (?!---)/.test(line) && !line.endsWith("| shown by |"));
  expect(rows.length).toBeGreaterThan(35);
  for (const row of rows) expect(row).toMatch(/`[\w./-]+\.(?:test|spec)\.tsx?` "|to come with|by design:/);
});
