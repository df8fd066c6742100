/**
 * A process that sends notices to absent users. Its arguments: the connection string, `sweepMs`, the start and the factor
 * of its clock, and what its callback does: `tell`, `hang` after sending, or `die` before.
 */
import { Pool } from "pg";
import { createRuntime } from "../../src/runtime/index.ts";
import { serve } from "../../src/node/index.ts";
import { createPostgresPorts } from "../../extras/postgres/index.ts";
import { createFastClock } from "../stages/fast-clock.ts";

const [, , connectionString, sweepMs, start, factor, mode] = process.argv;
const ports = await createPostgresPorts({
  connectionString,
  sweepMs: Number(sweepMs),
  onError: console.error,
});
const pool = new Pool({ connectionString });
const runtime = createRuntime({
  ports: { ...ports, clock: createFastClock(Number(factor), Number(start)) },
  authenticate: () => undefined,
  allowedOrigins: [],
  onError: console.error,
  notices: {
    async onWaiting({ id, user, requests }) {
      if (mode === "die") process.kill(process.pid, "SIGKILL");
      await pool.query("insert into told (id, person, requests, process) values ($1, $2, $3, $4)", [
        id,
        user.id,
        requests.map(({ elicitationId }) => elicitationId),
        process.pid,
      ]);
      if (mode === "hang") await new Promise(() => {});
    },
  },
});
const server = await serve({ fetch: runtime.fetch });
console.log(server.url);
