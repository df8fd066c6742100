import { type TurnRunner, type TurnSignals, createMemoryTurnRunner, systemClock } from "../core/index.ts";
import { atMost } from "../core/internal.ts";
import type { Database } from "./database.ts";
import { keyOf } from "./keys.ts";
import { type Notifications, notifySql } from "./notifications.ts";

/** Runs a turn from its id and input. */
type Body = (turnId: string, input: string, signals: TurnSignals) => Promise<void>;

/** Processes whose session lock is free. PostgreSQL shows a lock on a `bigint` in two halves. */
const IS_DEAD = `not exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32 | l.objid::bigint) = r.process
)`;

/** How long a turn waits for a lost connection before it starts without it. */
const CONNECT_MS = 15_000;

/** A turn is not given to another process while this one lives. */
const NEVER = new AbortController().signal;

/** In place of a process: the turn was stopped before any process ran it. */
const NOBODY = "0";

export interface PostgresTurnRunner extends TurnRunner {
  /** Resolves when the turns of this process are no longer in the database. Close the runtime first. */
  idle(): Promise<void>;
}

/**
 * Runs each turn once, in this process, and stops turns of other processes. When a process has died, another one ends its
 * turns: it withdraws their requests and closes their logs.
 */
export function createPostgresTurnRunner(
  database: Database,
  notifications: Pick<Notifications, "process" | "on" | "onSweep" | "connected">,
  onError: (error: unknown) => void,
): PostgresTurnRunner {
  const here = notifications.process;
  const bodies = new Map<string, Body>();
  /** The turns that run in this process, by key. */
  const running = new Map<string, AbortController>();
  const runs = new Set<Promise<void>>();
  /** Processes that looked dead in the last sweep. One that only reconnects gets its lock back before the next. */
  let suspects: ReadonlySet<string> = new Set();

  async function run(...args: Parameters<typeof runOne>): Promise<void> {
    const done = runOne(...args);
    runs.add(done);
    await done.finally(() => runs.delete(done));
  }

  async function runOne(name: string, turnId: string, input: string, stop: AbortController): Promise<void> {
    const key = keyOf(turnId);
    const unwatch = notifications.on("stop", key, () => void readStops([key]).catch(onError));
    running.set(key, stop);
    try {
      await bodies.get(name)?.(turnId, input, { stop: stop.signal, letGo: NEVER });
    } finally {
      unwatch();
      if (running.get(key) === stop) running.delete(key);
      await database
        .query("delete from SCHEMA.runs where turn_id = $1 and process = $2", [key, here])
        .catch(onError);
    }
  }

  async function readStops(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const rows = await database.query(
      "select turn_id, stop_reason from SCHEMA.runs where turn_id = any($1::text[]) and process = $2 and stop_reason is not null",
      [keys, here],
    );
    for (const row of rows) {
      running.get(row.text("turn_id"))?.abort(new DOMException(row.text("stop_reason"), "AbortError"));
    }
  }

  /** Ends the turns of processes that died, a few at a time. Several processes may do this at the same time. */
  async function endLost(): Promise<void> {
    const rows = await database.query(
      `select process::text from (select distinct process from SCHEMA.runs where process not in ($1, ${NOBODY})) as r where ${IS_DEAD}`,
      [here],
    );
    const dead = rows.map((row) => row.text("process"));
    const known = dead.filter((process) => suspects.has(process));
    suspects = new Set(dead);
    if (known.length === 0) return;
    const lost = await database.query(
      `update SCHEMA.runs set process = $1
       where turn_id in (
         select turn_id from SCHEMA.runs where process = any($2::bigint[]) and name = any($3::text[])
         limit 100 for update skip locked
       )
       returning turn_id, name, input`,
      [here, known, [...bodies.keys()]],
    );
    await Promise.all(lost.map((row) => endOne(row.text("name"), row.text("input"))));
  }

  async function endOne(name: string, input: string): Promise<void> {
    const { turnId } = inputOf(input);
    const stop = new AbortController();
    stop.abort(new Error(LOST));
    await run(name, turnId, input, stop);
  }

  notifications.onSweep(() => readStops([...running.keys()]));
  notifications.onSweep(endLost);

  return {
    ...createMemoryTurnRunner(),
    idle: async () => void (await Promise.allSettled(runs)),
    register(name, body) {
      bodies.set(name, (turnId, text, signals) => body(turnId, JSON.parse(text).input, signals));
      return async (turnId, input) => {
        // Without its lock, this process looks dead to the others.
        await atMost(systemClock, CONNECT_MS, notifications.connected());
        const text = JSON.stringify({ turnId, input });
        const [row] = await database.query(
          `insert into SCHEMA.runs as r (turn_id, name, input, process) values ($1, $2, $3, $4)
           on conflict (turn_id) do update set name = excluded.name, input = excluded.input, process = excluded.process
             where r.process in (${NOBODY}, excluded.process)
           returning coalesce(stop_reason, '') as stop_reason`,
          [keyOf(turnId), name, text, here],
        );
        if (row === undefined) throw new Error("elicit-kit: another process already runs this turn.");
        const stop = new AbortController();
        // The body then only ends the turn.
        const reason = row.text("stop_reason");
        if (reason !== "") stop.abort(new DOMException(reason, "AbortError"));
        await run(name, turnId, text, stop);
      };
    },
    async stop(turnId, reason) {
      const key = keyOf(turnId);
      const mine = running.get(key);
      if (mine !== undefined) {
        mine.abort(new DOMException(reason, "AbortError"));
        return true;
      }
      for (;;) {
        const [stopped] = await database.query(
          `with stopped as (
             update SCHEMA.runs as r set stop_reason = $2
             where turn_id = $1 and process <> ${NOBODY} and not (${IS_DEAD}) returning turn_id
           )
           select ${notifySql(database, "stop", "turn_id")}::text from stopped`,
          [key, reason],
        );
        if (stopped !== undefined) return true;
        // No process runs it. One that starts to will see that it was stopped.
        const [left] = await database.query(
          `insert into SCHEMA.runs as r (turn_id, name, input, process, stop_reason) values ($1, '', '', ${NOBODY}, $2)
           on conflict (turn_id) do update set process = ${NOBODY}, stop_reason = excluded.stop_reason where ${IS_DEAD}
           returning turn_id`,
          [key, reason],
        );
        if (left !== undefined) return false;
      }
    },
  };
}

const LOST = "The server that ran this stopped unexpectedly. Send the message again.";

function inputOf(text: string): { turnId: string } {
  const stored: { turnId: string } = JSON.parse(text);
  return stored;
}
