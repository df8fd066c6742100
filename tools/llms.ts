/**
 * The docs for language models: `node tools/llms.ts` writes llms.txt, an index, from docs/README.md. The build writes
 * llms-full.txt, the text of all those pages, into dist.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The links of a text, as paths from the root of the checkout. */
const fromRoot = (text: string) =>
  text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_link, path: string) => `](${posix.join("docs", path)})`);

export function llmsIndex(): string {
  const [, summary = ""] = /^\*\*(.+)\*\*$/m.exec(read("README.md")) ?? [];
  const [, ...sections] = read("docs/README.md").split(/^(?=## )/m);
  return `# elicit-kit\n\n> ${summary}\n\n${fromRoot(sections.join(""))}`;
}

/**
 * The pages that the index links to, each once, in order. Without the API reference, which is too long to read at once,
 * and the evidence, which is not in the package.
 */
export function llmsPages(): string[] {
  const links = [...llmsIndex().matchAll(/\]\((docs\/(?!api\/|evidence\/)(?:[\w-]+\/)*[\w-]+\.md)/g)].map(
    ([, path = ""]) => path,
  );
  return ["README.md", ...new Set(links)];
}

export function llmsFull(): string {
  return llmsPages()
    .map((page) => `<!-- ${page} -->\n\n${read(page)}`)
    .join("\n");
}

if (import.meta.main) writeFileSync(join(root, "llms.txt"), llmsIndex());
