import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const guides = ["docs/headless.md", "docs/theming.md"];

/** Blocks of code whose opening line names a file of the checkout: "```tsx stories/examples/headless.tsx". */
function namedBlocks(text: string): { path: string; code: string }[] {
  return [...text.matchAll(/^```(?:tsx|css) (\S+)\n([\s\S]*?)^```$/gm)].map(([, path = "", code = ""]) => ({
    path,
    code,
  }));
}

describe("a guide", () => {
  it.each(guides)("%s shows code as it is compiled and runs in the book", (guide) => {
    const text = read(guide);
    const blocks = namedBlocks(text);
    expect(blocks.length).toBeGreaterThan(0);
    expect(text.match(/^```(?:tsx|css)/gm)).toHaveLength(blocks.length);
    for (const block of blocks) expect(block).toEqual({ path: block.path, code: read(block.path) });
  });

  it("shows every example of the book", () => {
    const shown = guides.flatMap((guide) => namedBlocks(read(guide)).map(({ path }) => path));
    const examples = readdirSync(new URL("stories/examples", root)).map((name) => `stories/examples/${name}`);
    expect(shown.toSorted()).toEqual(examples.toSorted());
  });
});

describe("docs/theming.md", () => {
  it("lists every variable of the stylesheet, and no other", () => {
    const names = (text: string) => [...new Set(text.match(/--elicit-[a-z-]+/g))].toSorted();
    expect(names(read("docs/theming.md"))).toEqual(names(read("src/react/styles.css")));
  });

  it("lists every class of the stylesheet", () => {
    const text = read("docs/theming.md");
    const classes = new Set(read("src/react/styles.css").match(/\.elicit-[a-z-]+/g));
    expect([...classes].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("docs/pains.md", () => {
  const rows = read("docs/pains.md")
    .split("\n")
    .filter((line) => /^\| \d+ /.test(line));

  it("answers each of the 31 pains once", () => {
    expect(rows.map((row) => Number(row.split("|")[1]))).toEqual(Array.from({ length: 31 }, (_, n) => n + 1));
  });

  it("names tests that exist, or says why a pain does not apply", () => {
    const unproved = rows.filter((row) => {
      const tests = [...row.matchAll(/`([\w./-]+\.(?:test|spec|stories)\.tsx?)` “([^”]+)”/g)];
      if (tests.length === 0) return !row.includes("Does not apply:");
      return tests.some(([, path = "", title = ""]) => !read(path).includes(title));
    });
    expect(unproved).toEqual([]);
  });
});
