import type { TurnRunner } from "../../src/runtime/internal.ts";
import { systemClock } from "../../src/base/clock.ts";
import { safeLog } from "../../src/base/foreign-error.ts";
import { KitError } from "../../src/contract/kit-error.ts";
import { type DurableTurns, createRecordedRunner } from "../durable/recorded-runner.ts";
import type { PostgresPorts } from "../postgres/index.ts";
import { launchDbos } from "./launch.ts";
import { type Dbos, createStepStore } from "./step-store.ts";
import { createWatchdog } from "./watchdog.ts";

/** The ports, and the database in which DBOS records the steps of turns. Set either `connectionString` or `dbos`. */
export interface DbosRunnerOptions extends DurableTurns {
  /** The ports of `createPostgresPorts`. They know which processes are alive and which process runs a turn. */
  ports: Pick<PostgresPorts, "claims" | "stream">;
  /** The database of DBOS: that of the ports, or another one. DBOS is launched with it, and keeps its tables in a schema `dbos`. */
  connectionString?: string | undefined;
  /** The `DBOS` of an application that launches it. Call `DBOS.launch()` after this and before the first message. */
  dbos?: Dbos | undefined;
  /**
   * Ends the process (`process.exit(1)`) when DBOS takes longer than this to read or record something, in milliseconds,
   * although the database answers the ports during that time. Other processes then continue with its turns. `false`:
   * never.
   * @default 120_000: DBOS itself pauses for up to 90 seconds between its tries
   */
  recordWithinMs?: number | false | undefined;
  /** Gets errors in the background, and those that DBOS logs. */
  onError: (error: unknown) => void;
}

/** Runs turns that outlive their process. Created by {@link createDbosRunner}. */
export interface DbosRunner extends TurnRunner {
  /** Shuts DBOS down, if this runner has launched it. Close the runtime first, and the ports after this. */
  close(): Promise<void>;
}

/**
 * Creates a runner for `createRuntime` whose turns outlive their process: when the process dies or is replaced by a
 * deployment, another process continues the turn. It does not repeat questions, model calls, or recorded `step`s. Rejects
 * if DBOS cannot be launched.
 *
 * @example
 * const ports = await createPostgresPorts({ connectionString, key, onError: console.error });
 * const runner = await createDbosRunner({ ports, connectionString, onError: console.error });
 * const runtime = createRuntime({
 *   ports: { ...ports, runner },
 *   runTurn,
 *   authenticate,
 *   allowedOrigins,
 *   onError: console.error,
 * });
 */
export async function createDbosRunner(options: DbosRunnerOptions): Promise<DbosRunner> {
  const { ports, recordWithinMs = 120_000, parkAfterMs, graceMs, telemetry } = options;
  const onError = safeLog(options.onError);
  const { claims, stream } = ports;
  const launched = await launchDbos({ ...options, onError });
  const watchdog = createWatchdog({
    limitMs: recordWithinMs,
    reach: () => stream.get(""),
    clock: systemClock,
    end() {
      onError(
        new KitError(
          "elicit-kit: DBOS has read or recorded nothing for recordWithinMs, although the database replies. This process ends, so that others continue its turns.",
        ),
      );
      process.exit(1);
    },
  });
  const store = createStepStore(launched.dbos, watchdog);
  // Two processes that create the tables of DBOS at the same time block each other.
  await claims.exclusively("launch of DBOS", launched.launch);
  const runner = createRecordedRunner({
    claims,
    stream,
    store,
    parkAfterMs,
    graceMs,
    telemetry,
    clock: systemClock,
    onError,
  });
  return { ...runner, close: launched.close };
}
