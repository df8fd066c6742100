/**
 * The tables of sizes in docs/start/package.md. `node bench/sizes-table.ts` writes them; a test compares them with the
 * measurements.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Growth, installedWebpack, measureGrowth } from "./growth.ts";
import { measureSizes, type Size } from "./sizes.ts";

const PAGE = fileURLToPath(new URL("../docs/start/package.md", import.meta.url));
const SIZES = "sizes";
const GROWTH = "growth";

/** A table of the page, and the text before and after it. */
function readTable(name: string): { before: string; table: string; after: string } {
  const [begin, end] = [
    `<!-- ${name}: written by node bench/sizes-table.ts -->\n\n`,
    `\n\n<!-- /${name} -->`,
  ];
  const text = readFileSync(PAGE, "utf8");
  const [before, rest] = text.split(begin);
  const [table, after] = rest?.split(end) ?? [];
  if (before === undefined || table === undefined || after === undefined) {
    throw new Error(
      `elicit-kit: docs/start/package.md has no table of ${name}. Put it between "${begin}" and "${end}".`,
    );
  }
  return { before: before + begin, table, after: end + after };
}

/** The cells of each row of the table, without the heading. */
const rowsOf = (name: string): string[][] =>
  readTable(name)
    .table.split("\n")
    .slice(2)
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** The sizes that the page states for each part, in KiB. */
export const toldSizes = () =>
  rowsOf(SIZES).map(([name, , gzip]) => ({ name, gzip: Number.parseFloat(gzip ?? "") }));

/** The growth that the page states for each part, in KiB, without webpack. */
export function toldGrowth() {
  return rowsOf(GROWTH).map(([name, vite = "", , esbuild = ""]) => {
    return { name, vite: Number.parseFloat(vite), esbuild: Number.parseFloat(esbuild) };
  });
}

const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;

function writeTable(name: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const { before, after } = readTable(name);
  const table = [...head, ...rows.map((cells) => `| ${cells.join(" | ")} |`)].join("\n");
  writeFileSync(PAGE, before + table + after);
}

function writeSizes(sizes: readonly Size[]): void {
  const head = ["| part | what it is | minified, gzipped |", "| --- | --- | ---: |"];
  const rows = sizes.map(({ name, what, gzip }) => [name, what, kib(gzip)]);
  writeTable(SIZES, head, rows);
}

/** If webpack is not installed, its column stays as it is. */
function writeGrowth(growth: readonly Growth[]): void {
  const head = ["| part | Vite 8 | webpack 5 | esbuild |", "| --- | ---: | ---: | ---: |"];
  const before = new Map(rowsOf(GROWTH).map(([name, , webpack]) => [name, webpack]));
  const rows = growth.map(({ name, vite, webpack, esbuild }) => [
    name,
    kib(vite),
    webpack === undefined ? (before.get(name) ?? "–") : kib(webpack),
    kib(esbuild),
  ]);
  writeTable(GROWTH, head, rows);
}

if (import.meta.main) {
  writeSizes(await measureSizes());
  writeGrowth(await measureGrowth(await installedWebpack()));
}
