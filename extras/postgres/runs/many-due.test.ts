import { expect, test } from "vitest";
import { createRecordNotifier } from "../../../src/runtime/request/record-notifier.ts";
import { createRecordWriter } from "../../../src/runtime/request/record-writer.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";

const TURNS = 2500;
const PROCESSES = 3;
/** Longer than the test. Each process sweeps once, when its connection is replaced. */
const NEVER_MS = 3_600_000;

test(
  "when thousands of cards of parked turns are due, one sweep of all processes expires each of them once",
  { timeout: 120_000, tags: ["long"] },
  async () => {
    const { url, query } = await createTestDatabase();
    const expired: string[] = [];
    const runs: string[] = [];
    const processes = await Promise.all(
      Array.from({ length: PROCESSES }, () => startPorts(url, { sweepMs: NEVER_MS })),
    );
    for (const { claims, records, waiter, clock } of processes) {
      const notifier = createRecordNotifier({
        records,
        waiter,
        observer: { changed: ({ request }) => void expired.push(request.elicitationId) },
        wake: async () => {},
        onError: (error) => expect.unreachable(String(error)),
      });
      const writer = createRecordWriter({ records, notifier, clock });
      claims.register("turn", async ({ turnId }) => {
        runs.push(turnId);
        await writer.current(turnId);
      });
    }
    const template = testRecord({ expiresAt: Date.now() - 1000 });
    await query(
      `with due as (select 't' || number as id from generate_series(1, $1) as number), parked as (
       insert into elicit_kit.runs (turn_id, name, input, process)
       select id, 'turn', json_build_object('turnId', id, 'input', null)::text, 2 from due
     )
     insert into elicit_kit.records (id, person, conversation, turn_id, revision, is_open, record, forget_at)
     select id, id, id, id, 0, true,
       jsonb_set(jsonb_set($2::jsonb, '{request,elicitationId}', to_jsonb(id)), '{turnId}', to_jsonb(id))::text,
       now() + interval '23 hours' from due`,
      [TURNS, JSON.stringify(template)],
    );
    await query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'elicit-kit listener'",
    );
    await expect
      .poll(async () => (await query("select from elicit_kit.runs")).rows.length, { timeout: 100_000 })
      .toBe(0);
    expect(new Set(runs).size).toBe(TURNS);
    expect(runs).toHaveLength(TURNS);
    expect(expired).toHaveLength(TURNS);
    expect(new Set(expired).size).toBe(TURNS);
  },
);
