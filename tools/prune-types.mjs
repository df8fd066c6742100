/** Removes the declarations that no public entry leads to, after a build: more than half of all files. */
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./bootstrap.mjs";
import { entries } from "./entries.mjs";

const types = join(root, "dist/types");
const declaration = (/** @type {string} */ path) => path.replace(/\.[cm]?[jt]sx?$/, ".d.ts");

const kept = new Set();
const next = [...entries.map(({ source }) => source), "src/look/style-sheet.ts"].map((source) =>
  join(types, declaration(source)),
);
for (let file = next.pop(); file !== undefined; file = next.pop()) {
  if (kept.has(file)) continue;
  kept.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/\b(?:from |import\()"(\.[^"]+)"/g)) {
    next.push(join(dirname(file), declaration(path)));
  }
}
for (const path of readdirSync(types, { recursive: true, encoding: "utf8" })) {
  if (path.endsWith(".d.ts") && !kept.has(join(types, path))) rmSync(join(types, path));
}
