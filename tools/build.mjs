import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root, SetupError } from "./bootstrap.mjs";
import { run } from "./child.mjs";

/**
 * Builds what `package.json` exports into dist, unless every exported file exists and is newer than all sources.
 *
 * @returns {Promise<boolean>} whether it has built
 */
export async function buildKit() {
  if (isNewer(exportedFiles(), sourceFiles())) return false;
  await vite([]);
  return true;
}

/** Builds the demo's page. It imports the kit from dist, so `buildKit` comes first. */
export async function buildDemoPage() {
  await vite(["-c", "demo/vite.config.ts"]);
}

/** Builds another company's chat, which shows cards of an MCP server. It uses no code of the kit. */
export async function buildHostPage() {
  await vite(["-c", "demo/host/vite.config.ts"]);
}

/** Builds the page that looks like Slack, for `npm start -- --slack`. */
export async function buildSlackPage() {
  await vite(["-c", "demo/slack/vite.config.ts"]);
}

/**
 * Bundles the demo's servers with all imports, for tests that start them hundreds of times: loading hundreds of modules
 * took longer than most tests. They import the kit from dist, so `buildKit` comes first.
 */
export async function buildDemoServers() {
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: ["demo/server/main.ts", "demo/server/travel-main.ts", "demo/durable/process.ts"],
    // As deep below the root as the source files, because the bundles find the pages by relative paths.
    outdir: "dist-demo-server/bundle",
    entryNames: "[name]",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    // The paths of tsconfig.json point to the source files of the kit.
    tsconfigRaw: {},
    // These packages read files or load optional packages by relative paths.
    external: ["@dbos-inc/dbos-sdk", "oidc-provider", "pg-native", "./tools/*"],
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
    logLevel: "error",
  });
}

/** @param {readonly string[]} args */
async function vite(args) {
  const command = ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", ...args];
  const { code, interrupted } = await run(process.execPath, command, { cwd: root });
  if (interrupted) process.exit(code);
  if (code !== 0) {
    throw new SetupError(
      `vite ${command.slice(1).join(" ")} failed (exit code ${code}); its message is above.`,
    );
  }
}

/** @returns {string[]} the files that a user of the package imports, after a build */
function exportedFiles() {
  /** @type {{ exports: Record<string, string | { default: string } | { node: string }>, bin: Record<string, string> }} */
  const { exports, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return [...Object.values(exports), ...Object.values(bin)]
    .map((entry) => (typeof entry === "string" ? entry : "node" in entry ? entry.node : entry.default))
    .filter((path) => path.startsWith("./dist/"))
    .map((path) => join(root, path));
}

/** @returns {string[]} all sources of the files in dist */
function sourceFiles() {
  const modules = ["src", "extras"]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return [...modules, join(root, "vite.config.ts"), join(root, "package-lock.json")];
}

/**
 * @param {readonly string[]} outputs
 * @param {readonly string[]} inputs
 */
function isNewer(outputs, inputs) {
  if (!outputs.every((path) => existsSync(path))) return false;
  return Math.min(...outputs.map(modifiedAt)) > Math.max(...inputs.map(modifiedAt));
}

/** @param {string} path */
function modifiedAt(path) {
  return statSync(path).mtimeMs;
}
