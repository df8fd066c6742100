/**
 * `npm run release-values -- --repository github:acme/elicit-kit --name elicit-kit --contact security@acme.example`: fills in
 * the values of the owner everywhere, and removes the paragraphs that are true only before the first version.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface ReleaseValues {
  /** `github:owner/name`. */
  readonly repository: string;
  /** The name of the package on npm. */
  readonly name: string;
  /** Where a weakness is reported if not on GitHub: an e-mail address. */
  readonly contact: string;
}

/** The paragraph, with the comment above it. */
const BEFORE_RELEASE = /<!-- The release removes this[^>]*-->\nNot on npm yet:[^\n]*\n\n/;

export function fillReleaseValues(checkout: string, { repository, name, contact }: ReleaseValues): void {
  const [, path] = /^github:([\w.-]+\/[\w.-]+)$/.exec(repository) ?? [];
  if (path === undefined) {
    throw new Error(`elicit-kit: the repository must be written as github:owner/name, and is: ${repository}`);
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(contact)) {
    throw new Error(`elicit-kit: the contact must be an e-mail address, and is: ${contact}`);
  }
  const address = `https://github.com/${path}`;
  const edit = (file: string, change: (text: string) => string) => {
    const at = join(checkout, file);
    writeFileSync(at, change(readFileSync(at, "utf8")));
  };
  edit("package.json", (text) => {
    const { version, description, ...more }: Record<string, unknown> = JSON.parse(text);
    const links = { repository, homepage: `${address}#readme`, bugs: `${address}/issues` };
    const filled = { ...more, name, version, description, ...links };
    return `${JSON.stringify(filled, null, 2)}\n`;
  });
  for (const file of ["README.md", "templates/next/README.md"]) {
    edit(file, (text) => text.replace(BEFORE_RELEASE, ""));
  }
  edit("README.md", (text) =>
    text.replace("In a checkout. A script plays", `In a checkout (\`git clone ${address}\`). A script plays`),
  );
  // It is for code that was written before the first version.
  edit("CHANGELOG.md", (text) => text.replace(/^## Unreleased\n[^]*?(?=^## \d)/m, ""));
  edit("SECURITY.md", (text) =>
    text.replace(/^(Report a weakness[^\n]*?)(?: Or write to [^\n]+)?$/m, `$1 Or write to ${contact}.`),
  );
}

if (import.meta.main) {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { repository: text, name: text, contact: text } });
  const { repository, name, contact } = values;
  if (repository === undefined || name === undefined || contact === undefined) {
    throw new Error(
      "elicit-kit: give --repository github:owner/name, --name (of the package on npm) and --contact (an e-mail address).",
    );
  }
  fillReleaseValues(join(import.meta.dirname, ".."), { repository, name, contact });
}
