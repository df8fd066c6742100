import type { Pool } from "pg";

/** Several processes: each state of a round is used once. create table mcp_states (id text primary key, expires_at bigint) */
export function takeStateIn(pool: Pool): (id: string, expiresAt: number) => Promise<boolean> {
  return async (id, expiresAt) => {
    await pool.query("delete from mcp_states where expires_at < $1", [Date.now()]);
    const insert = "insert into mcp_states (id, expires_at) values ($1, $2) on conflict do nothing";
    return (await pool.query(insert, [id, expiresAt])).rowCount === 1;
  };
}
