/** What PostgreSQL tells of its load, for benchmarks. */
import { Client } from "pg";

export async function watchDatabase(url: string) {
  const admin = new Client(url);
  await admin.connect();
  async function number(query: string): Promise<number> {
    const { rows } = await admin.query<{ n: string }>(query);
    return Number(rows[0]?.n);
  }
  return {
    admin,
    number,
    /** The bytes of all tables of the kit, with their indexes. */
    size: () =>
      number(
        "select sum(pg_total_relation_size(c.oid)) as n from pg_class c join pg_namespace s on s.oid = c.relnamespace where s.nspname = 'elicit_kit' and c.relkind = 'r'",
      ),
    /** The number of transactions so far. */
    commits: () =>
      number(
        "select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()",
      ),
  };
}
