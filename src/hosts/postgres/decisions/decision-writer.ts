import { contentOf, entryOf } from "../../../audit/decision.ts";
import type { ElicitationRecord, Settlement } from "../../../runtime/internal.ts";
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
}

/**
 * Creates the rows for changes. A row is stored by the statement that makes the change, so no row is lost and none is
 * wrong.
 */
export interface DecisionWriter {
  /** `undefined`: the change is not logged. */
  row(
    place: DecisionPlace,
    record: ElicitationRecord,
    settlement?: Settlement,
  ): Promise<DecisionRow | undefined>;
}

/** Creates a writer. Its rows get their places in the log later. With `sealer`, the content is kept, too. */
export function createDecisionWriter(sealer: Sealer | undefined, onRow: () => void): DecisionWriter {
  return {
    async row({ from, first }, record, settlement) {
      const entry = await entryOf(record);
      if (entry === undefined) return undefined;
      onRow();
      const content = sealer && contentOf(record, settlement);
      const kept = content && (await sealer?.seal(entry.elicitationId, JSON.stringify(content)));
      return {
        sql: `logged as (
          insert into SCHEMA.waiting_decisions (person, at, entry, sealed)
          select person, $${first}::timestamptz, $${first + 1}, $${first + 2} from ${from}
        )`,
        values: [
          entry.at,
          JSON.stringify(kept === undefined ? entry : { ...entry, contentDigest: kept.digest }),
          kept?.sealed ?? null,
        ],
      };
    },
  };
}
