/**
 * `npm run release-check`: lists what is left to the owner of the package. `npm publish` runs it first, because a version
 * on npm cannot be replaced.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The pages that say how to install the package before it is on npm. */
export const MENTION_NPM = ["README.md", "docs/start/quickstart.md", "templates/next/README.md"];

/** Lists what a checkout lacks for publishing. Each entry explains how to add it. */
export function missingToPublish(checkout: string): string[] {
  const read = (path: string) => readFileSync(join(checkout, path), "utf8");
  const { name, version, repository }: { name: string; version: string; repository?: unknown } = JSON.parse(
    read("package.json"),
  );
  const missing: string[] = [];
  if (name !== "elicit-kit") {
    missing.push(
      `package.json names the package ${name}. The guides, the template and \`init\` install and import elicit-kit.`,
    );
  }
  if (repository === undefined) {
    missing.push(
      'package.json has no "repository": npm needs it for the links of the README. Set it with npm run release-values.',
    );
  }
  if (!/[^\s@]+@[^\s@]+/.test(read("SECURITY.md"))) {
    missing.push("SECURITY.md has no e-mail address for reports. Set it with npm run release-values.");
  }
  for (const path of MENTION_NPM) {
    if (read(path).includes("Not on npm yet"))
      missing.push(`${path} says "Not on npm yet". npm run release-values removes that.`);
  }
  const pending = readdirSync(join(checkout, ".changeset")).filter((file) => file.endsWith(".md"));
  if (pending.length > 0) {
    missing.push(
      `.changeset/ has ${pending.join(", ")}. Run npx changeset version, or for the first version move the sentences into CHANGELOG.md.`,
    );
  }
  const [, newest] = /^## (.+)$/m.exec(read("CHANGELOG.md")) ?? [];
  if (newest !== version) {
    missing.push(`CHANGELOG.md begins with ${newest ?? "no version"}. It must begin with ${version}.`);
  }
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    read("templates/next/package.json"),
  );
  if (dependencies["elicit-kit"] !== version) {
    missing.push(`templates/next/package.json must depend on elicit-kit ${version}.`);
  }
  return missing;
}

if (import.meta.main) {
  const missing = missingToPublish(join(import.meta.dirname, ".."));
  for (const each of missing) console.error(`elicit-kit: ${each}`);
  if (missing.length > 0) process.exitCode = 1;
}
