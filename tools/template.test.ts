import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { template, templateFiles } from "./template.ts";

it("the Next.js template is the output of `elicit-kit init` (to update it: node tools/template.ts)", () => {
  const files = templateFiles();
  const found = Object.keys(files).map((path) => [path, readFileSync(join(template, path), "utf8")]);
  expect(Object.keys(files)).toContain("app/auth/[...path]/route.ts");
  expect(Object.fromEntries(found)).toEqual(files);
});
