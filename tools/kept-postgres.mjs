/** The PostgreSQL of the durable demo. Its data survives the process, even if all processes are killed at once. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SetupError } from "./bootstrap.mjs";
import {
  commandOf,
  createData,
  endIfRunning,
  freePort,
  isRunning,
  launch,
  majorVersion,
  preparePrograms,
  removePrograms,
  serverOf,
  starterIn,
  stopped,
  urlOf,
} from "./postgres-server.mjs";

/** The maximum time for the server of a dead parent process to end. */
const TAKEOVER_MS = 15_000;

/**
 * Starts a server on the data in `folder`, and creates the data at the first start. First ends a server whose parent
 * process was killed.
 *
 * @param {string} name the folder
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startKeptPostgres(name) {
  const folder = resolve(name);
  const data = join(folder, "data");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await takeOver(folder, data);
  const programs = preparePrograms();
  try {
    if (!existsSync(data)) {
      // The folder of the data is always complete: a start that is killed leaves only the other folder.
      const unfinished = join(folder, "unfinished");
      rmSync(unfinished, { recursive: true, force: true });
      await createData(programs, unfinished);
      renameSync(unfinished, data);
    }
    checkOwner(folder, data);
    checkVersion(folder, data, majorVersion(programs));
    const port = await freePort();
    const server = await launch(programs, data, { port, detached: true }).catch((error) => {
      throw unusable(folder, error);
    });
    const killAtExit = () => void server.kill("SIGINT");
    process.once("exit", killAtExit);
    return {
      url: urlOf(port),
      async stop() {
        process.off("exit", killAtExit);
        await stopped(server, "SIGINT");
        removePrograms(programs);
      },
    };
  } catch (error) {
    rmSync(programs.folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Ends the server of an earlier start, and removes the files of a dead one.
 *
 * @param {string} folder
 * @param {string} data
 */
async function takeOver(folder, data) {
  const pid = serverOf(data);
  const command = pid === undefined ? undefined : commandOf(pid);
  // If the system does not tell, PostgreSQL checks itself, and refuses to start twice.
  if (pid === undefined || command === undefined) return;
  const left = join(data, "postmaster.pid");
  const starter = starterIn(command);
  if (Number.isNaN(starter)) {
    // Another program has this process id by now, and PostgreSQL would wait for it.
    if (!command.includes("postgres")) rmSync(left, { force: true });
    return;
  }
  if (isRunning(starter)) {
    throw new SetupError(
      `the demo already runs with the data in ${folder}, in process ${starter}. Stop that one first, or set DEMO_STATE to another folder for this one.`,
    );
  }
  endIfRunning(pid, "SIGINT");
  for (const start = Date.now(); existsSync(left) && isRunning(pid); await delay(50)) {
    if (Date.now() - start > TAKEOVER_MS) {
      throw new SetupError(
        `the PostgreSQL of an earlier demo does not end. End it with \`kill -9 ${pid}\`, and start again.`,
      );
    }
  }
}

/**
 * @param {string} folder
 * @param {string} data
 */
function checkOwner(folder, data) {
  const user = process.getuid?.();
  if (user === undefined || user === 0 || user === statSync(data).uid) return;
  throw new SetupError(
    `the demo's data in ${folder} belong to another user. Delete ${folder} as that user, or set DEMO_STATE to another folder.`,
  );
}

/**
 * @param {string} folder
 * @param {string} data
 * @param {string} ours
 */
function checkVersion(folder, data, ours) {
  const path = join(data, "PG_VERSION");
  const theirs = existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
  if (theirs === ours) return;
  const what =
    theirs === undefined ? "are damaged" : `were written by PostgreSQL ${theirs}, and this one is ${ours}`;
  throw new SetupError(`the demo's data in ${folder} ${what}. ${startFresh(folder)}`);
}

/**
 * @param {string} folder
 * @param {unknown} error
 */
function unusable(folder, error) {
  const reason = error instanceof Error ? error.message : String(error);
  return new SetupError(
    `the demo's data in ${folder} cannot be used. ${startFresh(folder)} ${reason.replace(/^elicit-kit: /, "")}`,
  );
}

/** @param {string} folder */
function startFresh(folder) {
  return `To start fresh, delete ${folder}: the demo's conversations and accounts are lost.`;
}
