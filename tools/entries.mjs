import { readFileSync } from "node:fs";

/**
 * The public entries with code, read from `exports` of package.json, so that the build, the tests and the stories use the
 * same source file for each of them.
 */

/**
 * @typedef {object} Entry
 * @property {string} name what users import, such as `elicit-kit/runtime`
 * @property {string} source its source file, relative to the checkout
 * @property {string} output its file in `dist`, without the ending
 */

/** @type {{ exports: Record<string, string | { types: string, default?: string, node?: string }> }} */
const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** @type {readonly Entry[]} */
export const entries = Object.entries(exports).flatMap(([path, target]) => {
  if (typeof target === "string" || path.endsWith(".css")) return [];
  return {
    name: `elicit-kit${path.slice(1)}`,
    source: target.types.replace("./dist/types/", "").replace(/\.d\.ts$/, ".ts"),
    output: (target.default ?? target.node ?? "").replace("./dist/", "").replace(/\.js$/, ""),
  };
});
