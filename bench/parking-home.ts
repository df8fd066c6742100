/** A process whose turn waits. bench/parking.ts starts and kills it. The argument is the connection string. */
import { createPostgresPorts } from "../extras/postgres/index.ts";
import { ask, startProcess } from "./asking-turns.ts";

const [, , connectionString] = process.argv;
const ports = await createPostgresPorts({
  connectionString,
  durable: { parkAfterMs: false },
  onError: console.error,
});
const turn = await ask(startProcess(ports));
process.send?.(turn);
