/** The table of sizes in docs/start/package.md: `node bench/sizes-table.ts` writes it anew, and a test holds it to what is measured. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { measureSizes, type Size } from "./sizes.ts";

const PAGE = fileURLToPath(new URL("../docs/start/package.md", import.meta.url));
const BEGIN = "<!-- sizes: written by node bench/sizes-table.ts -->";
const END = "<!-- /sizes -->";

/** The page around its table, and the table. */
export function readSizes(): { before: string; table: string; after: string } {
  const text = readFileSync(PAGE, "utf8");
  const [before, rest] = text.split(BEGIN);
  const [table, after] = rest?.split(END) ?? [];
  if (before === undefined || table === undefined || after === undefined) {
    throw new Error(
      `elicit-kit: docs/start/package.md has no table of sizes. Put it between "${BEGIN}" and "${END}".`,
    );
  }
  return { before, table, after };
}

const kib = (bytes: number | undefined) => (bytes === undefined ? "–" : `${(bytes / 1024).toFixed(1)} KiB`);

/** What a page loads, a row each, in KiB. */
export function sizesTable(sizes: readonly Size[]): string {
  const rows = sizes.map(
    ({ name, what, gzip, growth }) => `| ${name} | ${what} | ${kib(gzip)} | ${kib(growth)} |`,
  );
  const head = [
    "| part | what it is | minified, gzipped | growth of a Vite app that has React |",
    "| --- | --- | ---: | ---: |",
  ];
  return [...head, ...rows].join("\n");
}

if (import.meta.main) {
  const { before, after } = readSizes();
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${sizesTable(await measureSizes())}\n\n${END}${after}`);
}
