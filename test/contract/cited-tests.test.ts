import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** Each test that the last column of a table names, with its file. A file alone stands for all of its tests. */
const cited = ["docs/spec-coverage.md", "docs/security.md"].flatMap((document) =>
  read(document)
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .flatMap((line) => {
      const [last = ""] = line.split("|").slice(-2);
      let path = "";
      return [...last.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`|"([^"]+)"/g)].map(
        ([, file, title = ""]) => {
          path = file ?? path;
          return [document, path, title] as const;
        },
      );
    }),
);

it.each(cited)("%s cites what is a test: %s %s", (_, path, title) => {
  expect(read(path)).toContain(title);
});

it("every row of the coverage names a test, or says what is to come", () => {
  const rows = read("docs/spec-coverage.md")
    .split("\n")
    .filter((line) => /^\| (?!---)/.test(line) && !line.endsWith("| shown by |"));
  expect(rows.length).toBeGreaterThan(35);
  for (const row of rows) expect(row).toMatch(/`[\w./-]+\.(?:test|spec)\.tsx?` "|to come with|by design:/);
});
