import { systemClock } from "../../../base/clock.ts";
import { KitError } from "../../../contract/kit-error.ts";
import { atMost } from "../../../base/deadlines.ts";
import { IS_DEAD, IS_OURS, STOP_MINE, STOP_NOBODYS, claimSql, stopOtherSql } from "./claim-sql.ts";
import type { ClaimedTurn, TurnClaims } from "./claims.ts";
import type { Database } from "../database/database.ts";
import { isAway } from "../database/failures.ts";
import { keyOf, lockKeyOf } from "../database/keys.ts";
import { exclusively } from "../database/locks.ts";
import { type Conduct, createConducts } from "./conduct.ts";
import { createLostTurns } from "./lost-turns.ts";
import type { Notifications } from "../database/notifications.ts";
import type { Row } from "../database/row.ts";
import type { TurnPlans } from "../database/turn-plans.ts";
import { FREE, NOBODY, PARKED } from "../database/run-marks.ts";
import { IS_DUE } from "../records/records.ts";

/** How long a turn waits for a lost connection before it starts without it, in milliseconds. */
const CONNECT_MS = 15_000;

interface Running extends Conduct {
  readonly run: number;
  readonly stop: AbortController;
  readonly letGo: AbortController;
}

export function createTurnClaims(
  database: Database,
  notifications: Pick<Notifications, "process" | "on" | "onSweep" | "onReconnect" | "connected" | "hold">,
  plans: TurnPlans,
  onError: (error: unknown) => void,
): TurnClaims {
  const here = notifications.process;
  const lostTurns = createLostTurns(database, here);
  const runs = new Map<string, (text: string, turn: Omit<ClaimedTurn, "input">) => Promise<void>>();
  /** The turns that run in this process, by key. */
  const running = new Map<string, Running>();
  const ends = new Set<Promise<unknown>>();
  /** The turns that are being parked, by key. */
  const parking = new Map<string, Promise<void>>();
  /** The session lock of the version of this process. Zero: it has none. */
  let version = "0";
  let freeVersion: (() => Promise<void>) | undefined;
  let isReleased = false;
  /** The end of a full claim is to be followed by the next claim. */
  let isDraining = false;
  const conducts = createConducts(database, {
    here,
    running,
    onCleared: () => track(claimSuspect().catch(onError)),
  });

  /** Claims the next turn that a process may have died of, unless one works here already. */
  async function claimSuspect(): Promise<void> {
    if (runs.size === 0 || isReleased) return;
    await conducts.alone(async () => {
      for (const row of await lostTurns.claimSuspect([...runs.keys()], version)) void runAgain(row);
    });
  }

  /**
   * Claims turns that no process runs. While there are more than one claim takes, the end of those is followed by the next, as
   * when many requests are due at once. The sweep does not wait for that.
   */
  async function claimLost(): Promise<void> {
    if (isReleased) return;
    const { rows, areMore } = await lostTurns.claimLost([...runs.keys()], version);
    const again = rows.map(runAgain);
    if (!areMore || isDraining) return;
    isDraining = true;
    const drained = Promise.all(again).finally(() => {
      isDraining = false;
    });
    track(drained.then(claimLost).catch(onError));
  }

  /** Runs a turn again. If that fails, a later sweep tries again. */
  function runAgain(row: Row): Promise<void> {
    // A sweep may claim what this process has just released.
    const tried = isReleased
      ? free(row)
      : runOne(row).catch(async (error: unknown) => {
          onError(error);
          await free(row);
        });
    track(tried);
    return tried;
  }

  async function free(row: Row): Promise<void> {
    const values = [keyOf(turnIdIn(row)), here, row.number("run")];
    await database
      .query(
        `update SCHEMA.runs set process = ${FREE} where turn_id = $1 and process = $2 and run = $3`,
        values,
      )
      .catch(onError);
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
      const values = [key, here, run];
      await database
        .query("delete from SCHEMA.runs where turn_id = $1 and process = $2 and run = $3", values)
        .catch(onError);
    } finally {
      unwatch();
      if (running.get(key) === mine) running.delete(key);
      conducts.end(mine);
    }
  }

  /** Runs a turn for the first time. */
  async function begin(name: string, turnId: string, input: unknown): Promise<void> {
    // Without its lock, this process looks dead to the others.
    await atMost(systemClock, CONNECT_MS, notifications.connected());
    const key = keyOf(turnId);
    const [row] = await database.query(
      `insert into SCHEMA.runs as r (turn_id, name, input, process, run, version) values ($1, $2, $3, $4, 1, $5)
       on conflict (turn_id) do update
         set name = excluded.name, input = excluded.input, process = excluded.process, run = 1, version = excluded.version
         where r.process = ${NOBODY} or (r.process = excluded.process and r.run <= 1)
       returning name, input, run, deaths, coalesce(stop_reason, '') as stop_reason`,
      [key, name, JSON.stringify({ turnId, input }), here, version],
    );
    if (row === undefined) {
      // Another process has taken it over, because this one has let go of its turns or looked dead.
      if (plans.has(key)) return;
      throw new KitError("elicit-kit: another process already runs this turn.");
    }
    // This process has let go of its turns meanwhile. Another one runs it.
    if (isReleased) return free(row);
    const end = runOne(row);
    track(end);
    plans.drop(turnId);
    await end;
  }

  /** Learns which turns of this process were stopped or claimed by others. */
  async function look(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    // While a turn is being parked, its row does not say whether it runs here.
    await Promise.allSettled(keys.map(async (key) => parking.get(key)));
    const before = new Map(keys.map((key) => [key, running.get(key)]));
    const rows = await database.query(
      "select turn_id, run, process = $2 as mine, coalesce(stop_reason, '') as reason from SCHEMA.runs where turn_id = any($1::text[])",
      [keys, here],
    );
    const found = new Map(rows.map((row) => [row.text("turn_id"), row]));
    for (const [key, mine] of before) {
      const row = found.get(key);
      if (mine === undefined || running.get(key) !== mine) continue;
      // Without a row, the turn has ended in another process.
      if (row?.flag("mine") !== true || row.number("run") !== mine.run) letGo(key, mine);
      else if (row.text("reason") !== "") mine.stop.abort(new DOMException(row.text("reason"), "AbortError"));
    }
  }

  function letGo(key: string, mine: Running): void {
    if (running.get(key) === mine) running.delete(key);
    mine.letGo.abort();
  }

  /** With `stopReason`, also a turn whose process looks dead. A turn that continues is left to the sweeps, which look twice. */
  async function claimOne(turnId: string, stopReason?: string): Promise<Row | undefined> {
    const which =
      stopReason === undefined
        ? `process in (${FREE}, ${PARKED}) and deaths = 0 and ${IS_OURS}`
        : `process <> ${NOBODY} and process <> $1 and ${IS_DEAD}`;
    const [row] = await database.query(claimSql(`turn_id = $2 and name = any($3::text[]) and ${which}`), [
      here,
      keyOf(turnId),
      [...runs.keys()],
      stopReason ?? null,
      version,
    ]);
    return row;
  }

  async function stop(turnId: string, words: string): Promise<boolean> {
    // A text of PostgreSQL has no NUL.
    const reason = words.replaceAll("\u0000", "\ufffd");
    const mine = running.get(keyOf(turnId));
    mine?.stop.abort(new DOMException(reason, "AbortError"));
    await parking.get(keyOf(turnId));
    return stopOne(turnId, reason, mine);
  }

  /** @param mine its run in this process, which has begun to end */
  async function stopOne(turnId: string, reason: string, mine?: Running): Promise<boolean> {
    const key = keyOf(turnId);
    if (mine !== undefined) {
      // Written down, because this process may die before the turn has ended.
      const [taken] = await database.query(STOP_MINE, [key, reason, here, mine.run]);
      if (taken === undefined) return true;
      letGo(key, mine);
    }
    for (;;) {
      const [stopped] = await database.query(stopOtherSql(database), [key, reason]);
      if (stopped !== undefined) return true;
      const claimed = await claimOne(turnId, reason);
      if (claimed !== undefined) {
        void runAgain(claimed);
        return true;
      }
      // No process can run it. One that starts to will see that it was stopped.
      const [left] = await database.query(STOP_NOBODYS, [key, reason]);
      if (left !== undefined) return false;
    }
  }

  async function parkOne({ turnId, run }: Pick<ClaimedTurn, "turnId" | "run">, waits: number): Promise<void> {
    const key = keyOf(turnId);
    const mine = running.get(key);
    if (mine?.run !== run || mine.stop.signal.aborted) return;
    const isOpen = `(select count(*) from SCHEMA.records where turn_id = $1 and is_open and not ${IS_DUE}) >= $2`;
    const [parked] = await database.query(
      `update SCHEMA.runs set process = ${PARKED}, deaths = 0
       where turn_id = $1 and process = $4 and run = $3 and stop_reason is null and ${isOpen} returning turn_id`,
      [key, waits, run, here],
    );
    if (parked === undefined) return;
    if (mine.stop.signal.aborted) {
      // It was stopped meanwhile, and has begun to end here.
      const [back] = await database.query(
        `update SCHEMA.runs set process = $2
         where turn_id = $1 and process in (${PARKED}, ${FREE}) and run = $3 returning turn_id`,
        [key, here, run],
      );
      if (back !== undefined) return;
      letGo(key, mine);
      const reason: unknown = mine.stop.signal.reason;
      await stopOne(turnId, reason instanceof Error ? reason.message : "");
      return;
    }
    letGo(key, mine);
    // For a request that ended before the turn was parked, or that freed it while `wake` still saw it running here.
    const [freed] = await database.query(
      `update SCHEMA.runs set process = ${FREE}
       where turn_id = $1 and process in (${PARKED}, ${FREE}) and run = $3 and not (${isOpen}) returning turn_id`,
      [key, waits, run],
    );
    if (freed === undefined || isReleased) return;
    const claimed = await claimOne(turnId);
    if (claimed !== undefined) void runAgain(claimed);
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
      return (turnId, input) => begin(name, turnId, input).finally(() => plans.drop(turnId));
    },
    stop,
    async wake(turnId) {
      if (running.has(keyOf(turnId))) return true;
      if (isReleased) return false;
      const claimed = await claimOne(turnId);
      if (claimed === undefined) return false;
      void runAgain(claimed);
      return true;
    },
    async check({ turnId, run }) {
      const key = keyOf(turnId);
      const mine = running.get(key);
      if (mine?.run !== run) return false;
      await look([key]);
      return running.get(key) === mine;
    },
    async park(turn, waits) {
      const key = keyOf(turn.turnId);
      const parked = parkOne(turn, waits);
      parking.set(key, parked);
      await parked.finally(() => parking.delete(key));
    },
    note(turn, what) {
      const key = keyOf(turn.turnId);
      const mine = running.get(key);
      if (mine?.run === turn.run) conducts.note(key, mine, what).catch(onError);
    },
    leave({ turnId, run }, error) {
      const key = keyOf(turnId);
      const mine = running.get(key);
      if (mine?.run !== run || !isAway(error)) return false;
      // Its row still names this process. A sweep finds that, and frees it.
      letGo(key, mine);
      return true;
    },
    async release() {
      isReleased = true;
      const mine = [...running];
      await database.query(`update SCHEMA.runs set process = ${FREE} where process = $1`, [here]);
      for (const [key, one] of mine) letGo(key, one);
      await freeVersion?.();
    },
    exclusively: (name, work) => exclusively(database, keyOf("claims", name), work),
    isHere: (turnId) => running.has(keyOf(turnId)),
    idle: async () => void (await Promise.allSettled(ends)),
  };
}

function turnIdIn(row: Row): string {
  const { turnId }: { turnId: string } = JSON.parse(row.text("input"));
  return turnId;
}
