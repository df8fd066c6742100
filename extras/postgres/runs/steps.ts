import type { StepStore } from "../../durable/engine.ts";
import { type StepTable, createFencedSteps } from "../../durable/fenced-steps.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";

/** A step begins without a look at the claim of its turn if that was seen this short a time ago. */
const LONGEST_FRESH_MS = 500;

/** SQL: this run of the turn, if this process has it. */
const MINE = "select turn_id, run from SCHEMA.runs where turn_id = $1 and process = $2 and run = $3";

/** SQL that records a step. Returns a row if the turn belongs to this run. A process that claims the turn waits for it. */
const RECORD = `with mine as (${MINE} for share), recorded as (
    insert into SCHEMA.steps (turn_id, run, place, name, output)
    select turn_id, run, $4::integer, $5::text, $6::text from mine on conflict (turn_id, run, place) do nothing
  )
  select from mine`;

/**
 * The recorded steps of turns, beside their runs, with which they are deleted.
 *
 * @param here the key of this process
 * @param sweepMs a process claims turns of another one after two sweeps at the earliest
 */
export function createPostgresSteps(database: Database, here: string, sweepMs: number): StepStore {
  // A tool may call this in a context of its own.
  const changes = async (text: string, values: readonly unknown[]) =>
    (await database.patiently(() => database.query(text, values))).length > 0;
  const table: StepTable = {
    record: ({ turnId, run }, place, { name, text }) =>
      changes(RECORD, [keyOf(turnId), here, run, place, name, text]),
    isMine: ({ turnId, run }) => changes(MINE, [keyOf(turnId), here, run]),
    async read({ turnId, run }) {
      const rows = await database.patiently(() =>
        database.query(
          "select run, name, output from SCHEMA.steps where turn_id = $1 and run < $2 order by run, place",
          [keyOf(turnId), run],
        ),
      );
      return rows.map((row) => ({
        run: row.number("run"),
        step: { name: row.text("name"), text: row.text("output") },
      }));
    },
  };
  return createFencedSteps(table, Math.min(LONGEST_FRESH_MS, sweepMs / 2), () => performance.now());
}
