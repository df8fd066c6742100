import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "./bootstrap.mjs";
import { missingToPublish } from "./ready-to-publish.ts";
import { fillReleaseValues } from "./release-values.ts";

let checkout: string;
const write = (path: string, text: string) => writeFileSync(join(checkout, path), text);

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "publish-"));
  mkdirSync(join(checkout, ".changeset"));
  mkdirSync(join(checkout, "templates/next"), { recursive: true });
  write(".changeset/config.json", "{}");
  write("package.json", JSON.stringify({ version: "0.2.0", repository: "github:acme/kit" }));
  write("README.md", "# kit\n");
  write("SECURITY.md", "Report a weakness in private. Or write to security@acme.example.\n");
  write("templates/next/README.md", "# A chat\n");
  write("CHANGELOG.md", "# Changelog\n\n## 0.2.0\n\nNews.\n\n## 0.1.0\n\nThe first version.\n");
});
afterEach(() => rmSync(checkout, { recursive: true }));

it("a checkout can be published if its changelog has the version of the package", () => {
  expect(missingToPublish(checkout)).toEqual([]);
});

it("a checkout cannot be published without the repository, from which npm creates the links of the README", () => {
  write("package.json", JSON.stringify({ version: "0.2.0" }));
  expect(missingToPublish(checkout)).toEqual([expect.stringContaining('no "repository"')]);
});

it.each(["README.md", "templates/next/README.md"])(
  "a checkout cannot be published while its %s says that the package is not on npm",
  (path) => {
    write(path, "Not on npm yet: run `npm pack`.\n");
    expect(missingToPublish(checkout)).toEqual([expect.stringContaining("Not on npm yet")]);
  },
);

it("a checkout cannot be published while texts of changesets are missing in the changelog", () => {
  write(".changeset/new-card.md", '---\n"elicit-kit": minor\n---\n\nA new card.\n');
  expect(missingToPublish(checkout)).toEqual([expect.stringContaining("new-card.md")]);
});

it("a checkout cannot be published if another version is at the top of the changelog", () => {
  write("package.json", JSON.stringify({ version: "0.3.0", repository: "github:acme/kit" }));
  expect(missingToPublish(checkout)).toEqual(["CHANGELOG.md begins with 0.2.0. It must begin with 0.3.0."]);
});

it("this checkout can be published once its owner has given three values", () => {
  for (const path of [
    "package.json",
    "README.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "templates/next/README.md",
  ]) {
    cpSync(join(root, path), join(checkout, path));
  }
  const values = { repository: "github:acme/kit", name: "@acme/kit", contact: "security@acme.example" };
  fillReleaseValues(checkout, values);
  expect(missingToPublish(checkout)).toEqual([]);
  expect(JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"))).toMatchObject({
    name: "@acme/kit",
    repository: "github:acme/kit",
    bugs: "https://github.com/acme/kit/issues",
  });
  const readme = readFileSync(join(checkout, "README.md"), "utf8");
  expect(readme).toContain("git clone https://github.com/acme/kit");
  expect(readme).not.toContain("The release removes");
});

it("a repository that is written in another way is refused with the form that is needed", () => {
  const values = { repository: "acme/kit", name: "kit", contact: "security@acme.example" };
  expect(() => fillReleaseValues(checkout, values)).toThrow("github:owner/name");
});
