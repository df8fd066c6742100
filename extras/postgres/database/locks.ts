import { type Clock, systemClock } from "../../../src/base/clock.ts";
import type { Database } from "./database.ts";

/** How long a lock blocks other processes after its process died. A living process renews the lock. */
const LOCK = "interval '60 seconds'";
const RENEW_EVERY_MS = 20_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** Runs `work` in one process at a time. Waiting processes hold no connection and no transaction. */
export async function exclusively<T>(
  database: Database,
  id: string,
  work: () => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  const holder = crypto.randomUUID();
  await lock(database, id, holder);
  const stop = keep(database, { id, holder, clock });
  try {
    return await work();
  } finally {
    stop();
    // If this fails, the lock expires by itself. What the work has done must not look undone.
    await database
      .query("delete from SCHEMA.locks where id = $1 and holder = $2", [id, holder])
      .catch(() => {});
  }
}

/** Renews a lock until the returned function is called. */
function keep(
  database: Database,
  { id, holder, clock }: { readonly id: string; readonly holder: string; readonly clock: Clock },
): () => void {
  let hasStopped = false;
  let cancel = clock.after(RENEW_EVERY_MS, renew);
  function renew(): void {
    database
      .query(`update SCHEMA.locks set until = now() + ${LOCK} where id = $1 and holder = $2`, [id, holder])
      // The next renewal is tried before the lock expires.
      .catch(() => {})
      .finally(() => {
        if (!hasStopped) cancel = clock.after(RENEW_EVERY_MS, renew);
      });
  }
  return () => {
    hasStopped = true;
    cancel();
  };
}

async function lock(database: Database, id: string, holder: string): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const rows = await database.query(
      `insert into SCHEMA.locks as l (id, holder, until) values ($1, $2, now() + ${LOCK})
       on conflict (id) do update set holder = excluded.holder, until = excluded.until
       where l.until < now() or l.holder = excluded.holder
       returning id`,
      [id, holder],
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}
