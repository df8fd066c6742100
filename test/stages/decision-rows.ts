import type { TestQuery } from "./postgres-database.ts";

/** Rows without a place in the chain, for other requests than those of the test. */
export async function writeRows(query: TestQuery, count: number, at: number): Promise<void> {
  const time = new Date(at).toISOString();
  await query(
    `insert into elicit_kit.waiting_decisions (person, at, entry)
     select '["ada","person"]', $1::timestamptz, json_build_object('at', $3::text, 'event', 'asked', 'elicitationId', 'e' || n, 'userId', 'ada')
     from generate_series(1, $2::integer) n`,
    [time, count, time],
  );
}
