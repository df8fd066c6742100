/**
 * The API reference, from the docstrings of all exports of the package. Run `node tools/api-reference.ts` after `npm run
 * build` to write docs/api.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };
import { type Declaration, Declarations, type Exported } from "./declarations.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** All catalogues of words have the same exports, so they share a page. */
const SHARED = /^\.\/catalogues\//;

interface Entry {
  /** The name that users import: `elicit-kit/client`. */
  readonly name: string;
  readonly types: string;
  readonly page: string;
}

export interface ApiReference {
  /** Text of each page by its name in docs/api. */
  readonly pages: ReadonlyMap<string, string>;
  /** The names that each entry exports. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Exports without a docstring: `elicit-kit/client: admit`. */
  readonly undocumented: readonly string[];
}

/** Reads what `npm run build` wrote. */
export function apiReference(): ApiReference {
  const declarations = new Declarations();
  const entries = readEntries();
  const homes = homesOf(entries, declarations);
  const byPage = new Map<string, Entry[]>();
  for (const entry of entries) byPage.set(entry.page, [...(byPage.get(entry.page) ?? []), entry]);
  const written = [...byPage].map(([page, members]) => {
    const writer = new Page(page, declarations, homes);
    return [page, writer.write(members), writer.undocumented] as const;
  });
  const pages = new Map(written.map(([page, text]) => [page, text]));
  pages.set("README.md", index(byPage, declarations));
  const names = new Map(entries.map(({ name, types }) => [name, [...declarations.exportsOf(types).keys()]]));
  return { pages, names, undocumented: written.flatMap(([, , undocumented]) => undocumented) };
}

/** One page during its generation. */
class Page {
  readonly undocumented: string[] = [];
  readonly #name: string;
  readonly #declarations: Declarations;
  readonly #homes: ReadonlyMap<string, Home>;
  /** The declarations that are already on the page, with their headings. */
  readonly #shown = new Map<Declaration, string>();
  /** Types that the page mentions and no entry exports. */
  readonly #behind = new Set<Declaration>();

  constructor(name: string, declarations: Declarations, homes: ReadonlyMap<string, Home>) {
    this.#name = name;
    this.#declarations = declarations;
    this.#homes = homes;
  }

  write(members: readonly Entry[]): string {
    const [first] = members;
    const isShared = members.length > 1;
    const parts = [`# ${isShared ? "elicit-kit/catalogues/*" : first?.name}`, NOTE];
    if (isShared) parts.push(`Imports: ${members.map(({ name }) => `\`${name}\``).join(", ")}.`);
    for (const { types } of members) {
      const about = this.#declarations.docOf(types);
      if (about !== undefined) parts.push(prose(about));
      parts.push(...this.#sections(this.#declarations.exportsOf(types), !isShared));
    }
    if (this.#behind.size > 0) {
      parts.push("## Behind these", "Named above, and not exported: to be read, not imported.");
      // The set grows during the loop: these types mention others.
      for (const what of this.#behind) parts.push(this.#section(what.name, what, "###", false));
    }
    return `${parts.join("\n\n")}\n`;
  }

  #sections(exported: ReadonlyMap<string, Exported>, withTitles: boolean): string[] {
    const parts: string[] = [];
    const companions = companionsOf(exported, this.#declarations);
    for (const [title, kinds] of GROUPS) {
      const own = [...exported]
        .filter(([name, { kind }]) => kinds.includes(kind) && !companions.has(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      if (own.length > 0 && withTitles) parts.push(`## ${title}`);
      for (const [name, what] of own) {
        const named =
          what.kind === "namespace"
            ? [...this.#declarations.exportsOf(what.file)].map(
                ([part, it]) => [`${name}.${part}`, it] as const,
              )
            : [[name, what] as const];
        for (const [heading, it] of named) {
          if (it.kind === "namespace") continue;
          parts.push(this.#section(heading, it));
          for (const suffix of COMPANIONS) {
            const companion = exported.get(it.name + suffix);
            if (companion === undefined || companion.kind === "namespace" || this.#shown.has(companion))
              continue;
            parts.push(this.#section(it.name + suffix, companion, "####", false));
          }
        }
      }
    }
    return parts;
  }

  #section(name: string, what: Declaration, level = "###", needsDoc = true): string {
    const before = this.#shown.get(what);
    if (before !== undefined) return `${level} ${name}\n\nThe same as [${before}](#${anchor(before)}).`;
    this.#shown.set(what, name);
    const { text, doc } = what;
    if (doc === undefined && needsDoc) this.undocumented.push(`${this.#name}: ${name}`);
    const parts = [`${level} ${name}`, ...(doc === undefined ? [] : [prose(doc)])];
    parts.push(`\`\`\`ts\n${readable(text)}\n\`\`\``);
    parts.push(...examples(doc ?? ""));
    const links = this.#links(what);
    if (links.length > 0) parts.push(`Types: ${links.join(", ")}`);
    return parts.join("\n\n");
  }

  #links({ file, mentions, name }: Declaration): string[] {
    const links = new Set<string>();
    for (const mention of mentions) {
      const type = this.#declarations.find(file, mention);
      if (type === undefined || type.name === name) continue;
      const home = this.#homes.get(keyOf(type)) ?? { page: this.#name, name: type.name };
      if (!this.#homes.has(keyOf(type))) this.#behind.add(type);
      links.add(`[\`${home.name}\`](${home.page === this.#name ? "" : home.page}#${anchor(home.name)})`);
    }
    return [...links];
  }
}

/** The anchor that GitHub generates for a heading. */
function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(".", "");
}

/** The types of a component's props and state, which are shown below it. */
const COMPANIONS = ["Props", "State"];

function companionsOf(exported: ReadonlyMap<string, Exported>, declarations: Declarations): Set<string> {
  const components = [...exported.values()].flatMap((what) =>
    what.kind === "namespace" ? [...declarations.exportsOf(what.file).values()] : [what],
  );
  return new Set(
    components.flatMap((what) =>
      what.kind === "component" ? COMPANIONS.map((suffix) => what.name + suffix) : [],
    ),
  );
}

const NOTE = "<!-- Written by tools/api-reference.ts from the docstrings. -->";

const GROUPS: readonly (readonly [string, readonly Exported["kind"][]])[] = [
  ["Components", ["component"]],
  ["Parts", ["namespace"]],
  ["Functions", ["function"]],
  ["Classes", ["class"]],
  ["Constants", ["constant"]],
  ["Types", ["type"]],
];

function readEntries(): Entry[] {
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    if (typeof target === "string" || path.endsWith(".css")) return [];
    const slug = SHARED.test(path) ? "catalogues" : path.slice(2).replaceAll("/", "-");
    const page = `${slug === "" ? "elicit-kit" : slug}.md`;
    return [{ name: `elicit-kit${path.slice(1)}`, types: join(root, target.types), page }];
  });
}

interface Home {
  readonly page: string;
  readonly name: string;
}

/** The page of each declaration: that of the first entry that exports it. */
function homesOf(entries: readonly Entry[], declarations: Declarations): ReadonlyMap<string, Home> {
  const homes = new Map<string, Home>();
  for (const { types, page } of entries) {
    for (const [name, what] of declarations.exportsOf(types)) {
      if (what.kind !== "namespace" && !homes.has(keyOf(what))) homes.set(keyOf(what), { page, name });
    }
  }
  return homes;
}

function keyOf({ file, name }: Declaration): string {
  return `${file}#${name}`;
}

/** Formats a docstring as Markdown: its text, then its tags as a list. Examples come after the declaration. */
function prose(doc: string): string {
  const [text = "", ...tags] = doc.split(/^@/m);
  const parts = [text.trim().replaceAll(/\{@link ([^}]+)\}/g, "`$1`")];
  const list: string[] = [];
  for (const tag of tags) {
    const [, name = "", rest = ""] = /^(\w+)\s*([\s\S]*)$/.exec(tag.trim()) ?? [];
    if (name !== "example") list.push(tagLine(name, rest));
  }
  if (list.length > 0) parts.splice(1, 0, list.join("\n"));
  return parts.filter((part) => part !== "").join("\n\n");
}

function examples(doc: string): string[] {
  return doc
    .split(/^@/m)
    .filter((tag) => tag.startsWith("example"))
    .map((tag) => `\`\`\`tsx\n${tag.slice("example".length).trim()}\n\`\`\``);
}

function tagLine(name: string, rest: string): string {
  const text = rest.replaceAll(/\s*\n\s*/g, " ").trim();
  const [, parameter = "", meaning = ""] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
  if (name === "param") return `- \`${parameter}\`: ${meaning.replace(/^- /, "")}`;
  return `- ${name.charAt(0).toUpperCase()}${name.slice(1)}: ${text}`;
}

/** Removes code that only the compiler needs. */
function readable(text: string): string {
  return text
    .replaceAll(/import\("[^"]+"\)\./g, "")
    .replaceAll(/^ +(?:private|#private).*\n/gm, "")
    .replaceAll(/^( +)/gm, (indent) => " ".repeat(Math.ceil(indent.length / 2)));
}

function index(byPage: ReadonlyMap<string, readonly Entry[]>, declarations: Declarations): string {
  const rows = [...byPage].map(([page, members]) => {
    const about =
      members.length > 1
        ? "The words of the cards, one language each."
        : declarations.docOf(members[0]?.types ?? "");
    const names = members.flatMap(({ types }) => [...declarations.exportsOf(types).keys()]);
    const title = members.length > 1 ? "elicit-kit/catalogues/*" : members[0]?.name;
    const what = about === undefined ? "" : firstSentence(about);
    return `| [\`${title}\`](${page}) | ${what} | ${new Set(names).size} |`;
  });
  return `# API reference

${NOTE}

One page an entry of the package, from the docstrings that your editor shows too.

| import | what it is for | names |
| --- | --- | --- |
${rows.join("\n")}
`;
}

function firstSentence(text: string): string {
  const flat = text.replaceAll(/\s*\n\s*/g, " ").replace(/^`elicit-kit[^`]*`: /, "");
  const sentence = /^.*?[.](?= |$)/.exec(flat)?.[0] ?? flat;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

if (import.meta.main) {
  const { pages, undocumented } = apiReference();
  const folder = join(root, "docs", "api");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  console.log(`docs/api: ${pages.size} pages, ${undocumented.length} exports without a docstring`);
  for (const name of undocumented) console.log(`  ${name}`);
}
