/** A temporary PostgreSQL with a synchronous replica, to test a failover. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
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

const FAST = ["fsync=off", "full_page_writes=off"];

/**
 * @typedef {object} ReplicatedPostgres
 * @property {string} url of the superuser and the database `postgres` of the server
 * @property {string} replicaUrl the same of its replica, which has everything that was committed. It is read-only until the
 *   failover
 * @property {() => Promise<void>} failOver ends the server at once, as a crash does, and has its replica take its place a
 *   moment later
 * @property {() => Promise<void>} stop stops both and deletes their data
 */

/** @returns {Promise<ReplicatedPostgres>} */
export async function startReplicatedPostgres() {
  const programs = preparePrograms();
  const data = join(programs.folder, "data");
  const copy = join(programs.folder, "copy");
  await createData(programs, data, ["--no-sync"]);
  // Keeps the owner of the files.
  if (spawnSync("cp", ["-a", data, copy]).status !== 0) throw new SetupError("the data could not be copied.");
  writeFileSync(join(copy, "standby.signal"), "");
  const port = await freePort();
  const server = await launch(programs, data, { port, settings: [...FAST, "synchronous_standby_names=*"] });
  const primary = `primary_conninfo=host=127.0.0.1 port=${port} user=elicit`;
  const replicaPort = await freePort();
  const replica = await launch(programs, copy, { port: replicaPort, settings: [...FAST, primary] });
  return {
    url: urlOf(port),
    replicaUrl: urlOf(replicaPort),
    async failOver() {
      await stopped(server, "SIGQUIT");
      // As `pg_ctl promote` does.
      writeFileSync(join(copy, "promote"), "");
      replica.kill("SIGUSR1");
    },
    async stop() {
      await Promise.all([stopped(server, "SIGQUIT"), stopped(replica, "SIGQUIT")]);
      removePrograms(programs);
    },
  };
}
