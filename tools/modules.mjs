/**
 * The lint that keeps modules apart: each file imports only what the row of its module allows. Run as a program it checks
 * the whole checkout; `checkFile` checks one text.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "vite";
import { root } from "./bootstrap.mjs";

/**
 * @typedef {object} Module
 * @property {string} name
 * @property {string} dir its folder, or its only file; a module inside another one does not belong to it
 * @property {readonly string[]} modules modules it may import by relative path, besides itself
 * @property {readonly string[]} packages packages it may import; `*` for all, `node:` for Node's own modules,
 *   `import()` for names made at run time
 * @property {readonly string[]} [types] packages of which it may import types only
 * @property {Readonly<Record<string, readonly string[]>>} [files] more packages for single files of the module
 * @property {readonly string[]} [doors] the files that other modules may import; all of them when absent
 */

/**
 * From the ground up. Where it disagrees with the description of the architecture, one of them is wrong.
 * A folder named `testing` holds what tests and stories share: no module that is published may import it.
 * @type {readonly Module[]} */
export const MODULES = [
  { name: "protocol", dir: "src/protocol", modules: [], packages: [], files: { "schema.ts": ["zod"] } },
  { name: "protocol/testing", dir: "src/protocol/testing", modules: ["protocol"], packages: [] },
  { name: "clock", dir: "src/clock", modules: ["protocol"], packages: [] },
  { name: "clock/testing", dir: "src/clock/testing", modules: ["clock"], packages: [] },
  { name: "form", dir: "src/form", modules: ["protocol"], packages: [] },
  { name: "form/testing", dir: "src/form/testing", modules: [], packages: [] },
  { name: "look", dir: "src/look", modules: [], packages: [] },
  {
    name: "client",
    dir: "src/client",
    modules: ["protocol", "clock", "form"],
    packages: [],
    files: { "registrable-domain.ts": ["tldts"] },
  },
  {
    name: "client/testing",
    dir: "src/client/testing",
    modules: ["protocol", "client", "client/popup/testing"],
    packages: ["elicit-kit"],
  },
  {
    name: "client/popup/testing",
    dir: "src/client/popup/testing",
    modules: ["client"],
    packages: [],
  },
  { name: "ai-sdk", dir: "src/ai-sdk", modules: ["protocol", "client"], packages: [], types: ["ai"] },
  // Without React: the hosted page and Slack show forms in these words, too.
  {
    name: "catalogues",
    dir: "src/catalogues",
    modules: ["protocol", "form", "client"],
    packages: [],
  },
  {
    name: "react",
    dir: "src/react",
    modules: ["catalogues", "protocol", "form", "client", "ai-sdk"],
    packages: ["react", "react-dom"],
    files: { "elicitation-dialog/ElicitationDialog.tsx": ["@radix-ui/react-dialog"] },
  },
  { name: "react/testing", dir: "src/react/testing", modules: [], packages: ["axe-core", "vitest"] },
  {
    name: "runtime/core/ports",
    dir: "src/runtime/core/ports",
    modules: ["protocol", "clock"],
    packages: [],
  },
  {
    name: "runtime/core/shared",
    dir: "src/runtime/core/shared",
    modules: ["protocol", "clock", "runtime/core/ports"],
    packages: [],
  },
  {
    name: "runtime/core/elicitation",
    dir: "src/runtime/core/elicitation",
    modules: ["protocol", "form", "runtime/core/ports", "runtime/core/shared"],
    packages: [],
  },
  {
    name: "runtime/core/turn",
    dir: "src/runtime/core/turn",
    modules: ["protocol", "runtime/core/ports", "runtime/core/shared", "runtime/core/elicitation"],
    packages: [],
  },
  {
    name: "runtime/core/http",
    dir: "src/runtime/core/http",
    modules: [
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
    modules: [
      "protocol",
      "form",
      "runtime/core/ports",
      "runtime/core/shared",
      "runtime/core/elicitation",
      "runtime/core/turn",
    ],
    packages: ["zod"],
  },
  // What the protocols share: how a request is shown, what becomes of an answer, and the shell of an endpoint.
  {
    name: "runtime/core/surface",
    dir: "src/runtime/core/surface",
    modules: [
      "protocol",
      "form",
      "runtime/core/ports",
      "runtime/core/shared",
      "runtime/core/elicitation",
      "runtime/core/turn",
      "runtime/core/http",
    ],
    packages: [],
  },
  {
    name: "runtime/core",
    dir: "src/runtime/core",
    modules: [
      "protocol",
      "runtime/core/ports",
      "runtime/core/shared",
      "runtime/core/elicitation",
      "runtime/core/turn",
      "runtime/core/http",
      "runtime/core/tool",
      "runtime/core/surface",
    ],
    packages: ["hono"],
    doors: ["index.ts", "internal.ts"],
  },
  // Both ways between the contract and MCP, for the relay here and for servers and channels of the protocol.
  { name: "mcp/translate", dir: "src/mcp/translate.ts", modules: ["protocol"], packages: [] },
  {
    name: "mcp",
    dir: "src/mcp",
    modules: ["protocol", "clock", "form", "client", "mcp/translate", "runtime/core"],
    packages: [],
    types: ["@modelcontextprotocol/client"],
  },
  // The agent behind MCP, and an elicitor for servers of the SDK.
  {
    name: "mcp/server",
    dir: "src/mcp/server",
    modules: ["protocol", "form", "mcp", "mcp/translate", "runtime/core"],
    packages: ["@modelcontextprotocol/server", "zod"],
  },
  // Both ways between the contract and AG-UI. Neither end loads the SDK: agents are known by their shape.
  { name: "ag-ui/translate", dir: "src/ag-ui/translate.ts", modules: ["protocol"], packages: [] },
  { name: "ag-ui", dir: "src/ag-ui", modules: ["protocol", "client", "ag-ui/translate"], packages: [] },
  {
    name: "ag-ui/server",
    dir: "src/ag-ui/server",
    modules: ["protocol", "ag-ui/translate", "runtime/core"],
    packages: [],
  },
  // Both ways between the contract and ACP, for the channel of a client and the agent behind it.
  {
    name: "acp/translate",
    dir: "src/acp/translate.ts",
    modules: ["protocol", "acp/form-schema"],
    packages: [],
  },
  { name: "acp/form-schema", dir: "src/acp/form-schema.ts", modules: ["protocol"], packages: [] },
  {
    name: "acp",
    dir: "src/acp",
    modules: ["protocol", "client", "acp/translate"],
    packages: ["@agentclientprotocol/sdk"],
  },
  {
    name: "acp/server",
    dir: "src/acp/server",
    modules: ["protocol", "form", "acp/translate", "runtime/core"],
    packages: ["@agentclientprotocol/sdk"],
  },
  // Both ways between the contract and the elicitation extension of A2A.
  { name: "a2a/translate", dir: "src/a2a/translate.ts", modules: ["protocol"], packages: [] },
  // A2A agents that ask.
  {
    name: "a2a",
    dir: "src/a2a",
    modules: ["protocol", "clock", "form", "client", "a2a/translate", "runtime/core"],
    packages: [],
    types: ["@a2a-js/sdk"],
  },
  // The agent behind A2A.
  {
    name: "a2a/server",
    dir: "src/a2a/server",
    modules: ["protocol", "form", "a2a", "a2a/translate", "runtime/core"],
    packages: ["@a2a-js/sdk"],
  },
  {
    name: "runtime/agent",
    dir: "src/runtime/agent",
    modules: ["protocol", "runtime/core", "runtime/sign-in", "mcp", "mcp/translate", "a2a", "a2a/translate"],
    packages: ["ai", "@modelcontextprotocol/client", "@a2a-js/sdk", "hono", "zod"],
    // Node's part of the MCP SDK, by a name that bundlers do not follow.
    files: { "mcp/mcp-processes.ts": ["import()"] },
  },
  {
    name: "runtime/sign-in",
    dir: "src/runtime/sign-in",
    modules: ["protocol", "runtime/core"],
    packages: ["oauth4webapi"],
  },
  {
    name: "runtime/hosted-page",
    dir: "src/runtime/hosted-page",
    modules: ["protocol", "form", "client", "look", "catalogues", "runtime/core", "runtime/sign-in"],
    packages: ["hono", "oauth4webapi", "zod"],
  },
  {
    name: "runtime/node",
    dir: "src/runtime/node",
    modules: ["runtime/core"],
    packages: ["@hono/node-server", "hono", "node:", "zod"],
  },
  {
    name: "runtime/postgres/database",
    dir: "src/runtime/postgres/database",
    modules: ["protocol", "runtime/core"],
    packages: ["node:", "pg"],
  },
  {
    name: "runtime/postgres/records",
    dir: "src/runtime/postgres/records",
    modules: ["runtime/core", "runtime/postgres/database"],
    packages: [],
  },
  {
    name: "runtime/postgres/log",
    dir: "src/runtime/postgres/log",
    modules: ["runtime/core", "runtime/postgres/database"],
    packages: [],
  },
  {
    name: "runtime/postgres/runs",
    dir: "src/runtime/postgres/runs",
    modules: ["runtime/core", "runtime/postgres/database", "runtime/postgres/records"],
    packages: [],
  },
  {
    name: "runtime/postgres/secrets",
    dir: "src/runtime/postgres/secrets",
    modules: ["runtime/core", "runtime/hosted-page", "runtime/sign-in", "runtime/postgres/database"],
    packages: ["node:"],
  },
  {
    name: "runtime/postgres",
    dir: "src/runtime/postgres",
    modules: [
      "protocol",
      "runtime/core",
      "runtime/hosted-page",
      "runtime/sign-in",
      "runtime/postgres/database",
      "runtime/postgres/records",
      "runtime/postgres/log",
      "runtime/postgres/runs",
      "runtime/postgres/secrets",
    ],
    packages: ["node:"],
    doors: ["index.ts"],
  },
  {
    name: "runtime/dbos",
    dir: "src/runtime/dbos",
    modules: ["protocol", "runtime/core", "runtime/postgres"],
    packages: ["node:", "@dbos-inc/dbos-sdk"],
  },
  {
    name: "runtime/testing",
    dir: "src/runtime/testing",
    modules: [
      "protocol",
      "clock/testing",
      "runtime/core",
      "runtime/agent",
      "runtime/hosted-page",
      "runtime/sign-in",
      "runtime/node",
      "runtime/postgres",
      "runtime/dbos",
    ],
    packages: ["*"],
  },
  {
    name: "conformance",
    dir: "src/conformance",
    modules: ["protocol"],
    packages: [],
    // The program loads the hooks of the server's owner.
    files: { "cli.ts": ["node:", "import()"], "start.ts": ["node:"] },
  },
  {
    name: "mock-server",
    dir: "src/mock-server",
    modules: ["protocol", "runtime/core", "runtime/node"],
    packages: ["msw"],
  },
  // Slack, as data flows: from HTTP to the handlers, which write into threads what blocks show.
  { name: "slack/wire", dir: "src/slack/wire", modules: ["protocol", "clock"], packages: [] },
  {
    name: "slack/blocks",
    dir: "src/slack/blocks",
    modules: ["protocol", "form", "client", "catalogues"],
    packages: [],
  },
  {
    name: "slack/answers",
    dir: "src/slack/answers",
    modules: ["protocol", "clock", "form", "catalogues", "runtime/core", "slack/blocks"],
    packages: [],
  },
  {
    name: "slack/people",
    dir: "src/slack/people",
    modules: ["protocol", "clock", "slack/wire", "slack/blocks"],
    packages: [],
  },
  {
    name: "slack/thread",
    dir: "src/slack/thread",
    modules: [
      "protocol",
      "clock",
      "runtime/core",
      "slack/wire",
      "slack/blocks",
      "slack/answers",
      "slack/people",
    ],
    packages: [],
  },
  {
    name: "slack/incoming",
    dir: "src/slack/incoming",
    modules: [
      "protocol",
      "clock",
      "runtime/core",
      "slack/wire",
      "slack/blocks",
      "slack/answers",
      "slack/people",
      "slack/thread",
    ],
    packages: [],
  },
  {
    name: "slack",
    dir: "src/slack",
    modules: [
      "clock",
      "runtime/core",
      "slack/wire",
      "slack/blocks",
      "slack/answers",
      "slack/people",
      "slack/thread",
      "slack/incoming",
    ],
    packages: [],
  },
  { name: "slack/bolt", dir: "src/slack/bolt", modules: ["slack"], packages: [], types: ["@slack/bolt"] },
  // A fake of Slack, published for tests of other people.
  { name: "slack/testing", dir: "src/slack/testing", modules: ["protocol", "clock"], packages: [] },
  {
    name: "slack/stage",
    dir: "src/slack/stage/testing",
    modules: ["clock/testing", "runtime/core", "runtime/testing", "slack", "slack/testing"],
    packages: [],
  },
  // The demo on several processes starts a database, as tests and benchmarks do.
  { name: "tools", dir: "tools", modules: [], packages: [], doors: ["postgres.mjs", "kept-postgres.mjs"] },
  { name: "demo", dir: "demo", modules: ["tools"], packages: ["*"] },
];

/** Folders in which every file must belong to a module. */
const FOLDERS = ["src", "demo"];
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
  const module = moduleOf(file);
  if (module === undefined) {
    return [
      { file, line: 1, message: "belongs to no module. Move it, or add its module to tools/modules.mjs." },
    ];
  }
  return importsOf(file, text).flatMap(({ specifier, typeOnly, start }) => {
    const wrong = judge(module, file, specifier, typeOnly);
    if (wrong === undefined) return [];
    const line = text.slice(0, start).split("\n").length;
    return [{ file, line, message: `${wrong} ${allowance(module)}` }];
  });
}

/**
 * Checks every file of the modules in a checkout.
 *
 * @param {string} checkout
 * @returns {{ files: number, violations: Violation[] }}
 */
export function checkModules(checkout) {
  const files = FOLDERS.filter((folder) => existsSync(join(checkout, folder))).flatMap((folder) =>
    readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !TEST.test(entry.name))
      .map((entry) => relative(checkout, join(entry.parentPath, entry.name)).split(sep).join("/")),
  );
  return {
    files: files.length,
    violations: files.flatMap((file) => checkFile(file, readFileSync(join(checkout, file), "utf8"))),
  };
}

/**
 * @param {Module} module
 * @param {string} file
 * @param {string | undefined} specifier
 * @param {boolean} typeOnly
 * @returns {string | undefined} what is wrong with this import
 */
function judge(module, file, specifier, typeOnly) {
  const own = module.files?.[posix.relative(module.dir, file)] ?? [];
  if (specifier === undefined) {
    return own.includes("import()") ? undefined : "imports a name made at run time, which cannot be checked.";
  }
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(file), specifier);
    const other = moduleOf(target);
    if (other === module) return undefined;
    if (other === undefined) return `imports "${specifier}", which belongs to no module.`;
    if (!module.modules.includes(other.name)) return `imports "${specifier}", which is in ${other.name}.`;
    if (other.doors?.includes(posix.relative(other.dir, target)) !== false) return undefined;
    return `imports "${specifier}" past the doors of ${other.name}, which are ${other.doors.join(" and ")}.`;
  }
  const name = packageOf(specifier);
  if ([...module.packages, ...own].some((allowed) => allowed === "*" || allowed === name)) return undefined;
  if (!module.types?.includes(name)) return `imports "${specifier}".`;
  return typeOnly ? undefined : `imports "${specifier}" at run time; only \`import type\` is allowed.`;
}

/** @param {Module} module */
function allowance(module) {
  const files = Object.entries(module.files ?? {}).map(
    ([file, names]) => `${names.join(", ")} (in ${file} only)`,
  );
  const parts = [
    ...module.modules.map((other) => `module ${other}`),
    ...module.packages.map((name) => (name === "*" ? "any package, the kit by its public names" : name)),
    ...(module.types ?? []).map((name) => `types of ${name}`),
    ...files,
  ];
  return `Module ${module.name} may import: ${parts.length === 0 ? "nothing but itself" : parts.join(", ")}.`;
}

/**
 * @param {string} path
 * @returns {Module | undefined} of modules inside one another the innermost
 */
function moduleOf(path) {
  return MODULES.filter(({ dir }) => path === dir || path.startsWith(`${dir}/`)).toSorted(
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
  const { files, violations } = checkModules(root);
  for (const { file, line, message } of violations) console.error(`${file}:${line} ${message}`);
  console.log(`modules: ${files} files, ${violations.length} violations`);
  if (violations.length > 0) process.exit(1);
}
