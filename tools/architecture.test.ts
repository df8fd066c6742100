import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./bootstrap.mjs";
import { MODULES } from "./modules.mjs";

const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const picture = /^```\n(.*?)^```$/ms.exec(text)?.[1] ?? "";
const lines = picture.split("\n");
/** The modules stand in layers; what stands beside them comes after these. */
const layers = lines.slice(
  0,
  lines.findIndex((line) => /^ {2}mock-server\b/.test(line)),
);

/** The folder of `src` that a module is in, or its folder beside `src`. */
const folderOf = (dir: string): string => dir.replace(/^src\//, "").split("/")[0] ?? "";
/** A label is followed by its description, by a line of the picture, or by nothing. */
const lineOf = (folder: string): number =>
  layers.findIndex((line) => new RegExp(`(?<![\\w-])${folder}(?: {2}| [│─]|$)`).test(line));

describe("the picture of ARCHITECTURE.md", () => {
  it("names each folder of the source", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
    expect(folders.filter((folder) => !new RegExp(`(?<![\\w-])${folder}(?![\\w-])`).test(picture))).toEqual(
      [],
    );
  });

  it("has a module below each module that imports it", () => {
    const upward = MODULES.filter(({ name }) => !name.includes("testing")).flatMap(({ dir, modules }) => {
      const here = lineOf(folderOf(dir));
      if (here < 0) return [];
      return modules.flatMap((imported) => {
        const folder = folderOf(MODULES.find(({ name }) => name === imported)?.dir ?? "");
        const there = lineOf(folder);
        return there >= 0 && there < here ? [`${folderOf(dir)} imports ${folder}`] : [];
      });
    });
    // The card of MCP Apps is a page of its own.
    expect([...new Set(upward)]).toEqual(["protocols imports react"]);
  });
});

it("each path that ARCHITECTURE.md names exists", () => {
  const paths = [
    ...text.matchAll(/`((?:src|test|tools|demo|docs|mock-server|bench|stories)\/[\w./-]+)`/g),
  ].map(([, path]) => path ?? "");
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
