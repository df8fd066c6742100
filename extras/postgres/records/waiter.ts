import type { Settlement, Waiter } from "../../../src/runtime/internal.ts";
import { createEventBus } from "../../../src/base/event-bus.ts";
import { createBatcher } from "../database/batcher.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { type Notifications, notifySql } from "../database/notifications.ts";

/** Delivers outcomes through a table. A notification wakes the waiting calls; a sweep finds what was missed. */
export function createPostgresWaiter(
  database: Database,
  notifications: Pick<Notifications, "on" | "onSweep" | "onReconnect">,
  /** Whether a statement of this process has stored the outcome of a request, with the end of its record. */
  isStored: (key: string) => boolean,
  onError: (error: unknown) => void,
): Waiter {
  const settled = createEventBus<Settlement>();
  /** The keys that calls in this process wait for, with the number of calls. */
  const waiting = new Map<string, number>();
  const nudged = new Set<{ readonly listener: () => void }>();

  const find = createBatcher<string, Settlement | undefined>(
    async (keys) => {
      const rows = await database.query(
        "select id, settlement from SCHEMA.settlements where id = any($1::text[])",
        [keys],
      );
      const found = new Map(rows.map((row) => [row.text("id"), row.text("settlement")]));
      return keys.map((key) => parsed(found.get(key)));
    },
    { max: 5000 },
  );

  /** Reads an outcome and wakes the calls that wait for it. */
  async function look(key: string): Promise<void> {
    const settlement = await find(key);
    if (settlement !== undefined) settled.publish(key, settlement);
  }

  /** Watches `key` until the returned function is called. */
  function watch(key: string): () => void {
    const known = waiting.get(key) ?? 0;
    waiting.set(key, known + 1);
    const stop = notifications.on("settled", key, () => void look(key).catch(onError));
    return () => {
      stop();
      const left = (waiting.get(key) ?? 1) - 1;
      if (left === 0) waiting.delete(key);
      else waiting.set(key, left);
    };
  }

  notifications.onSweep(async () => {
    await Promise.all([...waiting.keys()].map(look));
  });

  notifications.onReconnect(() => {
    for (const { listener } of nudged) listener();
  });

  return {
    wait(elicitationId, { signal }) {
      const key = keyOf(elicitationId);
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        // Starts to watch before the query, so that no notification is missed.
        const unwatch = watch(key);
        const onAbort = () => {
          stop();
          reject(signal.reason);
        };
        const unsubscribe = settled.subscribe(key, (settlement) => {
          stop();
          resolve(settlement);
        });
        function stop(): void {
          unsubscribe();
          unwatch();
          signal.removeEventListener("abort", onAbort);
        }
        signal.addEventListener("abort", onAbort, { once: true });
        // If the database fails now, the next sweep reads again.
        look(key).catch(onError);
      });
    },
    async settle(elicitationId, settlement) {
      if (isStored(keyOf(elicitationId))) return;
      await database.query(
        `with settled as (
           insert into SCHEMA.settlements (id, settlement) values ($1, $2)
           on conflict (id) do nothing
           returning id
         )
         select ${notifySql(database, "settled", "id")} from settled`,
        [keyOf(elicitationId), JSON.stringify(settlement)],
      );
    },
    async nudge(elicitationId) {
      await database.query(`select ${notifySql(database, "changed", "$1::text")}`, [keyOf(elicitationId)]);
    },
    onNudge(elicitationId, listener) {
      const entry = { listener };
      nudged.add(entry);
      const unwatch = notifications.on("changed", keyOf(elicitationId), listener);
      return () => {
        nudged.delete(entry);
        unwatch();
      };
    },
  };
}

function parsed(text: string | undefined): Settlement | undefined {
  if (text === undefined) return undefined;
  const settlement: Settlement = JSON.parse(text);
  return settlement;
}
