import type { RecordWriter } from "../request/record-writer.ts";
import type {
  ElicitationRecords,
  TurnKey,
  TurnLease,
  TurnOpening,
  TurnRecorder,
  TurnRunner,
  TurnSignals,
  TurnStream,
} from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { atMost, within, onAbort } from "../../base/deadlines.ts";
import { isTakenOver } from "../ports/turn-runner.ts";
import { appendEnd, readMissingEnds } from "./past-requests.ts";
import { RunningTurn, STOP_MS } from "./running-turn.ts";
import { TURN_FAILED, requestChunk } from "./stream-helper.ts";
import type { RunTurnBody } from "./turn-body.ts";
import type { SurfaceTurns, TurnInput } from "./surface.ts";
import { loggable } from "../../base/foreign-error.ts";
import { KitError } from "../../contract/kit-error.ts";

/**
 * The name under which turns are registered with the runner. A process claims only turns of names that it knows, so turns
 * that an older version must not run get another name.
 */
const RUN_NAME = "elicit-kit turn";
const STOP_TRIES = 3;
/** The pause before the second try to stop a replaced turn. Each further pause is twice as long. */
const STOP_PAUSE_MS = 1000;
const LONGEST_STOP_PAUSE_MS = 30_000;
const NEW_MESSAGE = "A new message was sent.";
/** Turns of another process, and turns that an expiry wakes, begin outside of any HTTP request. */
const REFUSED =
  "elicit-kit: waitUntil refused a turn that began outside of an HTTP request, as `after` of Next.js does. The turn runs, as long as this process is not frozen. Said once.";
const CONNECTION_LOST = "The connection of this turn is lost.";

/** Starts turns, stops turns of any process, and tracks the turns of this process. */
export interface TurnRegistry {
  /**
   * Opens a turn and runs it once the replaced turn has ended. `ended` resolves when the turn no longer runs in this
   * process.
   */
  start(
    key: TurnKey,
    input: TurnInput,
    options: { replace: boolean; signal?: AbortSignal | undefined },
  ): Promise<TurnOpening & { ended: Promise<void> }>;
  /**
   * Withdraws the requests of a turn and aborts it, in any process. Resolves when its log is closed, or after ten
   * seconds. Closes the log of a turn that no process runs.
   */
  stop(turn: TurnKey, reason: string): Promise<void>;
  /**
   * Ends the turns of this process, with `reason` as the end chunk of each, or leaves them to other processes. New turns
   * are refused from then on.
   */
  stopAll(reason: string): Promise<void>;
  isClosed(): boolean;
}

/** At most one turn is open per user and conversation. Anonymous turns cannot be found again. */
export function createTurnRegistry(options: {
  stream: TurnStream;
  records: Pick<ElicitationRecords, "get">;
  runner: TurnRunner;
  recorder: Pick<TurnRecorder, "hold">;
  clock: Clock;
  runBody: RunTurnBody;
  version: string | undefined;
  withdraw: RecordWriter["withdraw"];
  /** Keeps a serverless function awake while a turn runs in it. */
  waitUntil?: ((run: Promise<void>) => void) | undefined;
  /** Delivers a turn to clients without a connection, until `lost` aborts. */
  deliver: SurfaceTurns["deliver"];
  onError: (error: unknown) => void;
}): TurnRegistry {
  const { stream, runner, clock, runBody, withdraw, onError } = options;
  const running = new Map<string, RunningTurn>();
  const delivering = new Set<Promise<void>>();
  const start = runner.register(RUN_NAME, keptAwake, options.version);
  let isClosed = false;
  /** Whether `waitUntil` has refused a turn. */
  let wasRefused = false;

  function track(id: string): RunningTurn {
    const handle = new RunningTurn(id, clock);
    running.set(id, handle);
    return handle;
  }

  function forget(handle: RunningTurn): void {
    if (running.get(handle.id) === handle) running.delete(handle.id);
    handle.end();
  }

  function keptAwake(...of: Parameters<typeof body>): Promise<void> {
    const run = body(...of);
    try {
      options.waitUntil?.(run);
    } catch (error) {
      if (!wasRefused) onError(new KitError(REFUSED, { cause: loggable(error) }));
      wasRefused = true;
    }
    return run;
  }

  /** Runs one turn from its id and input alone. Rejects if the turn is to run again, because a store has failed. */
  async function body(id: string, input: TurnInput, signals: TurnSignals): Promise<void> {
    const { stop, letGo, run: number } = signals;
    const known = running.get(id);
    const isMine = known?.begin() === true;
    const handle = isMine ? known : track(id);
    if (!isMine) handle.begin();
    // Another process may have run a turn that this process has opened but not yet begun.
    const isFirstRun = isMine && (number ?? 1) === 1;
    const listening = [onAbort(stop, () => void stopBy(handle, stop.reason))];
    try {
      const lease = await leaseUntil(id, letGo, number);
      listening.push(onAbort(lease.lost, () => handle.letGo()));
      if (lease.ended || hasLeft(lease, signals)) return;
      if (!isFirstRun) await stopIfReplaced(handle);
      const delivered = deliver(id, input, lease.lost);
      // The client of a crashed run is gone, so it could not be asked.
      if (input.connectionBound === true && !isFirstRun) void stopBy(handle, new Error(CONNECTION_LOST));
      const run = () => runBody(handle, input, { lease, isFirstRun });
      await (input.connectionBound === true ? options.recorder.hold(run) : run());
      if (hasLeft(lease, signals)) return;
      await stream.close(id, lease);
      forget(handle);
      // If this process dies before that, an engine runs the turn again, and delivers it again.
      await delivered;
    } catch (error) {
      // The next run writes the end.
      handle.letGo();
      throw error;
    } finally {
      for (const remove of listening) remove();
      forget(handle);
    }
  }

  /** A lease that also ends with `letGo`. */
  async function leaseUntil(id: string, letGo: AbortSignal, run: number | undefined): Promise<TurnLease> {
    const lease = await stream.lease(id, run);
    return { ...lease, lost: AbortSignal.any([lease.lost, letGo]) };
  }

  function deliver(id: string, input: TurnInput, lost: AbortSignal): Promise<void> | undefined {
    const delivered = options.deliver(id, input, lost, stopTurn);
    if (delivered === undefined) return undefined;
    delivering.add(delivered);
    return delivered.finally(() => delivering.delete(delivered));
  }

  /** Stops a turn that runs again if the user has sent a new message. */
  async function stopIfReplaced(handle: RunningTurn): Promise<void> {
    const turn = await stream.get(handle.id);
    if (turn?.userId === undefined) return;
    const { userId, conversationId, turnId } = turn;
    // The process that accepted the message may have died before it stopped the previous turn.
    const before = turn.replaced === undefined ? undefined : await stream.get(turn.replaced);
    if (before?.ended === false) await stopReplaced(before);
    if ((await stream.find(conversationId, userId)) !== turnId) void handle.stop(NEW_MESSAGE);
  }

  function launch(handle: RunningTurn, input: TurnInput, before: TurnKey | undefined): void {
    const run = () => start(handle.id, input);
    const begun = before === undefined ? run() : stopReplaced(before).then(run);
    begun
      .catch(async (error: unknown) => {
        // The turn runs only once, and so it ends here.
        onError(error);
        await end(handle.id, TURN_FAILED).catch(onError);
      })
      // There is no run here if another process has taken over the turn.
      .finally(() => forget(handle))
      .catch(onError);
  }

  /**
   * Resolves after the first try, so that the new turn need not wait for a store that is away. Retries in the background,
   * because otherwise the replaced turn would run to its end.
   */
  async function stopReplaced(before: TurnKey, pause = STOP_PAUSE_MS): Promise<void> {
    try {
      await stopTurn(before, NEW_MESSAGE);
    } catch (error) {
      onError(error);
      if (isClosed || pause > LONGEST_STOP_PAUSE_MS) return;
      clock.after(pause, () => void stopReplaced(before, 2 * pause));
    }
  }

  /** Writes the end of the log for a turn that no process runs. */
  async function end(turnId: string, last: { readonly type: string }): Promise<void> {
    const lease = await stream.lease(turnId);
    try {
      const missing = await readMissingEnds(turnId, options);
      for (const request of missing) await stream.append(turnId, requestChunk(request), lease);
      await appendEnd(turnId, last, lease, stream);
    } finally {
      await stream.close(turnId, lease);
    }
  }

  async function stopTurn(turn: TurnKey, reason: string): Promise<void> {
    const { turnId, conversationId, userId } = turn;
    const here = running.get(turnId);
    if (here !== undefined) {
      // Tell the runner first. Otherwise an engine could park the turn at this moment, or run it again with withdrawn
      // requests and without the stop.
      const isStopped = (await runner.stop(turnId, reason).catch(onError)) !== false;
      await here.stop(reason);
      // A turn that was stopped before it began may have a log without an end.
      const isOver = isStopped || (await stream.get(turnId))?.ended !== false;
      if (isOver && !isTakenOver(here.signal)) return;
    }
    for (let tries = 1; ; tries += 1) {
      const isRunning = await runner.stop(turnId, reason);
      if (userId !== undefined) await withdraw({ turnId, conversationId, userId }, reason);
      if (isRunning) break;
      const failure = await end(turnId, { type: "abort" }).then(
        () => undefined,
        (error: unknown) => error,
      );
      const left = await stream.get(turnId);
      if (left === undefined || left.ended) return;
      // A process has begun to run it in the meantime. It is stopped there.
      if (tries === STOP_TRIES) {
        throw (
          failure ??
          new KitError(
            "elicit-kit: a turn could not be stopped, because other processes began to run it again each time. Stop it again.",
          )
        );
      }
    }
    // A position after every entry: the read ends when the turn does, without yielding entries.
    const after = Number.MAX_SAFE_INTEGER - 1;
    await within(clock, STOP_MS, async (signal) => {
      await stream.read(turnId, { after, live: true, signal })[Symbol.asyncIterator]().next();
    });
  }

  return {
    async start(key, input, { replace, signal }) {
      const handle = track(key.turnId);
      try {
        const opening = await stream.open(key, { replace, signal, run: { name: RUN_NAME, input } });
        if (opening.status === "opened") launch(handle, input, opening.before);
        else forget(handle);
        return { ...opening, ended: handle.ended };
      } catch (error) {
        forget(handle);
        throw error;
      }
    },
    stop: stopTurn,
    isClosed: () => isClosed,
    async stopAll(reason) {
      isClosed = true;
      if (await runner.release()) {
        await Promise.all([...running.values()].map(({ ended }) => ended));
        return;
      }
      // An error chunk, because the user did not stop the turn: the chat shows the reason and lets them try again.
      const last = { type: "error", errorText: reason };
      await Promise.all(
        [...running.values()].map((turn) => {
          void turn.stop(reason, last);
          return turn.ended;
        }),
      );
      if (delivering.size > 0) {
        await atMost(
          clock,
          STOP_MS,
          Promise.all(delivering).then(() => undefined),
        );
      }
    },
  };
}

/** Whether the turn no longer runs here. Rejects if only its log is lost, unless turns run only once. */
function hasLeft({ lost }: TurnLease, { letGo, run }: TurnSignals): boolean {
  if (lost.aborted && !letGo.aborted && run !== undefined)
    throw new KitError("elicit-kit: a turn lost its log while it ran. It runs again.");
  return lost.aborted;
}

/** An `AbortError` means a deliberate stop. The chat shows any other reason, and lets the user try again. */
function stopBy(handle: RunningTurn, reason: unknown): Promise<void> {
  if (!(reason instanceof Error)) return handle.stop("The turn was stopped.");
  const { name, message } = reason;
  const failure = { type: "error", errorText: message };
  return handle.stop(message, name === "AbortError" ? undefined : failure);
}
