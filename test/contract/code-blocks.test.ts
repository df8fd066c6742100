import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { expect, test } from "vitest";
import { sourceAlias } from "../../tools/source-alias.mjs";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const pages = [
  "README.md",
  "llms.txt",
  "skills/elicit-kit/SKILL.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !/^(?:api|evidence)\//.test(path))
    .map((path) => `docs/${path}`),
];

/** The code of a page, in TypeScript or JavaScript, by the line where it begins. */
function blocksOf(page: string): { line: number; code: string }[] {
  const text = read(page);
  return [...text.matchAll(/^```(?:tsx?|jsx?)\b[^\n]*\n([^]*?)^```$/gm)].map(({ index, 1: code = "" }) => ({
    line: text.slice(0, index).split("\n").length,
    code,
  }));
}

/** A block is a file, the inside of a function, or members of an object that the page names. */
const READINGS = [
  (code: string) => code,
  (code: string) => `async function* f() { ${code}\n }`,
  (code: string) => `const o = { ${code}\n };`,
  (code: string) => `const o = {\n${code.replace(/,?\s*$/, "")},\nasync execute() {} };`,
];

function parsed(code: string): ESTree.Program | undefined {
  for (const reading of READINGS) {
    const { program, errors } = parseSync("block.tsx", reading(code));
    if (errors.length === 0) return program;
  }
  return undefined;
}

test("the pages contain only code that a parser accepts", () => {
  const broken = pages.flatMap((page) =>
    blocksOf(page)
      .filter(({ code }) => parsed(code) === undefined)
      .map(({ line }) => `${page}:${line}`),
  );
  expect(broken).toEqual([]);
});

/** What an entry exports. */
function exportsOf(file: string): Set<string> {
  const names = new Set<string>();
  for (const statement of parseSync(file, readFileSync(file, "utf8")).program.body) {
    if (statement.type === "ExportAllDeclaration") {
      const { exported, source } = statement;
      if (exported === null) for (const name of exportsOf(join(file, "..", source.value))) names.add(name);
      else if (exported.type === "Identifier") names.add(exported.name);
    }
    if (statement.type !== "ExportNamedDeclaration") continue;
    for (const { exported } of statement.specifiers) if ("name" in exported) names.add(exported.name);
    const { declaration } = statement;
    if (declaration !== null && "id" in declaration && declaration.id !== null && "name" in declaration.id) {
      names.add(declaration.id.name);
    }
    if (declaration?.type === "VariableDeclaration") {
      for (const { id } of declaration.declarations) if (id.type === "Identifier") names.add(id.name);
    }
  }
  return names;
}

test("every name that a page imports from the kit is exported there", () => {
  const missing: string[] = [];
  let count = 0;
  for (const page of pages) {
    for (const { line, code } of blocksOf(page)) {
      const program = parsed(code);
      if (program === undefined) continue;
      new Visitor({
        ImportDeclaration({ source, specifiers }) {
          const entry = sourceAlias.find(({ find }) => find.test(source.value));
          if (!/^elicit-kit(?:\/[\w/-]+)?$/.test(source.value)) return;
          const file = entry && source.value.replace(entry.find, entry.replacement);
          const exported = file === undefined ? new Set<string>() : exportsOf(file);
          for (const specifier of specifiers) {
            count += 1;
            const name =
              "imported" in specifier && "name" in specifier.imported ? specifier.imported.name : "*";
            if (name !== "*" && !exported.has(name))
              missing.push(`${page}:${line}: ${name} of ${source.value}`);
          }
        },
      }).visit(program);
    }
  }
  expect(count).toBeGreaterThan(150);
  expect(missing).toEqual([]);
});
