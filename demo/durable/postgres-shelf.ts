import type { Pool } from "pg";
import type { Shelf } from "../server/shelf.ts";

/** Shelves (small JSON stores) that all processes of the demo share. */
export async function createPostgresShelves(
  pool: Pool,
): Promise<<Value extends object>(kind: string) => Shelf<Value>> {
  // Several processes start at the same time, and they can collide in spite of `if not exists`.
  await pool.query(`
    begin;
    select pg_advisory_xact_lock(4100);
    create schema if not exists elicit_kit_demo;
    create table if not exists elicit_kit_demo.shelves (
      kind text, person text, id text, value jsonb not null, primary key (kind, person, id)
    );
    commit;
  `);
  return (kind) => shelfOf(pool, kind);
}

function shelfOf<Value extends object>(pool: Pool, kind: string): Shelf<Value> {
  const read = "select value from elicit_kit_demo.shelves where kind = $1 and person = $2 and id = $3";
  return {
    async get(person, id) {
      const { rows } = await pool.query<{ value: Value }>(read, [kind, person, id]);
      return rows[0]?.value;
    },
    async change(person, id, change) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        // An advisory lock also works when there is no row yet.
        await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
          JSON.stringify([kind, person, id]),
        ]);
        const { rows } = await client.query<{ value: Value }>(read, [kind, person, id]);
        const next = change(rows[0]?.value);
        if (next !== undefined) {
          await client.query(
            `insert into elicit_kit_demo.shelves values ($1, $2, $3, $4)
             on conflict (kind, person, id) do update set value = excluded.value`,
            [kind, person, id, JSON.stringify(next)],
          );
        }
        await client.query("commit");
      } catch (error) {
        await client.query("rollback").catch(() => {});
        throw error;
      } finally {
        client.release();
      }
    },
    async clear(person) {
      await pool.query("delete from elicit_kit_demo.shelves where kind = $1 and person = $2", [kind, person]);
    },
  };
}
