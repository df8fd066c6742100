import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./bootstrap.mjs";
import { MODULES } from "./modules.mjs";

const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const picture = /^```\n(.*?)^```$/ms.exec(text)?.[1] ?? "";
const lines = picture.split("\n");
const titled = (title: RegExp) => lines.findIndex((line) => title.test(line));
/** In each part of the picture, the modules stand in layers. The folders beside them come last. */
const parts = {
  extras: [titled(/^ {2}extras:/), titled(/^ {2}src:/)],
  src: [titled(/^ {2}src:/), titled(/^ {2}mock-server\b/)],
} as const;

/** `src/runtime/turn` → `src/runtime`; a feature stands in the folder of all features. */
const folderOf = (dir: string): string => dir.split("/").slice(0, 2).join("/");
/** A label is followed by its description, by a line of the picture, or by nothing; -1 for what stands beside both. */
function lineOf(folder: string): number {
  const [part = "", name = ""] = folder.split("/");
  if (part !== "src" && part !== "extras") return -1;
  const [from, to] = parts[part];
  const label = new RegExp(`(?<![\\w-])${name}(?: {2}|:| [│─]|$)`);
  const line = lines.slice(from + 1, to).findIndex((shown) => label.test(shown));
  return line < 0 ? -1 : from + 1 + line;
}

describe("the picture of ARCHITECTURE.md", () => {
  it("names each folder of the kit and of the extras in its part", () => {
    const folders = (["src", "extras"] as const).flatMap((part) =>
      readdirSync(join(root, part), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [`${part}/${entry.name}`] : [],
      ),
    );
    expect(folders.length).toBeGreaterThan(25);
    expect(folders.filter((folder) => lineOf(folder) < 0)).toEqual([]);
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
    // A feature imports the stores of the runtime, whose composition names it: src/runtime/features.ts.
    expect([...new Set(upward)]).toEqual(["src/features imports src/runtime"]);
  });
});

it("the sizes of the kit, the runtime and the extras in ARCHITECTURE.md differ from the code by a twentieth at most", () => {
  const linesOf = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.(?:test|test-d))\.tsx?$/.test(file) && !/(?:^|[\\/])testing[\\/]/.test(file))
      .reduce((sum, file) => sum + readFileSync(join(root, folder, file), "utf8").split("\n").length - 1, 0);
  const sentence = /kit has ([\d,]+) lines, of which the runtime ([\d,]+), and the extras have ([\d,]+)/.exec(
    text,
  );
  const said = sentence?.slice(1).map((figure) => Number(figure.replaceAll(",", "")));
  const counted = ["src", "src/runtime", "extras"].map(linesOf);
  expect(said).toEqual(
    counted.map((size): unknown => expect.toSatisfy((figure) => Math.abs(figure - size) <= size / 20)),
  );
});

it("each path that ARCHITECTURE.md names exists", () => {
  const paths = [
    ...text.matchAll(/`((?:src|extras|test|tools|demo|docs|mock-server|bench|stories)\/[\w./-]+)`/g),
  ].map(([, path]) => path ?? "");
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
