import { AsyncLocalStorage } from "node:async_hooks";
import {
  type StreamChunk,
  type TurnLog,
  type TurnRunner,
  type TurnSignals,
  type TurnStream,
  type TurnStreamEntry,
  SERVER_STOPPED,
  createCount,
  never,
} from "../../src/runtime/internal.ts";
import type { Telemetry } from "../../src/runtime/index.ts";
import type { Clock } from "../../src/base/clock.ts";
import { atMost } from "../../src/base/deadlines.ts";
import { isStoreAway } from "../../src/base/foreign-error.ts";
import { KitError } from "../../src/contract/kit-error.ts";
import { inGroups } from "./chunk-groups.ts";
import type { CallScope } from "./call-scope.ts";
import type { ClaimedTurn, RecordStep, RecordedStep, RunClaims, StepStore } from "./engine.ts";
import { createParking } from "./parking.ts";
import { recordedModel } from "./recorded-model.ts";
import { stopIn } from "./recorded-stop.ts";
import { createPastLog } from "./replay-filter.ts";
import { TurnRun } from "./turn-run.ts";

/** A turn is not run again after this many processes have died while it worked. */
const MAX_DEATHS = 3;
/** Work that begins this much later than it was requested first checks whether this process still has the turn. */
const FROZEN_MS = 500;

/** How turns outlive their process. */
export interface DurableTurns {
  /**
   * How long a turn waits for the user before this process parks it, in milliseconds. An answer makes it run again.
   * `false`: never.
   * @default 60_000
   */
  parkAfterMs?: number | false | undefined;
  /**
   * How long `runtime.close` waits for steps that have begun, in milliseconds. A step that takes longer runs again in
   * another process. Set it to the time between the platform's SIGTERM and SIGKILL, less a few seconds for the rest of
   * the shutdown.
   * @default 25_000: 30 seconds, as in Kubernetes, less five
   */
  graceMs?: number | undefined;
  /** The `telemetry` of the runtime. Its meter counts the turns that are parked, and those that run again. */
  telemetry?: Pick<Telemetry, "meter"> | undefined;
}

/** What the runner needs. It names no engine: the simulation uses one in memory. */
export interface RecordedRunnerOptions extends DurableTurns {
  claims: RunClaims;
  stream: Pick<TurnStream, "read">;
  store: StepStore;
  clock: Clock;
  onError: (error: unknown) => void;
}

/** Creates a runner that records the steps of turns in `store`, and runs a turn again from them. */
export function createRecordedRunner(options: RecordedRunnerOptions): TurnRunner {
  const {
    claims,
    stream,
    store,
    parkAfterMs = 60_000,
    graceMs = 25_000,
    telemetry,
    clock,
    onError,
  } = options;
  const { meter } = telemetry ?? {};
  const countParked = createCount(
    { meter, onError },
    "elicitation.turns.parked",
    "Turns that left this process while they wait for the user",
  );
  const countAgain = createCount(
    { meter, onError },
    "elicitation.turns.run_again",
    "Turns that ran again in this process: an answer woke them, or their process was gone",
  );
  countParked({}, 0);
  countAgain({}, 0);
  const scopes = new AsyncLocalStorage<CallScope>();
  /** The runs of this process, by turn. */
  const runs = new Map<string, TurnRun>();

  async function runTurn(turn: ClaimedTurn, body: (signals: TurnSignals) => Promise<void>): Promise<void> {
    const { run: number } = turn;
    const claimedAt = clock.now();
    const lists = await store.take(turn);
    const recorded = lists.findLastIndex((steps) => steps.length > 0) + 1;
    // A process may die after it recorded something and before it could note that.
    const deaths = Math.min(turn.deaths, number - recorded);
    const past = lists.flat();
    await store.run(turn, (record) => runOnce({ ...turn, deaths }, { record, past, claimedAt }, body));
    if (turn.signals.letGo.aborted) return;
    await store.forget(turn).catch(onError);
  }

  async function runOnce(
    turn: ClaimedTurn,
    recorded: { record: RecordStep; past: readonly RecordedStep[]; claimedAt: number },
    body: (signals: TurnSignals) => Promise<void>,
  ): Promise<void> {
    const failed = new AbortController();
    const before = stopIn(recorded.past);
    if (before !== undefined) failed.abort(before);
    if (turn.deaths >= MAX_DEATHS) failed.abort(new Error(SERVER_STOPPED));
    const parking = createParking({
      afterMs: parkAfterMs,
      async park(waits) {
        await claims.park(turn, waits);
        if (turn.signals.letGo.aborted) countParked();
      },
      letGo: turn.signals.letGo,
      clock,
      onError,
    });
    const stop = AbortSignal.any([turn.signals.stop, failed.signal]);
    const run = new TurnRun({
      turn,
      stop,
      past: recorded.past,
      record(name, work) {
        const asked = clock.now();
        return recorded.record(name, async () => {
          // The turn may have been parked while the engine checked whether the step is already recorded.
          await parking.pending();
          if (turn.signals.letGo.aborted) return run.wakeIfJustParked();
          await ensureMine(turn, asked);
          return work();
        });
      },
      check: () => claims.check(turn),
      wake: () => void claims.wake(turn.turnId).catch(onError),
      leave: (error) => leave(turn, error),
      clock,
      parking,
      note: (what) => claims.note(turn, what),
      onFailed(error, words) {
        onError(error);
        failed.abort(new Error(words));
      },
    });
    await ensureMine(turn, recorded.claimedAt);
    runs.set(turn.turnId, run);
    if (turn.run > 1) countAgain();
    try {
      const { letGo } = turn.signals;
      await scopes.run(run.root, () => body({ stop, letGo, run: turn.run }));
    } finally {
      parking.end();
      if (runs.get(turn.turnId) === run) runs.delete(turn.turnId);
    }
  }

  /** Rejects if another process has taken the turn, because this one was frozen or waited for an engine. */
  async function ensureMine(turn: ClaimedTurn, since: number): Promise<void> {
    const isFresh = !turn.signals.letGo.aborted && clock.now() - since <= FROZEN_MS;
    if (isFresh || (await claims.check(turn))) return;
    throw new KitError("elicit-kit: another process has taken over the turn.");
  }

  /** Ends this run of a turn, but not the turn: it runs again later. */
  function leave(turn: ClaimedTurn, error: unknown): void {
    onError(error);
    claims.leave(turn);
  }

  /** Passes on the result of `work`. If `work` fails and the reason may pass, the turn runs again later. */
  async function unlessAway<Result>(turn: ClaimedTurn, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      // The turn has left this process: another question was answered elsewhere, or another process took over the turn.
      if (turn.signals.letGo.aborted) return never();
      if (!isStoreAway(error)) throw error;
      leave(turn, error);
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
    ...(claims.overview !== undefined && { overview: claims.overview }),
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
      background: async (work) => scopeOf("later").background(work),
      untilAnswered: async (wait) => scopeOf("background.next").untilAnswered(wait),
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
    /** A turn is not parked while its chunks are being written. A turn that asks waits nevertheless. */
    const busy = <Result>(work: () => Promise<Result>) => (run === undefined ? work() : run.hold(work));
    const past = await busy(async () => {
      const isFirst = run === undefined || run.turn.run === 1;
      const earlier = createPastLog(isFirst ? [] : await entriesOf(turnId), run?.modelStreams ?? 0);
      if (earlier.discardFrom !== undefined) await log.discard(earlier.discardFrom);
      return earlier;
    });
    await inGroups(chunks, {
      isKnown: (chunk) => past.has(chunk),
      write: async (group) => void (await Promise.all(group.map((chunk) => log.append(chunk)))),
      busy,
      clock,
    });
  }

  async function entriesOf(turnId: string): Promise<readonly TurnStreamEntry[]> {
    const entries: TurnStreamEntry[] = [];
    const { signal } = new AbortController();
    for await (const entry of stream.read(turnId, { live: false, signal })) entries.push(entry);
    return entries;
  }
}
