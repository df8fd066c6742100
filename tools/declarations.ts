import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";

/** One declaration in a `.d.ts` file. */
export interface Declaration {
  readonly file: string;
  readonly name: string;
  readonly kind: "class" | "component" | "function" | "constant" | "type";
  /**
   * The text without `export` and `declare`. An overloaded function, or a component with a namespace of types, has
   * several texts.
   */
  readonly text: string;
  /** The text of the comment before it, without the asterisks. */
  readonly doc: string | undefined;
  /** Names in it that may be the kit's types, as written in its file. */
  readonly mentions: readonly string[];
}

/** The declaration of an exported name. */
export type Exported = Declaration | { readonly kind: "namespace"; readonly file: string };

interface Place {
  readonly file: string;
  /** `*` for the whole module. */
  readonly name: string;
}

interface Module {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly imports: ReadonlyMap<string, Place>;
  /** By exported name, in the order of the text. */
  readonly exports: ReadonlyMap<string, Place>;
  /** Files of `export *`. */
  readonly passedOn: readonly string[];
  /** The comment at the top that belongs to no declaration. */
  readonly doc: string | undefined;
}

/** Reads the `.d.ts` files of a build from the view of a user: by the exports of each module. */
export class Declarations {
  readonly #modules = new Map<string, Module>();

  /** The comment at the top of a module. */
  docOf(file: string): string | undefined {
    return this.#read(file).doc;
  }

  /** All that a module exports, by name. */
  exportsOf(file: string): Map<string, Exported> {
    const { exports, passedOn } = this.#read(file);
    const found = new Map<string, Exported>();
    for (const from of passedOn) for (const [name, what] of this.exportsOf(from)) found.set(name, what);
    for (const [name, place] of exports) {
      const what = this.#at(place);
      if (what !== undefined) found.set(name, what);
    }
    return found;
  }

  /** The declaration of a name inside a file; `undefined` if it does not belong to the kit. */
  find(file: string, name: string): Declaration | undefined {
    const { declarations, imports } = this.#read(file);
    const own = declarations.get(name);
    if (own !== undefined) return own;
    const place = imports.get(name);
    const what = place === undefined ? undefined : this.#at(place);
    return what?.kind === "namespace" ? undefined : what;
  }

  #at({ file, name }: Place): Exported | undefined {
    if (name === "*") return { kind: "namespace", file };
    const { declarations, exports, passedOn } = this.#read(file);
    const place = exports.get(name);
    if (place !== undefined && (place.file !== file || place.name !== name)) return this.#at(place);
    const own = declarations.get(name);
    if (own !== undefined) return own;
    for (const from of passedOn) {
      const what = this.#at({ file: from, name });
      if (what !== undefined) return what;
    }
    return undefined;
  }

  #read(file: string): Module {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const module = readModule(file);
    this.#modules.set(file, module);
    return module;
  }
}

/** `./a.ts` beside `x/b.d.ts` resolves to `x/a.d.ts`; a package resolves to `undefined`. */
function resolve(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const path = join(dirname(file), specifier.replace(/\.tsx?$/, ".d.ts"));
  if (!existsSync(path)) throw new Error(`elicit-kit: ${file} imports ${specifier}, which is not built.`);
  return path;
}

function readModule(file: string): Module {
  const text = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`elicit-kit: ${file} cannot be parsed: ${errors[0].message}`);
  const mentioned = mentionsIn(program);
  const declarations = new Map<string, Declaration>();
  const imports = new Map<string, Place>();
  const exports = new Map<string, Place>();
  const passedOn: string[] = [];

  /** The comment of a module above the docstring of its first declaration. */
  function opening(): string | undefined {
    const [of, next] = comments;
    const isAlone = of !== undefined && next !== undefined && text.slice(of.end, next.start).trim() === "";
    return isAlone && text.slice(0, of.start).trim() === "" && of.value.startsWith("*")
      ? withoutStars(of.value)
      : undefined;
  }

  /** The comment that ends where a statement begins. */
  function docBefore(start: number): string | undefined {
    const comment = comments.findLast(({ end }) => end <= start);
    if (comment === undefined || !comment.value.startsWith("*")) return undefined;
    return text.slice(comment.end, start).trim() === "" ? withoutStars(comment.value) : undefined;
  }

  function declare(node: ESTree.Statement, start: number): string[] {
    const named = nameAndKind(node);
    if (named === undefined) return [];
    const { name, kind } = named;
    const before = declarations.get(name);
    const own = text.slice(node.start, node.end).replace(/^declare /, "");
    const mentions = mentioned
      .filter(({ at }) => at >= node.start && at < node.end)
      .map(({ name: it }) => it);
    declarations.set(name, {
      file,
      name,
      kind: before?.kind ?? kind,
      text: before === undefined ? own : `${before.text}\n${own}`,
      doc: before?.doc ?? docBefore(start),
      mentions: [...(before?.mentions ?? []), ...mentions],
    });
    return [name];
  }

  for (const node of program.body) {
    if (node.type === "ImportDeclaration") {
      const from = resolve(file, node.source.value);
      if (from === undefined) continue;
      for (const it of node.specifiers) {
        const name = it.type === "ImportSpecifier" ? nameOf(it.imported) : "*";
        imports.set(it.local.name, { file: from, name });
      }
    } else if (node.type === "ExportAllDeclaration") {
      const from = resolve(file, node.source.value);
      if (from === undefined) continue;
      if (node.exported === null) passedOn.push(from);
      else exports.set(nameOf(node.exported), { file: from, name: "*" });
    } else if (node.type === "ExportNamedDeclaration") {
      if (node.declaration !== null) {
        for (const name of declare(node.declaration, node.start)) exports.set(name, { file, name });
      }
      const from = node.source === null ? file : resolve(file, node.source.value);
      if (from === undefined) continue;
      for (const { local, exported } of node.specifiers) {
        const name = nameOf(local);
        const place = from === file ? imports.get(name) : undefined;
        exports.set(nameOf(exported), place ?? { file: from, name });
      }
    } else if (node.type !== "ExportDefaultDeclaration" && node.type !== "TSExportAssignment") {
      if (node.type !== "TSNamespaceExportDeclaration") declare(node, node.start);
    }
  }
  const first = program.body[0];
  const isIndex =
    first !== undefined && (first.type !== "ExportNamedDeclaration" || first.declaration === null);
  return { declarations, imports, exports, passedOn, doc: isIndex ? docBefore(first.start) : opening() };
}

function nameAndKind(node: ESTree.Statement): { name: string; kind: Declaration["kind"] } | undefined {
  switch (node.type) {
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return { name: node.id.name, kind: "type" };
    case "TSModuleDeclaration":
      // The types of a component: `Url.Props`.
      return node.id.type === "Identifier" ? { name: node.id.name, kind: "type" } : undefined;
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "ClassDeclaration": {
      if (node.id === null) return undefined;
      const { name } = node.id;
      if (node.type === "ClassDeclaration") return { name, kind: "class" };
      return { name, kind: /^[A-Z]/.test(name) ? "component" : "function" };
    }
    case "VariableDeclaration": {
      const id = node.declarations[0]?.id;
      if (id?.type !== "Identifier") return undefined;
      return { name: id.name, kind: /^[A-Z][a-z]/.test(id.name) ? "component" : "constant" };
    }
    default:
      return undefined;
  }
}

function nameOf(node: ESTree.ModuleExportName): string {
  return node.type === "Literal" ? node.value : node.name;
}

function mentionsIn(program: ESTree.Program): { name: string; at: number }[] {
  const found: { name: string; at: number }[] = [];
  new Visitor({
    TSTypeReference: ({ typeName, start }) =>
      void (typeName.type === "Identifier" && found.push({ name: typeName.name, at: start })),
    TSInterfaceHeritage: ({ expression, start }) =>
      void (expression.type === "Identifier" && found.push({ name: expression.name, at: start })),
  }).visit(program);
  return found;
}

function withoutStars(comment: string): string {
  return comment
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}
