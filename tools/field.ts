/** `npm run field`: writes docs/evidence/field.md, the table of the public reports that test/field tries. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { root } from "./bootstrap.mjs";

export const fieldPage = join(root, "docs", "evidence", "field.md");

interface Case {
  readonly title: string;
  readonly sources: readonly string[];
  readonly before: string;
}

interface Kind {
  readonly file: string;
  /** The first sentence of the file's comment, or the words of its name. */
  readonly name: string;
  readonly cases: readonly Case[];
}

/** The page, from the calls of `fieldCase` in test/field. */
export function fieldPageText(): string {
  const folder = join(root, "test", "field");
  const kinds = readdirSync(folder)
    .filter((file) => /\.test\.tsx?$/.test(file))
    .toSorted()
    .map((file) => kindOf(file, readFileSync(join(folder, file), "utf8")));
  const cases = kinds.flatMap((kind) => kind.cases);
  const failed = cases.filter(({ before }) => before === "failed").length;
  const lines = kinds.flatMap(({ file, name, cases: own }) => [
    "",
    `## ${name}`,
    "",
    `[\`test/field/${file}\`](../../test/field/${file})`,
    "",
    "| what users get | public report | at the first try |",
    "| --- | --- | --- |",
    ...own.map(
      ({ title, sources, before }) => `| ${cell(title)} | ${sources.map(linkOf).join(", ")} | ${before} |`,
    ),
  ]);
  return [
    "# Cases of the field",
    "",
    "Public reports of users who do this job with other tools, each tried on this kit as a test. `npm run field` writes this page from `test/field`, and `npx vitest run test/field` runs the cases.",
    "",
    `${cases.length} cases of ${kinds.length} kinds. At the first try ${cases.length - failed} passed and ${failed} failed. All pass now.`,
    ...lines,
    "",
  ].join("\n");
}

function kindOf(file: string, text: string): Kind {
  const { program, comments } = parseSync(file, text);
  const cases: Case[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [report, title] }) {
      if (callee.type !== "Identifier" || callee.name !== "fieldCase") return;
      const said = report === undefined ? "" : text.slice(report.start, report.end);
      const sources = stringsIn(/sources:\s*\[([^\]]*)\]/.exec(said)?.[1] ?? "");
      const [before] = stringsIn(/before:\s*("\w+")/.exec(said)?.[1] ?? "");
      const words = titleOf(title);
      if (sources.length === 0 || before === undefined || words === undefined) {
        throw new Error(`elicit-kit: test/field/${file} has a fieldCase whose arguments are not literals.`);
      }
      cases.push({ title: words, sources, before });
    },
  }).visit(program);
  if (cases.length === 0) throw new Error(`elicit-kit: test/field/${file} has no fieldCase.`);
  const [about] = comments;
  const sentence = about?.type === "Block" ? /^[\s*]*([^.]+)\./.exec(about.value)?.[1] : undefined;
  const words =
    sentence?.replaceAll(/\s*\n\s*\* ?/g, " ").trim() ?? file.replace(/\..*$/, "").replaceAll("-", " ");
  return { file, name: words.charAt(0).toUpperCase() + words.slice(1), cases };
}

/** The title, with “…” in place of the values that differ from case to case. */
function titleOf(node: ESTree.Argument | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  return node?.type === "TemplateLiteral"
    ? node.quasis.map(({ value }) => value.cooked).join("…")
    : undefined;
}

/** The strings in double quotes. */
function stringsIn(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"/g)].map(([, value = ""]) => value);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

function linkOf(source: string): string {
  const issue = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source);
  if (issue !== null) return `[${source}](https://github.com/${issue[1]}/issues/${issue[2]})`;
  if (source.startsWith("CVE-")) return `[${source}](https://nvd.nist.gov/vuln/detail/${source})`;
  if (source.startsWith("https:")) return `[${new URL(source).host}](${source})`;
  return cell(source);
}

if (import.meta.main) writeFileSync(fieldPage, fieldPageText());
