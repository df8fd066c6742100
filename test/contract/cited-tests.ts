import { parseSync } from "vite";
import { isObject } from "../../src/contract/json.ts";

/** A test that a document cites: its file, and a part of its title. Without a title: all tests of the file. */
export interface Citation {
  readonly path: string;
  readonly title: string | undefined;
}

/**
 * The tests that the last column of a document's tables cites: each file in code quotes, followed by titles in double
 * quotes. A file without titles stands for all of its tests.
 */
export function citationsOf(document: string): Citation[] {
  return document
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .flatMap((line) => {
      const [last = ""] = line.split("|").slice(-2);
      const cited: Citation[] = [];
      let file: string | undefined;
      let hasTitle = true;
      for (const [, path, title] of last.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`|"([^"]+)"/g)) {
        if (path !== undefined) {
          if (file !== undefined && !hasTitle) cited.push({ path: file, title: undefined });
          [file, hasTitle] = [path, false];
        } else if (file !== undefined) {
          cited.push({ path: file, title });
          hasTitle = true;
        }
      }
      if (file !== undefined && !hasTitle) cited.push({ path: file, title: undefined });
      return cited;
    });
}

/** By source text, because parsing takes long and most files are cited several times. */
const known = new Map<string, readonly string[]>();

const MAKES_TESTS = new Set(["it", "test", "describe", "fieldCase"]);

/** The titles of the tests and groups in a file's source. `path` distinguishes TypeScript from TSX. */
export function titlesOf(source: string, path: string): string[] {
  const titles: string[] = [];
  function visit(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isObject(node)) return;
    if (node["type"] === "CallExpression" && MAKES_TESTS.has(rootOf(node["callee"]))) {
      const given: unknown[] = Array.isArray(node["arguments"]) ? node["arguments"] : [];
      // The title of a case of the field comes after its report.
      const title = given.map(textOf).find((text) => text !== undefined);
      if (title !== undefined) titles.push(title);
    }
    Object.values(node).forEach(visit);
  }
  visit(parseSync(path, source).program.body);
  return titles;
}

/** The name that a call begins with: `it` of `it.each(cases)(title, test)`. */
function rootOf(callee: unknown): string {
  if (!isObject(callee)) return "";
  if (callee["type"] === "Identifier") return String(callee["name"]);
  return rootOf(callee["object"] ?? callee["callee"] ?? callee["tag"]);
}

/** The text of a literal. Expressions in a template become `${}`. */
function textOf(node: unknown): string | undefined {
  if (!isObject(node)) return undefined;
  if (node["type"] === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node["type"] !== "TemplateLiteral" || !Array.isArray(node["quasis"])) return undefined;
  return node["quasis"]
    .map((quasi: unknown) =>
      isObject(quasi) && isObject(quasi["value"]) ? String(quasi["value"]["cooked"]) : "",
    )
    .join("${}");
}

/** Returns what is wrong with a citation, or `undefined` if the test exists. */
export function faultOf({ path, title }: Citation, read: (path: string) => string): string | undefined {
  let titles: readonly string[];
  try {
    const source = read(path);
    titles = known.get(source) ?? titlesOf(source, path);
    known.set(source, titles);
  } catch {
    return `there is no file ${path}`;
  }
  if (titles.length === 0) return `${path} has no tests`;
  // A part is enough, because many titles begin with the value of a row (`%s is refused`).
  if (title === undefined || titles.some((each) => each.includes(title))) return undefined;
  return `${path} has no test with "${title}" in its title`;
}
