import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { format } from "oxfmt";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "./bootstrap.mjs";
import { MENTION_NPM, missingToPublish } from "./ready-to-publish.ts";
import { fillReleaseValues } from "./release-values.ts";

let checkout: string;
const write = (path: string, text: string) => writeFileSync(join(checkout, path), text);
const manifestOf = (more: object = {}) =>
  JSON.stringify({ name: "elicit-kit", version: "0.2.0", repository: "github:acme/kit", ...more });

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "publish-"));
  mkdirSync(join(checkout, ".changeset"));
  for (const path of MENTION_NPM) mkdirSync(dirname(join(checkout, path)), { recursive: true });
  write(".changeset/config.json", "{}");
  write("package.json", manifestOf());
  write("SECURITY.md", "Report a weakness in private. You can also write to security@acme.example.\n");
  for (const path of MENTION_NPM) write(path, "# kit\n");
  write("templates/next/package.json", '{ "dependencies": { "elicit-kit": "0.2.0" } }');
  write("CHANGELOG.md", "# Changelog\n\n## 0.2.0\n\nNews.\n\n## 0.1.0\n\nThe first version.\n");
});
afterEach(() => rmSync(checkout, { recursive: true }));

it("a checkout can be published if its changelog has the version of the package", () => {
  expect(missingToPublish(checkout)).toEqual([]);
});

it("a checkout cannot be published without the repository, from which npm creates the links of the README", () => {
  write("package.json", manifestOf({ repository: undefined }));
  expect(missingToPublish(checkout)).toEqual([expect.stringContaining('no "repository"')]);
});

it.each(MENTION_NPM)(
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
  write("package.json", manifestOf({ version: "0.3.0" }));
  write("templates/next/package.json", '{ "dependencies": { "elicit-kit": "0.3.0" } }');
  expect(missingToPublish(checkout)).toEqual(["CHANGELOG.md begins with 0.2.0. It must begin with 0.3.0."]);
});

it("a checkout cannot be published while the template installs another version", () => {
  write("templates/next/package.json", '{ "dependencies": { "elicit-kit": "0.1.0" } }');
  expect(missingToPublish(checkout)).toEqual([
    "templates/next/package.json must depend on elicit-kit 0.2.0.",
  ]);
});

it("a checkout cannot be published under a name that its guides do not install", () => {
  write("package.json", manifestOf({ name: "@acme/kit" }));
  expect(missingToPublish(checkout)).toEqual([expect.stringContaining("@acme/kit")]);
});

it("this checkout can be published once its owner has given the values, even if they are given again", async () => {
  for (const path of [
    "package.json",
    "SECURITY.md",
    "CHANGELOG.md",
    "templates/next/package.json",
    ...MENTION_NPM,
  ]) {
    cpSync(join(root, path), join(checkout, path));
  }
  const read = (path: string) => readFileSync(join(checkout, path), "utf8");
  fillReleaseValues(checkout, { repository: "github:first/kit", contact: "first@acme.example" });
  fillReleaseValues(checkout, { repository: "github:acme/kit", contact: "security@acme.example" });
  expect(missingToPublish(checkout)).toEqual([]);
  const manifest = read("package.json");
  expect(JSON.parse(manifest)).toMatchObject({
    ...JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
    repository: "github:acme/kit",
    homepage: "https://github.com/acme/kit#readme",
    bugs: "https://github.com/acme/kit/issues",
  });
  // The lint stage would refuse another order.
  expect((await format("package.json", manifest)).code).toBe(manifest);
  expect(read("README.md")).toContain("git clone https://github.com/acme/kit");
  expect(MENTION_NPM.map(read).join("")).not.toContain("The release removes");
  expect(read("docs/start/quickstart.md")).toMatch(/^npm install elicit-kit$/m);
});

it("a repository that is written in another way is refused with the form that is needed", () => {
  const values = { repository: "acme/kit", contact: "security@acme.example" };
  expect(() => fillReleaseValues(checkout, values)).toThrow("github:owner/name");
});
