import { systemClock } from "../../../src/base/clock.ts";
import { KitError } from "../../../src/contract/kit-error.ts";
import { atMost } from "../../../src/base/deadlines.ts";
import type { ClaimedTurn } from "../../durable/engine.ts";
import type { TurnClaims } from "./claims.ts";
import type { Database } from "../database/database.ts";
import { type BeginningWait, keyOf, lockKeyOf } from "../database/keys.ts";
import { exclusively } from "../database/locks.ts";
import { type Conduct, createConducts } from "./conduct.ts";
import { createDeathCheck } from "./death-check.ts";
import { createLostTurns } from "./lost-turns.ts";
import type { Notifications } from "../database/notifications.ts";
import type { Row } from "../database/row.ts";
import { type MyRun, createRunRows } from "./run-rows.ts";
import type { TurnPlans } from "../database/turn-plans.ts";

/** How long a turn waits for a lost connection before it starts without it, in milliseconds. */
const CONNECT_MS = 15_000;

interface Running extends Conduct, MyRun {
  readonly stop: AbortController;
  readonly letGo: AbortController;
}

export function createTurnClaims(
  database: Database,
  notifications: Pick<
    Notifications,
    "process" | "on" | "onSweep" | "onReconnect" | "connected" | "openedInMs" | "hold"
  >,
  plans: TurnPlans,
  onError: (error: unknown) => void,
): Omit<TurnClaims, "overview"> & {
  /** The wait that begins with a question of a turn, by its key, if the turn then only waits. */
  asks: (key: string) => BeginningWait | undefined;
} {
  const here = notifications.process;
  const rows = createRunRows(database, here);
  const lostTurns = createLostTurns(database, here);
  const isDead = createDeathCheck(rows, notifications);
  const runs = new Map<string, (text: string, turn: Omit<ClaimedTurn, "input">) => Promise<void>>();
  /** The turns that run in this process, by key. */
  const running = new Map<string, Running>();
  const ends = new Set<Promise<unknown>>();
  /** The turns that are being parked, by key. */
  const parking = new Map<string, Promise<void>>();
  /** The session lock for the version of this process. Zero: there is none. */
  let version = "0";
  let freeVersion: (() => Promise<void>) | undefined;
  let isReleased = false;
  /** Whether the end of a full claim starts the next claim. */
  let isDraining = false;
  const conducts = createConducts(database, {
    here,
    running,
    onCleared: () => track(claimSuspect().catch(onError)),
  });

  /** Claims the next suspect turn, unless one already works here. */
  async function claimSuspect(): Promise<void> {
    if (runs.size === 0 || isReleased) return;
    await conducts.alone(async () => {
      for (const row of await lostTurns.claimSuspect([...runs.keys()], version)) void runAgain(row);
    });
  }

  /**
   * Claims turns that no process runs. If one claim cannot take all of them, the next claim starts when those have ended,
   * for example when many requests are due at once. The sweep does not wait for that.
   */
  async function claimLost(): Promise<void> {
    if (isReleased) return;
    const lost = await lostTurns.claimLost([...runs.keys()], version);
    const again = lost.rows.map(runAgain);
    if (!lost.areMore || isDraining) return;
    isDraining = true;
    const drained = Promise.all(again).finally(() => {
      isDraining = false;
    });
    track(drained.then(claimLost).catch(onError));
  }

  /** Runs a turn. If that fails, a later sweep tries again, here or in another process. */
  function runAgain(row: Row): Promise<void> {
    // A sweep may claim a turn that this process has just released.
    const tried = isReleased
      ? free(row)
      : database
          .patiently(() => runOne(row))
          .catch(async (error: unknown) => {
            onError(error);
            await free(row);
          });
    track(tried);
    return tried;
  }

  async function free(row: Row): Promise<void> {
    await rows.free({ key: keyOf(turnIdIn(row)), run: row.number("run") }).catch(onError);
  }

  function track(end: Promise<unknown>): void {
    ends.add(end);
    void end.finally(() => ends.delete(end)).catch(() => {});
  }

  async function runOne(row: Row): Promise<void> {
    const text = row.text("input");
    const turnId = turnIdIn(row);
    const key = keyOf(turnId);
    const run = row.number("run");
    const deaths = row.number("deaths");
    const mine: Running = {
      key,
      run,
      stop: new AbortController(),
      letGo: new AbortController(),
      ...conducts.begin(deaths),
    };
    const reason = row.text("stop_reason");
    if (reason !== "") mine.stop.abort(new DOMException(reason, "AbortError"));
    running.get(key)?.letGo.abort();
    running.set(key, mine);
    const unwatch = notifications.on("stop", key, () => void look([key]).catch(onError));
    try {
      const signals = { stop: mine.stop.signal, letGo: mine.letGo.signal };
      await runs.get(row.text("name"))?.(text, { turnId, run, deaths, signals });
      if (mine.letGo.signal.aborted) return;
      await rows.end(mine).catch(onError);
    } catch (error) {
      // Another process may have taken over the turn.
      if (await isMine(mine)) throw error;
    } finally {
      unwatch();
      if (running.get(key) === mine) running.delete(key);
      conducts.end(mine);
    }
  }

  /** Runs a turn for the first time. */
  async function begin(name: string, turnId: string, input: unknown): Promise<void> {
    // Without its lock, this process looks dead to other processes.
    await atMost(systemClock, CONNECT_MS, notifications.connected());
    const key = keyOf(turnId);
    const row = await rows.begin(name, turnId, version, input);
    if (row === undefined) {
      // Another process has taken the turn, because this process released its turns or looked dead.
      if (plans.has(key)) return;
      throw new KitError("elicit-kit: another process already runs this turn.");
    }
    // If this process has released its turns in the meantime, another process runs this one.
    const end = runAgain(row);
    plans.drop(turnId);
    await end;
  }

  /** Finds out which turns of this process were stopped, or claimed by other processes. */
  async function look(
    keys: readonly string[],
    read: () => Promise<readonly Row[]> = () => rows.look(keys),
  ): Promise<void> {
    if (keys.length === 0) return;
    // While a turn is being parked, its row does not say whether it runs here.
    await Promise.allSettled(keys.map(async (key) => parking.get(key)));
    const before = new Map(keys.map((key) => [key, running.get(key)]));
    const found = new Map((await read()).map((row) => [row.text("turn_id"), row]));
    for (const [key, mine] of before) {
      const row = found.get(key);
      if (mine === undefined || running.get(key) !== mine) continue;
      // There is no row, so the turn has ended in another process.
      if (row?.flag("mine") !== true || row.number("run") !== mine.run) letGo(mine);
      else if (row.text("reason") !== "") mine.stop.abort(new DOMException(row.text("reason"), "AbortError"));
    }
  }

  /** Whether this process still has the turn. Notes that the turn works. */
  async function isMine(mine: Running): Promise<boolean> {
    const { key } = mine;
    // While the turn was being parked, another run of it may have taken the place of this one.
    const isHere = () => running.get(key) === mine;
    if (!isHere()) return false;
    await look([key], () =>
      mine.mayBeNoted && isHere() ? conducts.works(mine, () => rows.work(mine)) : rows.look([key]),
    );
    return isHere();
  }

  function letGo(mine: Running): void {
    if (running.get(mine.key) === mine) running.delete(mine.key);
    mine.letGo.abort();
  }

  /** Runs a turn here if any process may claim it. Resolves with `false` if another process has it. */
  async function claim(key: string): Promise<boolean> {
    const { claimed, dead } = await rows.claim(key, [...runs.keys()], version, lostTurns.gone());
    if (claimed !== undefined) void runAgain(claimed);
    if (dead !== undefined) track(database.patiently(() => claimOfDead(key, dead)).catch(onError));
    return claimed !== undefined;
  }

  /** An answer has arrived right after the process of its turn has died. Does not wait for two sweeps. */
  async function claimOfDead(key: string, dead: string): Promise<void> {
    if (!(await isDead(key, dead)) || isReleased) return;
    const claimed = await rows.claimOfDead(key, [...runs.keys()], version, dead, lostTurns.gone());
    if (claimed !== undefined) void runAgain(claimed);
  }

  async function stop(turnId: string, words: string): Promise<boolean> {
    const key = keyOf(turnId);
    // PostgreSQL text cannot contain NUL.
    const reason = words.replaceAll("\u0000", "\ufffd");
    await parking.get(key);
    const mine = running.get(key);
    if (mine !== undefined) {
      // Stored before the turn withdraws its requests. If this process dies in between, the next run would continue with
      // withdrawn requests.
      if (await stopMine(mine, reason)) return true;
      letGo(mine);
    }
    for (;;) {
      if (await rows.stopOthers(key, reason)) return true;
      const claimed = await rows.claimToStop(key, [...runs.keys()], version, reason);
      if (claimed !== undefined) {
        void runAgain(claimed);
        return true;
      }
      if (await rows.stopNobodys(key, reason)) return false;
    }
  }

  /** Resolves with `false` if another process has taken the turn. */
  async function stopMine(mine: Running, reason: string): Promise<boolean> {
    let hasTurn = true;
    try {
      hasTurn = await rows.stopMine(mine, reason);
      return hasTurn;
    } finally {
      // Without the database, it is stopped nevertheless.
      if (hasTurn) mine.stop.abort(new DOMException(reason, "AbortError"));
    }
  }

  async function parkOne(mine: Running, waits: readonly string[]): Promise<void> {
    if (mine.stop.signal.aborted || !(await rows.park(mine, waits))) return;
    letGo(mine);
    // Two cases: a request ended before the turn was parked, or its end freed the turn while `wake` still saw it running
    // here.
    if ((await rows.freeAnswered(mine, waits)) && !isReleased) await claim(mine.key);
  }

  /** The run of a turn in this process, unless another run has taken its place. */
  function mineOf({ turnId, run }: Pick<ClaimedTurn, "turnId" | "run">): Running | undefined {
    const mine = running.get(keyOf(turnId));
    return mine?.run === run ? mine : undefined;
  }

  notifications.onReconnect(() => lostTurns.forget());
  notifications.onSweep(() => look([...running.keys()]));
  notifications.onSweep(async () => {
    if (runs.size === 0 || isReleased) return;
    await lostTurns.look();
    await claimLost();
    await claimSuspect();
  });
  notifications.onSweep(conducts.sweep);
  notifications.onSweep(() => lostTurns.freeOrphans((key) => running.has(key) || plans.has(key)));

  return {
    register(name, run, of) {
      runs.set(name, (text, turn) => run({ ...turn, input: JSON.parse(text).input }));
      if (of !== undefined) {
        version = lockKeyOf(database.schema, of);
        freeVersion = notifications.hold(version);
      }
      plans.register(name, version);
      return (turnId, input) => {
        const isPlanned = plans.has(keyOf(turnId));
        const begun = database
          .patiently(() => begin(name, turnId, input))
          .catch((error: unknown) => {
            if (!isPlanned) throw error;
            // Its row still names this process. A sweep detects that and frees the row.
            onError(error);
          });
        return begun.finally(() => plans.drop(turnId));
      };
    },
    stop,
    async wake(turnId) {
      const key = keyOf(turnId);
      if (running.has(key)) return true;
      return !isReleased && claim(key);
    },
    async check(turn) {
      const mine = mineOf(turn);
      return mine !== undefined && (await isMine(mine));
    },
    async park(turn, waits) {
      const mine = mineOf(turn);
      if (mine === undefined) return;
      const parked = parkOne(mine, waits);
      parking.set(mine.key, parked);
      await parked.finally(() => parking.delete(mine.key));
    },
    note(turn, what) {
      const mine = mineOf(turn);
      if (mine !== undefined) conducts.note(mine.key, mine, what).catch(onError);
    },
    leave(turn) {
      const mine = mineOf(turn);
      if (mine === undefined) return;
      letGo(mine);
      // If this fails, too, a sweep detects that the row still names this process, and frees it.
      rows.free(mine).catch(() => {});
    },
    async release() {
      isReleased = true;
      const mine = [...running.values()];
      await database.patiently(() => rows.freeAll());
      mine.forEach(letGo);
      await freeVersion?.();
    },
    exclusively: (name, work) => database.patiently(() => exclusively(database, keyOf("claims", name), work)),
    isHere: (turnId) => running.has(keyOf(turnId)),
    asks: conducts.asks,
    idle: async () => void (await Promise.allSettled(ends)),
  };
}

function turnIdIn(row: Row): string {
  const { turnId }: { turnId: string } = JSON.parse(row.text("input"));
  return turnId;
}
