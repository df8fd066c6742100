import type { Database } from "./database/database.ts";
import { keyOf } from "./database/keys.ts";
import type { WriteLimit } from "../../src/base/write-limit.ts";

const IS_OVER = "u.started_at <= now() - interval '1 minute'";

/** Counts writes in a table, across all processes. */
export function createPostgresWriteLimit(database: Database): WriteLimit {
  return async (sender, count, perMinute) => {
    const id = keyOf(sender, "writes");
    const [allowed] =
      count > perMinute
        ? []
        : await database.query(
            `insert into SCHEMA.uses as u (id, started_at, used) values ($1, now(), $2)
             on conflict (id) do update set
               started_at = case when ${IS_OVER} then now() else u.started_at end,
               used = case when ${IS_OVER} then 0 else u.used end + excluded.used
             where ${IS_OVER} or u.used + excluded.used <= $3
             returning id`,
            [id, count, perMinute],
          );
    if (allowed !== undefined) return { ok: true };
    const [row] = await database.query(
      "select ceil(extract(epoch from started_at + interval '1 minute' - now()))::integer as left from SCHEMA.uses where id = $1",
      [id],
    );
    return { ok: false, retryAfter: Math.max(row?.number("left") ?? 60, 1) };
  };
}
