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
 * @property {readonly string[]} [packages] packages it may import; `*` for all, `node:` for Node's own modules,
 *   `import()` for names made at run time
 * @property {readonly string[]} [types] packages of which it may import types only
 * @property {Readonly<Record<string, readonly string[]>>} [files] more packages for single files of the module
 * @property {readonly string[]} [doors] the files that other modules may import; all of them when absent
 */

/**
 * From the lowest layer up. It must agree with the description of the architecture. A folder named `testing` contains
 * helpers of tests and stories; no published module may import it.
 * @type {readonly Module[]}
 */
export const MODULES = [
  // `src`: the kit. It never imports `extras`, and tools/modules.test.ts lists the packages that it may import.
  {
    name: "contract",
    dir: "src/contract",
    modules: [],
    files: { "schema.ts": ["zod"], "schema-values.ts": ["zod"] },
  },
  { name: "contract/testing", dir: "src/contract/testing", modules: ["contract"] },
  { name: "base", dir: "src/base", modules: ["contract"] },
  { name: "base/testing", dir: "src/base/testing", modules: ["base"] },
  { name: "form", dir: "src/form", modules: ["contract"], files: { "zod-form.ts": ["zod"] } },
  { name: "form/testing", dir: "src/form/testing", modules: [] },
  { name: "look", dir: "src/look", modules: [] },

  // The page.
  {
    name: "client",
    dir: "src/client",
    modules: ["contract", "base", "form"],
    files: { "registrable-domain.ts": ["tldts"] },
  },
  {
    name: "client/testing",
    dir: "src/client/testing",
    modules: ["contract", "client", "client/popup/testing"],
    packages: ["elicit-kit"],
  },
  { name: "client/popup/testing", dir: "src/client/popup/testing", modules: ["client"] },
  { name: "ai-sdk", dir: "src/ai-sdk", modules: ["contract", "client"], types: ["ai"] },
  // Without React: the hosted page and Slack use the same form texts.
  { name: "words", dir: "src/words", modules: ["contract", "form", "client"] },
  {
    name: "react",
    dir: "src/react",
    modules: ["contract", "form", "client", "ai-sdk", "words"],
    packages: ["react", "react-dom"],
    files: {
      "elicitation-dialog/ElicitationDialog.tsx": ["@radix-ui/react-dialog"],
      "prompt/carry.tsx": ["uqr"],
      "prompt/carry-code.tsx": ["uqr"],
    },
  },
  { name: "react/testing", dir: "src/react/testing", modules: [], packages: ["axe-core", "vitest"] },

  // The thin reference runtime.
  { name: "runtime/ports", dir: "src/runtime/ports", modules: ["contract", "base"] },
  {
    name: "runtime/request",
    dir: "src/runtime/request",
    modules: ["contract", "base", "form", "runtime/ports"],
  },
  {
    // Notifies absent users. Above the stores: no module that asks or answers imports it.
    name: "features/notices",
    dir: "src/features/notices",
    modules: ["contract", "base", "runtime/ports", "runtime/request"],
  },
  {
    // Reports requests to OpenTelemetry and a log.
    name: "features/telemetry",
    dir: "src/features/telemetry",
    modules: ["contract", "runtime/ports", "runtime/request"],
  },
  {
    // How a turn asks: decides whether a question gets a card, opens it, shows it, and waits.
    name: "runtime/ask",
    dir: "src/runtime/ask",
    modules: ["contract", "base", "form", "runtime/ports", "runtime/request"],
  },
  {
    name: "runtime/turn",
    dir: "src/runtime/turn",
    modules: ["contract", "base", "runtime/ports", "runtime/request", "runtime/ask"],
  },
  {
    name: "runtime/surface",
    dir: "src/runtime/surface",
    modules: ["contract", "base", "form", "runtime/ports", "runtime/request", "runtime/ask", "runtime/turn"],
  },
  {
    name: "runtime/http",
    dir: "src/runtime/http",
    modules: ["contract", "base", "runtime/ports", "runtime/request", "runtime/ask", "runtime/turn"],
    packages: ["hono"],
  },
  {
    // Lets other users and groups decide.
    name: "features/assign",
    dir: "src/features/assign",
    modules: ["contract", "base", "form", "runtime/ports", "runtime/request", "runtime/http"],
    packages: ["hono"],
  },
  {
    // Fills in forms from a sentence of their user.
    name: "features/proposals",
    dir: "src/features/proposals",
    modules: ["contract", "base", "form", "runtime/ports", "runtime/request", "runtime/http"],
    packages: ["hono"],
    files: { "answer-proposer.ts": ["ai"] },
  },
  {
    // Lists the open requests of a user in all conversations.
    name: "features/inbox",
    dir: "src/features/inbox",
    modules: ["contract", "base", "runtime/ports", "runtime/request", "runtime/http"],
    packages: ["hono"],
  },
  {
    // Uses answers again.
    name: "features/remember",
    dir: "src/features/remember",
    modules: ["contract", "base", "form", "runtime/ports", "runtime/request", "runtime/http"],
    packages: ["hono"],
  },
  {
    // What the receipt of a connected account shows.
    name: "features/receipts",
    dir: "src/features/receipts",
    modules: ["contract", "base", "runtime/ports", "runtime/request", "runtime/http"],
    packages: ["hono"],
  },
  {
    name: "runtime/tool",
    dir: "src/runtime/tool",
    modules: ["contract", "base", "form", "runtime/ports", "runtime/request", "runtime/ask", "runtime/turn"],
    packages: ["zod"],
  },
  {
    name: "runtime",
    dir: "src/runtime",
    modules: [
      "contract",
      "base",
      "form",
      "runtime/ports",
      "runtime/request",
      "features/assign",
      "features/notices",
      "features/proposals",
      "features/receipts",
      "features/inbox",
      "features/remember",
      "features/telemetry",
      "runtime/ask",
      "runtime/turn",
      "runtime/surface",
      "runtime/http",
      "runtime/tool",
    ],
    packages: ["hono"],
    doors: ["index.ts", "internal.ts"],
  },

  // How a user connects an account.
  {
    // The ports of connected accounts: the operations of a database, and the interface of a vault. Not in `runtime`,
    // which has no accounts.
    name: "connect/ports",
    dir: "src/connect/ports",
    modules: ["contract", "base", "words", "runtime"],
  },
  {
    // One OAuth client, without a page.
    name: "connect/oauth",
    dir: "src/connect/oauth",
    modules: ["contract", "base", "runtime", "connect/ports"],
    packages: ["oauth4webapi"],
  },
  {
    name: "connect",
    dir: "src/connect",
    modules: [
      "contract",
      "base",
      "form",
      "client",
      "look",
      "words",
      "runtime",
      "connect/ports",
      "connect/oauth",
    ],
    packages: ["hono"],
  },

  // The protocols in which the agent asks others and a page asks an agent: `wire` translates messages, `page` is a channel
  // for a page that is the client, and `relay` passes requests of a remote peer on to our user.
  {
    name: "mcp/wire",
    dir: "src/mcp/wire",
    modules: ["contract", "base", "form", "runtime"],
    types: ["@modelcontextprotocol/client"],
  },
  {
    name: "mcp/page",
    dir: "src/mcp/page",
    modules: ["contract", "base", "client", "mcp/wire"],
    types: ["@modelcontextprotocol/client"],
  },
  {
    name: "mcp/relay",
    dir: "src/mcp/relay",
    modules: ["contract", "base", "form", "runtime", "mcp/wire"],
    types: ["@modelcontextprotocol/client"],
  },
  {
    name: "a2a/wire",
    dir: "src/a2a/wire",
    modules: ["contract", "base", "form", "runtime"],
    types: ["@a2a-js/sdk"],
  },
  {
    name: "a2a/relay",
    dir: "src/a2a/relay",
    modules: ["contract", "base", "form", "runtime", "a2a/wire"],
    types: ["@a2a-js/sdk"],
  },

  // An agent loop on the AI SDK.
  {
    name: "agent",
    dir: "src/agent",
    modules: [
      "contract",
      "base",
      "words",
      "features/proposals",
      "runtime",
      "connect/ports",
      "connect/oauth",
      "mcp/wire",
      "mcp/relay",
      "a2a/wire",
      "a2a/relay",
    ],
    packages: ["ai", "@modelcontextprotocol/client", "@a2a-js/sdk", "hono", "zod"],
    // Node's part of the MCP SDK, imported by a name that bundlers do not follow.
    files: { "mcp/mcp-processes.ts": ["import()"] },
  },

  // Sockets and files of Node.
  {
    name: "node",
    dir: "src/node",
    modules: ["contract", "base", "runtime", "connect/ports"],
    packages: ["@hono/node-server", "hono", "node:", "zod"],
  },

  // `extras`: what a deployment adds.
  // The decision log: rows, their hash chain, and its verification. Above the runtime, which only reports who changed a
  // record.
  { name: "audit", dir: "extras/audit", modules: ["contract", "base", "runtime"] },
  // The page for operators. It reads stores, and uses the style of the hosted page.
  {
    name: "operator",
    dir: "extras/operator",
    modules: ["contract", "base", "look", "runtime", "audit", "connect"],
    packages: ["hono"],
  },

  // Each protocol in which others reach the agent: `serve` exposes it.
  {
    name: "mcp-server",
    dir: "extras/mcp-server",
    modules: ["contract", "base", "form", "runtime", "mcp/wire"],
    packages: ["@modelcontextprotocol/server", "zod"],
  },
  {
    // A view inside a host with MCP Apps.
    name: "mcp-app",
    dir: "extras/mcp-app",
    modules: ["contract", "client", "mcp/wire"],
  },
  {
    // The program of the kit's own view. The build turns it into one HTML file.
    name: "mcp-app/card",
    dir: "extras/mcp-app/card",
    modules: ["contract", "client", "react", "words", "mcp-app"],
    packages: ["preact", "react", "react-dom"],
  },
  {
    name: "a2a/page",
    dir: "extras/a2a/page",
    modules: ["contract", "base", "client", "runtime", "a2a/wire"],
    types: ["@a2a-js/sdk"],
  },
  {
    name: "a2a/serve",
    dir: "extras/a2a/serve",
    modules: ["contract", "base", "form", "runtime", "a2a/wire"],
    packages: ["@a2a-js/sdk"],
  },
  // Neither end of AG-UI loads the SDK: an agent is recognised by its methods.
  { name: "ag-ui/wire", dir: "extras/ag-ui/wire", modules: ["contract", "base"] },
  { name: "ag-ui/page", dir: "extras/ag-ui/page", modules: ["contract", "base", "client", "ag-ui/wire"] },
  { name: "ag-ui/serve", dir: "extras/ag-ui/serve", modules: ["contract", "base", "runtime", "ag-ui/wire"] },
  { name: "acp/wire", dir: "extras/acp/wire", modules: ["contract", "base"] },
  {
    name: "acp/page",
    dir: "extras/acp/page",
    modules: ["contract", "base", "client", "acp/wire"],
    packages: ["@agentclientprotocol/sdk"],
  },
  {
    name: "acp/serve",
    dir: "extras/acp/serve",
    modules: ["contract", "base", "form", "runtime", "acp/wire"],
    packages: ["@agentclientprotocol/sdk"],
  },
  { name: "openai", dir: "extras/openai", modules: ["contract", "base", "runtime"] },
  // Slack, in the order of the data flow: HTTP, then the handlers, then the threads, then the blocks.
  { name: "slack/words", dir: "extras/slack/words", modules: [] },
  { name: "slack/wire", dir: "extras/slack/wire", modules: ["contract", "base"] },
  { name: "slack/blocks", dir: "extras/slack/blocks", modules: ["contract", "form", "words", "slack/words"] },
  {
    name: "slack/answers",
    dir: "extras/slack/answers",
    modules: ["contract", "base", "form", "words", "runtime", "slack/blocks"],
  },
  {
    name: "slack/people",
    dir: "extras/slack/people",
    modules: ["contract", "base", "words", "slack/words", "slack/wire", "slack/blocks"],
  },
  {
    name: "slack/thread",
    dir: "extras/slack/thread",
    modules: [
      "contract",
      "base",
      "words",
      "runtime",
      "slack/wire",
      "slack/blocks",
      "slack/answers",
      "slack/people",
    ],
  },
  {
    name: "slack/incoming",
    dir: "extras/slack/incoming",
    modules: [
      "contract",
      "base",
      "words",
      "slack/words",
      "runtime",
      "slack/wire",
      "slack/blocks",
      "slack/answers",
      "slack/people",
      "slack/thread",
    ],
  },
  {
    name: "slack",
    dir: "extras/slack",
    modules: [
      "contract",
      "base",
      "runtime",
      "words",
      "slack/words",
      "slack/wire",
      "slack/blocks",
      "slack/answers",
      "slack/people",
      "slack/thread",
      "slack/incoming",
    ],
  },
  { name: "slack/bolt", dir: "extras/slack/bolt", modules: ["slack"], types: ["@slack/bolt"] },
  // A fake Slack server, published for users' tests.
  { name: "slack/testing", dir: "extras/slack/testing", modules: ["contract", "base"] },

  // Turns that survive their process, and where a runtime keeps its state.
  { name: "durable", dir: "extras/durable", modules: ["contract", "base", "runtime"], packages: ["node:"] },
  {
    name: "postgres/database",
    dir: "extras/postgres/database",
    modules: ["contract", "base", "runtime"],
    packages: ["node:", "pg"],
  },
  {
    name: "postgres/decisions",
    dir: "extras/postgres/decisions",
    modules: ["contract", "base", "runtime", "audit", "postgres/database", "postgres/secrets"],
  },
  {
    name: "postgres/records",
    dir: "extras/postgres/records",
    modules: ["contract", "base", "runtime", "postgres/database", "postgres/decisions"],
  },
  {
    name: "postgres/log",
    dir: "extras/postgres/log",
    modules: ["contract", "base", "runtime", "postgres/database"],
  },
  {
    name: "postgres/runs",
    dir: "extras/postgres/runs",
    modules: ["contract", "base", "runtime", "durable", "postgres/database", "postgres/records"],
  },
  {
    name: "postgres/secrets",
    dir: "extras/postgres/secrets",
    modules: ["contract", "base", "runtime", "connect/ports", "postgres/database"],
    packages: ["node:"],
  },
  {
    name: "postgres",
    dir: "extras/postgres",
    modules: [
      "contract",
      "base",
      "runtime",
      "connect/ports",
      "audit",
      "durable",
      "postgres/database",
      "postgres/decisions",
      "postgres/records",
      "postgres/log",
      "postgres/runs",
      "postgres/secrets",
    ],
    packages: ["node:"],
    doors: ["index.ts", "internal.ts"],
  },
  {
    name: "dbos",
    dir: "extras/dbos",
    modules: ["contract", "base", "runtime", "durable", "postgres"],
    packages: ["node:", "@dbos-inc/dbos-sdk", "pg"],
  },

  // What every server of the contract must do.
  {
    name: "conformance",
    dir: "extras/conformance",
    modules: ["contract"],
    // The program loads the hooks of the server's author.
    files: { "command.ts": ["node:", "import()"] },
  },

  // The program `elicit-kit`: `init` writes the first files into an app.
  {
    name: "cli",
    dir: "extras/cli",
    modules: ["contract", "audit", "conformance", "init", "postgres/decisions"],
    packages: ["node:"],
  },
  { name: "init", dir: "extras/init", modules: [], packages: ["node:"], doors: ["command.ts"] },

  // Beside both.
  {
    name: "mock-server",
    dir: "mock-server",
    modules: [
      "contract",
      "base",
      "runtime",
      "features/assign",
      "features/notices",
      "features/proposals",
      "features/inbox",
      "features/remember",
      "openai",
      "node",
    ],
    packages: ["msw"],
  },
  // The demo with several processes starts a database, as tests and benchmarks do.
  { name: "tools", dir: "tools", modules: [], doors: ["postgres.mjs", "kept-postgres.mjs"] },
  { name: "demo", dir: "demo", modules: ["tools"], packages: ["*"] },
];

/** Folders in which every file must belong to a module. */
const FOLDERS = ["src", "extras", "mock-server", "demo"];
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
  if ([...(module.packages ?? []), ...own].some((allowed) => allowed === "*" || allowed === name))
    return undefined;
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
    ...(module.packages ?? []).map((name) =>
      name === "*" ? "any package, the kit by its public names" : name,
    ),
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
    // With verbatimModuleSyntax `import { type A } from "b"` still loads b; only `import type` does not.
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
