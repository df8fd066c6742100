/** A process whose turn waits. bench/parking.ts starts and kills it. The argument is the connection string. */
import { createDbosRunner } from "../src/hosts/dbos/index.ts";
import { createPostgresPorts } from "../src/hosts/postgres/index.ts";
import { ask, startProcess } from "./asking-turns.ts";

const [, , connectionString] = process.argv;
const ports = await createPostgresPorts({ connectionString, onError: console.error });
const runner = await createDbosRunner({
  ports,
  connectionString,
  parkAfterMs: false,
  onError: console.error,
});
const turn = await ask(startProcess({ ...ports, runner }));
process.send?.(turn);
