import { AsyncLocalStorage } from "node:async_hooks";
import {
  type StreamChunk,
  type TurnLog,
  type TurnRunner,
  type TurnSignals,
  type TurnStream,
  type TurnStreamEntry,
  CODE_CHANGED,
  SERVER_STOPPED,
  never,
} from "../../runtime/internal.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { atMost } from "../../base/deadlines.ts";
import { safeLog } from "../../base/foreign-error.ts";
import type { PostgresPorts } from "../postgres/index.ts";
import type { ClaimedTurn, RecordStep, RunClaims, StepStore } from "../../durable/engine.ts";
import { launchDbos } from "./launch.ts";
import { createParking } from "../../durable/parking.ts";
import { recordedModel } from "../../durable/recorded-model.ts";
import { createPastLog } from "../../durable/replay-filter.ts";
import { type Dbos, createStepStore } from "./step-store.ts";
import { createWatchdog } from "./watchdog.ts";
import type { CallScope } from "../../durable/call-scope.ts";
import { TurnRun } from "../../durable/turn-run.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The ports, and where DBOS records the steps of turns. Give `connectionString` or `dbos`. */
export interface DbosRunnerOptions {
  /** The ports of `createPostgresPorts`. They say which process lives and which one runs a turn. */
  ports: Pick<PostgresPorts, "claims" | "stream">;
  /** The database of DBOS: that of the ports, or another one. DBOS is launched with it, and keeps its tables in a schema `dbos`. */
  connectionString?: string | undefined;
  /** The `DBOS` of an application that launches it. Call `DBOS.launch()` after this and before the first message. */
  dbos?: Dbos | undefined;
  /**
   * How long a turn waits for the user before this process lets go of it, in milliseconds. Its answer brings it back.
   * `false`: never.
   * @default 60_000
   */
  parkAfterMs?: number | false | undefined;
  /**
   * How long `runtime.close` waits for steps that have begun, in milliseconds. One that takes longer is done again elsewhere.
   * Set it to the time between the platform's SIGTERM and SIGKILL, less a few seconds for the rest of the shutdown.
   * @default 25_000: 30 seconds, as in Kubernetes, less five
   */
  graceMs?: number | undefined;
  /**
   * Ends the process (`process.exit(1)`) when DBOS takes longer than this to read or record something, in milliseconds,
   * although the database replies to the ports all that time. Other processes then continue with its turns. `false`: never.
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

/** A turn is not run again after this many processes have died while it worked. */
const MAX_DEATHS = 3;

/**
 * Creates a runner for `createRuntime` whose turns outlive their process: when it dies or is deployed again, another
 * process continues with the turn, and what was asked, called or recorded in a `step` is not done again. Rejects if DBOS
 * cannot be launched.
 *
 * @example
 * const ports = await createPostgresPorts({ connectionString, key, onError: console.error });
 * const runner = await createDbosRunner({ ports, connectionString, onError: console.error });
 * const runtime = createRuntime({ ...ports, runner, runTurn, authenticate, allowedOrigins, onError: console.error });
 */
export async function createDbosRunner(options: DbosRunnerOptions): Promise<DbosRunner> {
  const { ports, parkAfterMs = 60_000, graceMs = 25_000, recordWithinMs = 120_000 } = options;
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
  // Processes that make the tables of DBOS at the same time block each other.
  await claims.exclusively("launch of DBOS", launched.launch);
  const runner = createRecordedRunner({
    claims,
    stream,
    store,
    parkAfterMs,
    graceMs,
    clock: systemClock,
    onError,
  });
  return { ...runner, close: launched.close };
}

/** What runs and records turns. No engine is named here: the simulation has one in memory. */
export interface RecordedRunnerOptions {
  claims: RunClaims;
  stream: Pick<TurnStream, "get" | "read">;
  store: StepStore;
  parkAfterMs: number | false;
  /** How long `release` waits for steps that have begun. @default 0 */
  graceMs?: number;
  /** For the time until a turn is parked. */
  clock: Clock;
  onError: (error: unknown) => void;
}

/** Creates a runner that records the steps of turns in `store`, and runs a turn again from them. */
export function createRecordedRunner(options: RecordedRunnerOptions): TurnRunner {
  const { claims, stream, store, parkAfterMs, graceMs = 0, clock, onError } = options;
  const scopes = new AsyncLocalStorage<CallScope>();
  /** The runs of this process, by turn. */
  const runs = new Map<string, TurnRun>();

  async function runTurn(turn: ClaimedTurn, body: (signals: TurnSignals) => Promise<void>): Promise<void> {
    const { turnId, run: number } = turn;
    const earlier = Array.from({ length: number - 1 }, (_, index) => runId(turnId, index + 1));
    const past = await store.take(earlier);
    await store
      .run(runId(turnId, number), (record) => runOnce(turn, { record, past }, body))
      .catch(async (error: unknown) => {
        // An error of a run that another process has taken over and cancelled means nothing.
        if (await claims.check(turn)) throw error;
      });
    if (!(await claims.check(turn))) return;
    const left = await stream.get(turnId);
    if (left?.ended === false)
      throw new KitError("elicit-kit: a turn lost its log while it ran. It runs again.");
    await store.forget([...earlier, runId(turnId, number)]).catch(onError);
  }

  async function runOnce(
    turn: ClaimedTurn,
    recorded: { record: RecordStep; past: Awaited<ReturnType<StepStore["take"]>> },
    body: (signals: TurnSignals) => Promise<void>,
  ): Promise<void> {
    const failed = new AbortController();
    if (turn.deaths >= MAX_DEATHS) failed.abort(new Error(SERVER_STOPPED));
    const parking = createParking({
      afterMs: parkAfterMs,
      park: (waits) => claims.park(turn, waits),
      letGo: turn.signals.letGo,
      clock,
      onError,
    });
    const stop = AbortSignal.any([turn.signals.stop, failed.signal]);
    const run = new TurnRun({
      ...recorded,
      turn,
      stop,
      check: () => claims.check(turn),
      parking,
      note: (what) => claims.note(turn, what),
      onChanged(error) {
        onError(error);
        failed.abort(new Error(CODE_CHANGED));
      },
    });
    // While DBOS started the workflow, another process may have taken over the turn.
    if (!(await claims.check(turn))) return;
    runs.set(turn.turnId, run);
    try {
      const { letGo } = turn.signals;
      await scopes.run(run.root, () => body({ stop, letGo, run: turn.run }));
    } finally {
      parking.end();
      if (runs.get(turn.turnId) === run) runs.delete(turn.turnId);
    }
  }

  /** Passes on what `work` does, unless it fails because the database is away: the turn then runs again when it is back. */
  async function unlessAway<Result>(turn: ClaimedTurn, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      // Another question of the turn has left it, or another process has taken it over.
      if (turn.signals.letGo.aborted) return never();
      if (!claims.leave(turn, error)) throw error;
      onError(error);
      return never();
    }
  }

  function scopeOf(what: string): CallScope {
    const scope = scopes.getStore();
    if (scope !== undefined) return scope;
    throw new KitError(
      `elicit-kit: ${what} was called outside of its turn. Call it in the code of the turn or of its tool, and not in a callback of something that was made elsewhere.`,
    );
  }

  return {
    register: (name, body, version) =>
      claims.register(
        name,
        (turn) => runTurn(turn, (signals) => body(turn.turnId, turn.input, signals)),
        version,
      ),
    stop: claims.stop,
    wake: claims.wake,
    async release() {
      const all = Promise.all([...runs.values()].map((run) => run.quiet())).then(() => undefined);
      await atMost(clock, graceMs, all);
      await claims.release();
      return true;
    },
    recorder: {
      tool: (call, run) => scopeOf("runner.tool").call(call, (scope) => scopes.run(scope, run)),
      step: (name, run, how) => scopeOf("runner.step").step(name, run, how),
      async ask(question, ask) {
        const scope = scopeOf("turn.ask");
        return unlessAway(scope.run.turn, () => scope.ask(question, ask));
      },
      hold: async (run) => scopeOf("runner.hold").run.hold(run),
      bind(callback) {
        const scope = scopes.getStore();
        return (...args) =>
          scope === undefined ? callback(...args) : scopes.run(scope, () => callback(...args));
      },
      pump(turnId, chunks, log) {
        const run = runs.get(turnId);
        const pump = () => pumpAll(run, { turnId, chunks, log });
        return run === undefined ? pump() : unlessAway(run.turn, pump);
      },
      model: (model) => recordedModel(model, () => scopeOf("a model").models),
    },
  };

  async function pumpAll(
    run: TurnRun | undefined,
    { turnId, chunks, log }: { turnId: string; chunks: AsyncIterable<StreamChunk>; log: TurnLog },
  ): Promise<void> {
    /** A turn is not parked while its chunks are being written. */
    const busy = <Result>(work: () => Promise<Result>) => (run === undefined ? work() : run.root.busy(work));
    const past = await busy(async () => {
      const isFirst = run === undefined || run.turn.run === 1;
      const earlier = createPastLog(isFirst ? [] : await entriesOf(turnId), run?.modelStreams ?? 0);
      if (earlier.discardFrom !== undefined) await log.discard(earlier.discardFrom);
      return earlier;
    });
    for await (const chunk of chunks) if (!past.has(chunk)) await busy(() => log.append(chunk));
  }

  async function entriesOf(turnId: string): Promise<readonly TurnStreamEntry[]> {
    const entries: TurnStreamEntry[] = [];
    const { signal } = new AbortController();
    for await (const entry of stream.read(turnId, { live: false, signal })) entries.push(entry);
    return entries;
  }
}

const runId = (turnId: string, run: number) => `elicit-kit/${turnId}/${run}`;
