import { onTestFinished } from "vitest";
import type { RunTurn, Telemetry } from "../../src/runtime/index.ts";
import { createDbosRunner } from "../../extras/dbos/index.ts";
import type { TurnRunner } from "../../src/runtime/ports/index.ts";
import type { PostgresPorts } from "../../extras/postgres/index.ts";
import type { PostgresPortsOptions } from "../../extras/postgres/postgres-ports.ts";
import { type ChatClient, authenticateTestUser, createChatClient } from "./chat-client.ts";
import { onDbos } from "./durable-ports.ts";
import { createTestDatabase, startPorts } from "./postgres-database.ts";
import { type TestRuntime, createTestRuntime } from "./test-runtime.ts";

export interface DurableProcess {
  readonly runtime: TestRuntime;
  readonly runner: TurnRunner;
  readonly ports: PostgresPorts;
  readonly ada: ChatClient;
  /** The ids of the turns that this process has stored as history. */
  readonly kept: readonly string[];
  /** Internal errors. A test that expects none expects this to be empty. */
  errors(): readonly unknown[];
  readonly portErrors: readonly unknown[];
  /** Releases its turns. Called at the end of the test. */
  close(): Promise<void>;
}

export interface DurableProcessOptions extends Pick<PostgresPortsOptions, "sweepMs" | "retryForMs"> {
  parkAfterMs?: number | false | undefined;
  graceMs?: number | undefined;
  /** The database of its ports, such as a proxy. @default the database itself */
  connectionString?: string | undefined;
  telemetry?: Pick<Telemetry, "meter"> | undefined;
  /** Called when a turn is kept as history. */
  onTurnEnd?: (() => void) | undefined;
  /** Modifies its ports. */
  withPorts?: ((ports: PostgresPorts) => PostgresPorts) | undefined;
}

const ignore = () => {};

/** The DBOS of this process, which all processes of a test share. */
async function configureDbos(url: string) {
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  DBOS.setConfig({
    name: "test",
    systemDatabaseUrl: url,
    useListenNotify: false,
    applicationVersion: "1",
    logger: { info: ignore, debug: ignore, warn: ignore, error: ignore },
  });
  onTestFinished(() => DBOS.shutdown());
  return DBOS;
}

/** Processes of one application, as seen by PostgreSQL. `withDbos`: their steps are recorded in DBOS. */
export async function createDurableProcesses({ withDbos = onDbos } = {}) {
  const { url, query } = await createTestDatabase();
  const dbos = withDbos ? await configureDbos(url) : undefined;

  async function startProcess(
    runTurn: RunTurn,
    {
      parkAfterMs = false,
      graceMs,
      connectionString = url,
      sweepMs = 200,
      retryForMs,
      telemetry,
      onTurnEnd,
      withPorts = (same) => same,
    }: DurableProcessOptions = {},
  ): Promise<DurableProcess> {
    const how = { parkAfterMs, graceMs, telemetry };
    const { errors: portErrors, ...started } = await startPorts(connectionString, {
      sweepMs,
      ...(retryForMs !== undefined && { retryForMs }),
      ...(dbos === undefined && { durable: how }),
    });
    const ports = withPorts(started);
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const runner =
      dbos === undefined ? ports.runner : await createDbosRunner({ ports, dbos, ...how, onError });
    if (dbos?.isInitialized() === false) await dbos.launch();
    const kept: string[] = [];
    const runtime = createTestRuntime(runTurn, {
      ports: { ...ports, runner },
      authenticate: authenticateTestUser,
      limits: { writesPerMinute: 10_000, open: { perPerson: 10_000 }, turns: { perPerson: 10_000 } },
      answerKey: Buffer.alloc(32, 1),
      onTurnEnd(turn) {
        kept.push(turn.id);
        onTurnEnd?.();
      },
    });
    let closing: Promise<void> | undefined;
    const close = () => (closing ??= runtime.close().then(ports.close));
    onTestFinished(close);
    return {
      runtime,
      runner,
      ports,
      kept,
      ada: createChatClient(runtime.fetch, { user: "ada" }),
      errors: () => [...runtime.errors, ...errors],
      portErrors,
      close,
    };
  }
  return {
    startProcess,
    query,
    url,
    /** How many turns are parked. */
    async parked(): Promise<number> {
      const { rows } = await query(
        "select count(*)::integer as count from elicit_kit.runs where process = 2",
      );
      return rows[0].count;
    },
    /** The names of the conversations whose turns are parked. */
    async parkedConversations(): Promise<string[]> {
      const { rows } = await query(
        `select t.turn::json->>'conversationId' as name
           from elicit_kit.runs join elicit_kit.turns t on t.id = turn_id where process = 2 order by name`,
      );
      return rows.map(({ name }) => name);
    },
    /** How many turns run, are parked, or are to run again. */
    async left(): Promise<number> {
      return (await query("select from elicit_kit.runs")).rows.length;
    },
  };
}
