import { type DbosRunner, createDbosRunner } from "../../extras/dbos/index.ts";
import { type PostgresPorts, createPostgresPorts } from "../../extras/postgres/index.ts";

/** `ENGINE=dbos` runs the same tests with the steps of turns in DBOS, as `npm run test:long -- dbos` does. */
export const onDbos = process.env["ENGINE"] === "dbos";

/** The table of recorded steps, and its column with their names. */
export const STEPS = onDbos
  ? { table: "dbos.operation_outputs", name: "function_name" }
  : { table: "elicit_kit.steps", name: "name" };

type PortsOptions = Parameters<typeof createPostgresPorts>[0];
type DbosOptions = Parameters<typeof createDbosRunner>[0];

/** The ports of a process whose turns outlive it. `dbos`: record the steps in DBOS, also without `ENGINE=dbos`. */
export async function createDurablePorts(
  options: PortsOptions,
  how: Pick<DbosOptions, "parkAfterMs" | "graceMs" | "telemetry"> = {},
  dbos: Pick<DbosOptions, "connectionString" | "dbos" | "recordWithinMs"> | undefined = onDbos
    ? { connectionString: options.connectionString }
    : undefined,
): Promise<PostgresPorts> {
  if (dbos === undefined) return createPostgresPorts({ ...options, durable: how });
  const ports = await createPostgresPorts(options);
  const runner: DbosRunner = await createDbosRunner({ ports, ...how, ...dbos, onError: options.onError });
  return {
    ...ports,
    runner,
    async close() {
      await runner.close();
      await ports.close();
    },
  };
}
