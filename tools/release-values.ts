/**
 * `npm run release-values -- --repository github:acme/elicit-kit --contact security@acme.example`: fills in the values of the
 * owner everywhere, and removes what is true only before the first version. Run it again to change a value.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MENTION_NPM } from "./ready-to-publish.ts";

export interface ReleaseValues {
  /** `github:owner/name`. */
  readonly repository: string;
  /** Where a weakness is reported if not on GitHub: an e-mail address. */
  readonly contact: string;
}

/** A paragraph, with the comment above it, or the comment of a command. */
const BEFORE_RELEASE =
  /<!-- The release removes this[^>]*-->\nNot on npm yet:[^\n]*\n\n| +# Not on npm yet:[^\n]*/;

export function fillReleaseValues(checkout: string, { repository, contact }: ReleaseValues): void {
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
    const { name, version, description, keywords, license, ...more }: Record<string, unknown> =
      JSON.parse(text);
    const [homepage, bugs] = [`${address}#readme`, `${address}/issues`];
    // The order of the formatter.
    const head = { name, version, description, keywords, homepage, bugs, license, repository };
    const filled = { ...head, ...more, ...head };
    return `${JSON.stringify(filled, null, 2)}\n`;
  });
  for (const file of MENTION_NPM) edit(file, (text) => text.replace(BEFORE_RELEASE, ""));
  edit("README.md", (text) =>
    text.replace(
      /In a checkout(?: \(`git clone [^`]*`\))?\. A script plays/,
      `In a checkout (\`git clone ${address}\`). A script plays`,
    ),
  );
  edit("SECURITY.md", (text) =>
    text.replace(
      /^(Report a weakness[^\n]*?)(?: You can also write to [^\n]+)?$/m,
      `$1 You can also write to ${contact}.`,
    ),
  );
}

if (import.meta.main) {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { repository: text, contact: text } });
  const { repository, contact } = values;
  if (repository === undefined || contact === undefined) {
    throw new Error("elicit-kit: give --repository github:owner/name and --contact (an e-mail address).");
  }
  fillReleaseValues(join(import.meta.dirname, ".."), { repository, contact });
}
