import type { Database } from "./database.ts";
import { type Notifications, notifySql } from "./notifications.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

const WAIT_MS = 3000;

/** Rejects if notifications do not arrive. A connection pooler in transaction mode loses them without an error. */
export async function ensureDelivery(
  database: Database,
  notifications: Pick<Notifications, "on">,
): Promise<void> {
  const id = crypto.randomUUID();
  let unwatch: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hasArrived = new Promise<boolean>((resolve) => {
    unwatch = notifications.on("changed", id, () => resolve(true));
    timer = setTimeout(() => resolve(false), WAIT_MS);
  });
  try {
    await database.query(`select ${notifySql(database, "changed", "$1::text")}`, [id]);
    if (await hasArrived) return;
  } finally {
    clearTimeout(timer);
    unwatch?.();
  }
  throw new KitError(
    "elicit-kit: notifications of PostgreSQL do not arrive. A pooler in transaction mode (PgBouncer with `pool_mode = transaction`, port 6543 of Supabase) loses them. Connect to the server itself or to a pooler in session mode, or pass that address as directConnectionString.",
  );
}
