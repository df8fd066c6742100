/**
 * The lint that keeps the rooms apart: each file imports only what the row of its room allows. Run as a program it
 * checks the whole checkout; `checkFile` checks one text.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "vite";
import { root } from "./bootstrap.mjs";

/**
 * @typedef {object} Room
 * @property {string} name
 * @property {string} dir its folder, or its only file; a room may stand inside another, whose it is not
 * @property {readonly string[]} rooms rooms it may import by relative path, besides itself
 * @property {readonly string[]} packages packages it may import; `*` for all, `node:` for Node's own modules,
 *   `import()` for names made at run time
 * @property {readonly string[]} [types] packages of which it may import types only
 * @property {Readonly<Record<string, readonly string[]>>} [files] more packages for single files of the room
 * @property {readonly string[]} [doors] the files that other rooms may import; all of them when absent
 */

/** From the ground up. Where it disagrees with the description of the architecture, one of them is wrong.
 * @type {readonly Room[]} */
export const ROOMS = [
  { name: "protocol", dir: "src/protocol", rooms: [], packages: [], files: { "schema.ts": ["zod"] } },
  { name: "clock", dir: "src/clock", rooms: [], packages: [] },
  { name: "form", dir: "src/form", rooms: ["protocol"], packages: [] },
  {
    name: "client",
    dir: "src/client",
    rooms: ["protocol", "clock", "form"],
    packages: [],
    files: { "registrable-domain.ts": ["tldts"] },
  },
  { name: "ai-sdk", dir: "src/ai-sdk", rooms: ["protocol", "client"], packages: [], types: ["ai"] },
  {
    name: "react",
    dir: "src/react",
    rooms: ["protocol", "form", "client", "ai-sdk"],
    packages: ["react", "react-dom"],
    files: { "elicitation-dialog/ElicitationDialog.tsx": ["@radix-ui/react-dialog"] },
  },
  {
    name: "runtime/core/ports",
    dir: "src/runtime/core/ports.ts",
    rooms: ["protocol", "clock"],
    packages: [],
  },
  {
    name: "runtime/core/shared",
    dir: "src/runtime/core/shared",
    rooms: ["protocol", "clock", "runtime/core/ports"],
    packages: [],
  },
  {
    name: "runtime/core/elicitation",
    dir: "src/runtime/core/elicitation",
    rooms: ["protocol", "form", "runtime/core/ports", "runtime/core/shared"],
    packages: [],
  },
  {
    name: "runtime/core/turn",
    dir: "src/runtime/core/turn",
    rooms: ["protocol", "runtime/core/ports", "runtime/core/shared", "runtime/core/elicitation"],
    packages: [],
  },
  {
    name: "runtime/core/http",
    dir: "src/runtime/core/http",
    rooms: [
      "protocol",
      "runtime/core/ports",
      "runtime/core/shared",
      "runtime/core/elicitation",
      "runtime/core/turn",
    ],
    packages: ["hono"],
  },
  {
    name: "runtime/core/tool",
    dir: "src/runtime/core/tool",
    rooms: [
      "protocol",
      "form",
      "runtime/core/ports",
      "runtime/core/shared",
      "runtime/core/elicitation",
      "runtime/core/turn",
    ],
    packages: ["zod"],
  },
  {
    name: "runtime/core",
    dir: "src/runtime/core",
    rooms: [
      "protocol",
      "runtime/core/ports",
      "runtime/core/shared",
      "runtime/core/elicitation",
      "runtime/core/turn",
      "runtime/core/http",
      "runtime/core/tool",
    ],
    packages: ["hono"],
    doors: ["index.ts", "internal.ts"],
  },
  {
    name: "runtime/agent",
    dir: "src/runtime/agent",
    rooms: ["protocol", "runtime/core"],
    packages: ["ai", "@modelcontextprotocol/client", "hono", "zod"],
  },
  {
    name: "runtime/hosted-page",
    dir: "src/runtime/hosted-page",
    rooms: ["protocol", "runtime/core"],
    packages: ["hono", "oauth4webapi", "zod"],
  },
  {
    name: "runtime/node",
    dir: "src/runtime/node",
    rooms: ["runtime/core"],
    packages: ["@hono/node-server", "hono", "node:", "zod"],
  },
  // What the runtime's own tests share; no other room may import it.
  {
    name: "runtime/testing",
    dir: "src/runtime/testing",
    rooms: ["protocol", "runtime/core", "runtime/agent", "runtime/hosted-page", "runtime/node"],
    packages: ["*"],
  },
  {
    name: "conformance",
    dir: "src/conformance",
    rooms: ["protocol"],
    packages: [],
    // The program loads the hooks of the server's owner.
    files: { "cli.ts": ["node:", "import()"], "start.ts": ["node:"] },
  },
  {
    name: "mock-server",
    dir: "mock-server",
    rooms: ["protocol", "runtime/core", "runtime/node"],
    packages: ["msw"],
  },
  { name: "demo", dir: "demo", rooms: [], packages: ["*"] },
];

/** Folders in which every file must belong to a room. */
const HOUSES = ["src", "mock-server", "demo"];
const SOURCE = /\.(?:ts|tsx|mts|js|jsx|mjs)$/;
/** Tests may import anything. */
const TEST = /\.(?:test|test-d)\.tsx?$/;

/**
 * @typedef {object} Violation
 * @property {string} file relative to the checkout, with forward slashes
 * @property {number} line from 1
 * @property {string} message
 */

/**
 * @typedef {object} Import
 * @property {string | undefined} specifier absent when it is computed at run time
 * @property {boolean} typeOnly
 * @property {number} start offset in the text
 */

/**
 * Checks one file.
 *
 * @param {string} file path relative to the checkout, with forward slashes
 * @param {string} text
 * @returns {Violation[]}
 */
export function checkFile(file, text) {
  const room = roomOf(file);
  if (room === undefined) {
    return [{ file, line: 1, message: "stands in no room. Move it, or add its room to tools/rooms.mjs." }];
  }
  return importsOf(file, text).flatMap(({ specifier, typeOnly, start }) => {
    const wrong = judge(room, file, specifier, typeOnly);
    if (wrong === undefined) return [];
    const line = text.slice(0, start).split("\n").length;
    return [{ file, line, message: `${wrong} ${allowance(room)}` }];
  });
}

/**
 * Checks every file of the rooms in a checkout.
 *
 * @param {string} checkout
 * @returns {{ files: number, violations: Violation[] }}
 */
export function checkRooms(checkout) {
  const files = HOUSES.filter((house) => existsSync(join(checkout, house))).flatMap((house) =>
    readdirSync(join(checkout, house), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !TEST.test(entry.name))
      .map((entry) => relative(checkout, join(entry.parentPath, entry.name)).split(sep).join("/")),
  );
  return {
    files: files.length,
    violations: files.flatMap((file) => checkFile(file, readFileSync(join(checkout, file), "utf8"))),
  };
}

/**
 * @param {Room} room
 * @param {string} file
 * @param {string | undefined} specifier
 * @param {boolean} typeOnly
 * @returns {string | undefined} what is wrong with this import
 */
function judge(room, file, specifier, typeOnly) {
  const own = room.files?.[posix.relative(room.dir, file)] ?? [];
  if (specifier === undefined) {
    return own.includes("import()") ? undefined : "imports a name made at run time, which cannot be checked.";
  }
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(file), specifier);
    const other = roomOf(target);
    if (other === room) return undefined;
    if (other === undefined) return `imports "${specifier}", which is in no room.`;
    if (!room.rooms.includes(other.name)) return `imports "${specifier}", which is in ${other.name}.`;
    if (other.doors?.includes(posix.relative(other.dir, target)) !== false) return undefined;
    return `imports "${specifier}" past the doors of ${other.name}, which are ${other.doors.join(" and ")}.`;
  }
  const name = packageOf(specifier);
  if ([...room.packages, ...own].some((allowed) => allowed === "*" || allowed === name)) return undefined;
  if (!room.types?.includes(name)) return `imports "${specifier}".`;
  return typeOnly ? undefined : `imports "${specifier}" at run time; only \`import type\` is allowed.`;
}

/** @param {Room} room */
function allowance(room) {
  const files = Object.entries(room.files ?? {}).map(
    ([file, names]) => `${names.join(", ")} (in ${file} only)`,
  );
  const parts = [
    ...room.rooms.map((other) => `room ${other}`),
    ...room.packages.map((name) => (name === "*" ? "any package, the kit by its public names" : name)),
    ...(room.types ?? []).map((name) => `types of ${name}`),
    ...files,
  ];
  return `Room ${room.name} may import: ${parts.length === 0 ? "nothing but itself" : parts.join(", ")}.`;
}

/**
 * @param {string} path
 * @returns {Room | undefined} of rooms inside one another the innermost
 */
function roomOf(path) {
  return ROOMS.filter(({ dir }) => path === dir || path.startsWith(`${dir}/`)).toSorted(
    (a, b) => b.dir.length - a.dir.length,
  )[0];
}

/** @param {string} specifier `@scope/name/sub` → `@scope/name`, `node:fs` → `node:` */
function packageOf(specifier) {
  if (specifier.startsWith("node:")) return "node:";
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Import[]}
 */
function importsOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`elicit-kit: ${file} cannot be parsed: ${errors[0].message}`);
  /** @type {Import[]} */
  const found = [];
  new Visitor({
    // With verbatimModuleSyntax `import { type A } from "b"` still loads b: only `import type` is free.
    ImportDeclaration: ({ source, importKind, start }) =>
      void found.push({ specifier: source.value, typeOnly: importKind === "type", start }),
    ExportAllDeclaration: ({ source, exportKind, start }) =>
      void found.push({ specifier: source.value, typeOnly: exportKind === "type", start }),
    ExportNamedDeclaration: ({ source, exportKind, start }) =>
      void (source && found.push({ specifier: source.value, typeOnly: exportKind === "type", start })),
    ImportExpression: ({ source, start }) =>
      void found.push({ specifier: literal(source), typeOnly: false, start }),
    TSImportType: ({ source, start }) => void found.push({ specifier: source.value, typeOnly: true, start }),
  }).visit(program);
  return found;
}

/** @param {import("vite").ESTree.Expression} expression */
function literal(expression) {
  return expression.type === "Literal" && typeof expression.value === "string" ? expression.value : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { files, violations } = checkRooms(root);
  for (const { file, line, message } of violations) console.error(`${file}:${line} ${message}`);
  console.log(`rooms: ${files} files, ${violations.length} violations`);
  if (violations.length > 0) process.exit(1);
}
