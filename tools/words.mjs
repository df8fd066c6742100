/**
 * The lint for sentences: prose in Markdown, comments, test titles, and the kit's errors use the words of CONTRIBUTING.md
 * and name the actor first. As a program it checks the whole checkout; `riddlesIn` checks one text.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "vite";
import { root } from "./bootstrap.mjs";

/** @typedef {{ line: number, text: string, title: boolean, alone?: boolean }} Passage */

const VERB =
  "(?:is|are|was|were|does|must|may|can|will|goes|comes|stands|gets|needs|ends|sends|knows|learns|reads|takes)";

/** Patterns that a passage may not match. A question that ends with a question mark may begin with Who and What. */
const RIDDLES = [
  {
    // A clause as the subject: “What was typed is kept.” As a name alone it is allowed: “What was typed.”
    pattern: new RegExp(`(?:^|[.;] )(?:Who|What) [^.?:;,]*\\b${VERB}\\b[^.?:;,]*\\b${VERB}\\b[^.?]*\\.`),
    instead: "a sentence whose subject is the actor",
  },
  {
    pattern: /\b(?:is|are|was|were|be|been) told\b(?! (?:apart|from))/,
    instead: "“the client gets …”, “X tells Y …”",
  },
  { pattern: /\bwhoever\b/i, instead: "a user who …, the process that …" },
  { pattern: /\b(?:says|said|say) nothing\b/, instead: "what it means, or that it is ignored" },
  { pattern: /\bnothing but\b/, instead: "only" },
  { pattern: /\b(?:hears?|heard) (?:of|from)\b/, instead: "learns, reads, gets" },
  { pattern: /\bowes?\b/, instead: "must still …" },
  { pattern: /\blets? go of\b/, instead: "releases, ends, stops using" },
  { pattern: /\bknows? nothing\b/, instead: "what it does not have, or does not read" },
  { pattern: /\bin the words of\b/, instead: "“the text of …”, “in the format of …”" },
  { pattern: /\b[Ss]ee(?:s|n)? to it\b/, instead: "the verb itself: ends, keeps, checks" },
  { pattern: /(?<![-\w`./])[Pp]ersons?(?![-\w`/]|\.[a-z])/, instead: "user" },
  {
    pattern: /\b(?:goes|go|going|went|gone) on(?= with\b|[.,;:)]|$| in the same)/,
    instead: "continue",
  },
];

/** A title that begins with a number names a case, not a behaviour. */
const NUMBERED = /^\d+[.:)]? [a-z]/;

/**
 * A title outside of `describe` that begins like this has no subject. Verbs that are also plurals of nouns, such as
 * “reads”, are not in the list.
 */
const SUBJECTLESS = new RegExp(
  "^(?:it|they|that|what|who|accepts|adds|asks|becomes|connects|contains|continues|creates|detects|does|fills|finds|" +
    "follows|gets|gives|has|ignores|is|keeps|lets|opens|proposes|recognises|refuses|removes|renders|requires|returns|" +
    "sends|serves|takes|throws|treats|withdraws) (?!.*\\?$)",
);

const TESTS = new Set(["test", "it", "describe", "fieldCase"]);
const READ = /\.(?:ts|tsx|mjs|md)$/;
/** This file and its test must contain the words. docs/api is generated from docstrings. */
const EXEMPT = /^(?:tools\/words\.|tools\/retired-names\.|CHANGELOG\.md$|docs\/api\/)/;

/**
 * @param {string} path
 * @param {string} text
 * @returns {string[]} a line for each sentence to rewrite in a file
 */
export function riddlesIn(path, text) {
  if (EXEMPT.test(path) || !READ.test(path)) return [];
  const passages = path.endsWith(".md") ? proseOf(text) : passagesOf(path, text);
  return passages.flatMap(({ line, text: passage, title, alone }) => {
    const words = passage.replaceAll(/`[^`]*`|\]\([^)]*\)|<[^>]+>|https?:\S+/g, "`");
    const found = RIDDLES.flatMap(({ pattern, instead }) => {
      const match = pattern.exec(words)?.[0];
      return match === undefined ? [] : [`${path}:${line}: "${match.slice(0, 80)}". Write: ${instead}`];
    });
    if (title && NUMBERED.test(words)) {
      found.push(`${path}:${line}: the title begins with a number. Write: the behaviour`);
    }
    if (alone === true && SUBJECTLESS.test(words)) {
      found.push(`${path}:${line}: the title has no subject. Write: who does it`);
    }
    return found;
  });
}

/**
 * Paragraphs, list items and table cells, without fenced code.
 *
 * @param {string} text
 * @returns {Passage[]}
 */
function proseOf(text) {
  let fenced = false;
  return text.split("\n").flatMap((line, at) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    if (fenced) return [];
    const cells = line.startsWith("|") ? line.split("|") : [line.replace(/^\s*(?:[-*#>]+|\d+\.) +/, "")];
    return cells.map((cell) => ({ line: at + 1, text: cell.trim(), title: false }));
  });
}

/**
 * Comments, test titles, and texts that begin like the kit's errors.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Passage[]}
 */
function passagesOf(path, text) {
  const { program, comments } = parseSync(path, text);
  const lineOf = (/** @type {number} */ offset) => text.slice(0, offset).split("\n").length;
  /** @type {Passage[]} */
  const passages = joined(comments, text).map(({ start, value }) => ({
    line: lineOf(start),
    text: value.replaceAll(/\n?\s*\* ?/g, " ").trim(),
    title: false,
  }));
  const titled = new Set();
  /** Where the last group of tests ends. Its tests take their subject from its title. */
  let groupEnd = 0;
  new Visitor({
    CallExpression({ callee, end, arguments: [report, second] }) {
      const name = rootOf(callee) ?? "";
      const first = name === "fieldCase" ? second : report;
      if (first === undefined || !TESTS.has(name)) return;
      const isGroup = /^(?:test\.)?describe\b/.test(text.slice(callee.start, callee.end));
      if (isGroup) groupEnd = Math.max(groupEnd, end);
      const title = literalOf(first);
      if (title === undefined) return;
      titled.add(first.start);
      const alone = !isGroup && first.start > groupEnd;
      passages.push({ line: lineOf(first.start), text: title, title: true, alone });
    },
    Literal(node) {
      if (titled.has(node.start) || typeof node.value !== "string") return;
      if (node.value.startsWith("elicit-kit:"))
        passages.push({ line: lineOf(node.start), text: node.value, title: false });
    },
  }).visit(program);
  return passages;
}

/**
 * Joins consecutive line comments into one text.
 *
 * @param {readonly { type: string, value: string, start: number, end: number }[]} comments
 * @param {string} text
 */
function joined(comments, text) {
  /** @type {{ start: number, end: number, line: boolean, value: string }[]} */
  const texts = [];
  for (const { type, value, start, end } of comments) {
    const last = texts.at(-1);
    const line = type === "Line";
    if (line && last?.line === true && /^\s*$/.test(text.slice(last.end, start))) {
      last.value += ` ${value.trim()}`;
      last.end = end;
    } else texts.push({ start, end, line, value: value.trim() });
  }
  return texts;
}

/**
 * The name at the start of `test.each([…])` and the like.
 *
 * @param {any} callee
 * @returns {string | undefined}
 */
function rootOf(callee) {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "MemberExpression") return rootOf(callee.object);
  if (callee.type === "CallExpression") return rootOf(callee.callee);
  return callee.type === "TaggedTemplateExpression" ? rootOf(callee.tag) : undefined;
}

/**
 * @param {any} node
 * @returns {string | undefined}
 */
function literalOf(node) {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral") return undefined;
  return node.quasis.map((/** @type {any} */ { value }) => value.cooked).join("…");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const found = files.flatMap((path) =>
    READ.test(path) ? riddlesIn(path, readFileSync(join(root, path), "utf8")) : [],
  );
  for (const line of found) console.error(line);
  if (found.length > 0) {
    console.error(`elicit-kit: ${found.length} sentences to rewrite. CONTRIBUTING.md has the words.`);
    process.exitCode = 1;
  }
}
