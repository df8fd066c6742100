import { askedRecord, contentOf, entryOf } from "../../audit/decision.ts";
import type { ElicitationRecord, Settlement } from "../../../src/runtime/internal.ts";
import type { Sealer } from "../secrets/sealer.ts";

/** A row for the decision log, as a part of the statement that makes the change. */
export interface DecisionRow {
  /** An entry of a `with` list. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Where the values of the row come from. */
export interface DecisionPlace {
  /** SQL that selects the changed rows, with the column `person`. */
  readonly from: string;
  /** The number of the first parameter to use. */
  readonly first: number;
  /** Whether the statement creates the record. */
  readonly isNew?: boolean;
}

/**
 * Creates the rows for changes. A row is stored by the statement that makes the change, so no row is lost and none is
 * wrong.
 */
export interface DecisionWriter {
  /** `undefined`: the change is not logged. A record that is created with its answer gets two rows. */
  row(
    place: DecisionPlace,
    record: ElicitationRecord,
    settlement?: Settlement,
  ): Promise<DecisionRow | undefined>;
}

/** Creates a writer. Its rows get their places in the log later. With `sealer`, the content is kept, too. */
export function createDecisionWriter(sealer: Sealer | undefined, onRow: () => void): DecisionWriter {
  async function valuesOf(record: ElicitationRecord, settlement?: Settlement) {
    const entry = await entryOf(record);
    if (entry === undefined) return undefined;
    const content = sealer && contentOf(record, settlement);
    const kept = content && (await sealer?.seal(entry.elicitationId, JSON.stringify(content)));
    const logged = kept === undefined ? entry : { ...entry, contentDigest: kept.digest };
    return [entry.at, JSON.stringify(logged), kept?.sealed ?? null];
  }

  return {
    async row({ from, first, isNew = false }, record, settlement) {
      const isAnswered = isNew && record.revision > 0;
      const asked = isAnswered ? await valuesOf(askedRecord(record)) : undefined;
      const rows = [asked, await valuesOf(record, settlement)].filter((row) => row !== undefined);
      if (rows.length === 0) return undefined;
      onRow();
      const list = rows.map((_, index) => {
        const at = first + 3 * index;
        return `(${index}, $${at}::timestamptz, $${at + 1}::text, $${at + 2}::bytea)`;
      });
      return {
        sql: `logged as (
          insert into SCHEMA.waiting_decisions (person, at, entry, sealed)
          select person, row.at, row.entry, row.sealed
          from ${from} cross join (values ${list.join(", ")}) as row (number, at, entry, sealed) order by row.number
        )`,
        values: rows.flat(),
      };
    },
  };
}
