/**
 * The docs for language models: `node tools/llms.ts` writes llms.txt from the package's skill for coding agents, with the
 * list of all guides, which the package has beside it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The guides that the index of the docs links to, each once, in order. */
function guides(): { name: string; path: string }[] {
  const links = read("docs/README.md").matchAll(
    /\[([^\]]+)\]\(((?!api\/|evidence\/)(?:[\w-]+\/)*[\w-]+\.md)\)/g,
  );
  const byPath = new Map([...links].map(([, name = "", path = ""]) => [posix.join("docs", path), name]));
  return [...byPath].map(([path, name]) => ({ name, path }));
}

export function llmsText(): string {
  const [, summary = ""] = /^\*\*(.+)\*\*$/m.exec(read("README.md")) ?? [];
  const [, skill = ""] = read("skills/elicit-kit/SKILL.md").split(/^# elicit-kit\n/m);
  const links = guides().map(({ name, path }) => `[${name}](${path})`);
  return `# elicit-kit\n\n> ${summary}\n${skill}\n## The guides\n\n${links.join(" · ")}\n`;
}

/** The pages that llms.txt leads to. Without the API reference, which is too long, and the evidence, which is not shipped. */
export function llmsPages(): string[] {
  return ["README.md", ...guides().map(({ path }) => path)];
}

if (import.meta.main) writeFileSync(join(root, "llms.txt"), llmsText());
