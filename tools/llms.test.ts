import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./bootstrap.mjs";
import { llmsFull, llmsIndex, llmsPages } from "./llms.ts";

it("llms.txt contains the index of the docs (to update it: `node tools/llms.ts`)", () => {
  expect(readFileSync(join(root, "llms.txt"), "utf8")).toBe(llmsIndex());
});

it("the index of the docs links to every guide", () => {
  const guides = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".md") && !/^README|^api\b|^evidence\b|\brecorded\/|^examples\b/.test(name),
  );
  expect(new Set(llmsPages())).toEqual(new Set(["README.md", ...guides.map((name) => `docs/${name}`)]));
});

it("llms-full.txt contains the text of every guide", () => {
  const full = llmsFull();
  for (const page of llmsPages()) expect(full).toContain(readFileSync(join(root, page), "utf8"));
});
