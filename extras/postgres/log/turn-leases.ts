import { type TurnLease, TAKEN_OVER } from "../../../src/runtime/internal.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { type Notifications, notifySql } from "../database/notifications.ts";

export interface TurnLeases {
  /** Takes the lease of a turn from the process that holds it, unless `run` is older than the latest run of the turn. */
  take(turnId: string, run?: number): Promise<TurnLease>;
  /** Forgets a lease of this process, because the turn has ended. */
  release(turnId: string, fence: number): void;
  /** Aborts a lease of this process that another process has taken. */
  lose(turnId: string, fence: number): void;
}

interface Held {
  readonly fence: number;
  readonly lost: AbortController;
  readonly unwatch: () => void;
}

/** The row of a turn counts its leases. A process learns by a notification or a sweep that it has lost one. */
export function createTurnLeases(
  database: Database,
  notifications: Pick<Notifications, "on" | "onSweep">,
  onError: (error: unknown) => void,
): TurnLeases {
  /** The leases of this process, by key. */
  const held = new Map<string, Held>();

  function lose(key: string): void {
    const lease = held.get(key);
    if (lease === undefined) return;
    held.delete(key);
    lease.unwatch();
    lease.lost.abort(TAKEN_OVER);
  }

  /** Aborts leases that another process has taken, or whose turn was deleted. */
  async function check(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    // Read before the query: a lease taken during the query is newer than the result.
    const before = new Map(keys.map((key) => [key, held.get(key)?.fence]));
    const rows = await database.query("select id, fence from SCHEMA.turns where id = any($1::text[])", [
      keys,
    ]);
    const fences = new Map(rows.map((row) => [row.text("id"), row.number("fence")]));
    for (const key of keys) {
      const mine = held.get(key)?.fence;
      if (mine === before.get(key) && mine !== fences.get(key)) lose(key);
    }
  }

  notifications.onSweep(() => check([...held.keys()]));

  return {
    async take(turnId, run) {
      const key = keyOf(turnId);
      const lost = new AbortController();
      const [row] = await database.query(
        `with taken as (
           update SCHEMA.turns set fence = fence + 1
           where id = $1 and not exists (select from SCHEMA.runs where turn_id = $1 and run > $2)
           returning id, fence, ended_at is not null as ended
         )
         -- Nobody holds a turn before its first lease.
         select fence, ended, case when fence > 1 then ${notifySql(database, "lease", "id")}::text end as pg_notify from taken
         union all select 0, true, null where not exists (select from SCHEMA.turns where id = $1)`,
        [key, run ?? null],
      );
      if (row === undefined) {
        // A process that was frozen may come back with an old run.
        lost.abort(TAKEN_OVER);
        return { fence: 0, lost: lost.signal, ended: false };
      }
      const fence = row.number("fence");
      const ended = row.flag("ended");
      // An unknown turn has no log.
      if (fence === 0) return { fence, lost: lost.signal, ended };
      const known = held.get(key);
      if (known !== undefined && known.fence > fence) {
        lost.abort(TAKEN_OVER);
        return { fence, lost: lost.signal, ended };
      }
      lose(key);
      const unwatch = notifications.on("lease", key, () => void check([key]).catch(onError));
      held.set(key, { fence, lost, unwatch });
      return { fence, lost: lost.signal, ended };
    },
    release(turnId, fence) {
      const key = keyOf(turnId);
      const lease = held.get(key);
      if (lease?.fence !== fence) return;
      held.delete(key);
      lease.unwatch();
    },
    lose(turnId, fence) {
      const key = keyOf(turnId);
      if (held.get(key)?.fence === fence) lose(key);
    },
  };
}
