import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./bootstrap.mjs";
import { llmsPages, llmsText } from "./llms.ts";

it("llms.txt contains the skill and the list of the guides (to update it: `node tools/llms.ts`)", () => {
  expect(readFileSync(join(root, "llms.txt"), "utf8")).toBe(llmsText());
});

it("the index of the docs links to every guide", () => {
  const guides = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".md") && !/^README|^api\b|^evidence\b|\brecorded\/|^examples\b/.test(name),
  );
  expect(new Set(llmsPages())).toEqual(new Set(["README.md", ...guides.map((name) => `docs/${name}`)]));
});

it("llms.txt is short enough for a coding agent to read whole", () => {
  expect(llmsText().split("\n").length).toBeLessThanOrEqual(180);
});

it("the skill names only imports that the package has", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const skill = readFileSync(join(root, "skills/elicit-kit/SKILL.md"), "utf8");
  const named = [...skill.matchAll(/["`]elicit-kit(\/[\w./-]+)["`]/g)].map(([, path = ""]) => `.${path}`);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !Object.hasOwn(exports, name))).toEqual([]);
  expect(skill).toMatch(/^---\nname: elicit-kit\ndescription: .{1,1024}\n---\n/);
});
