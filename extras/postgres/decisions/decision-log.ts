import type { DecisionLog } from "../../audit/log.ts";
import { KitError } from "../../../src/contract/kit-error.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import type { Sealer } from "../secrets/sealer.ts";
import { endMissing } from "./decision-chain.ts";
import { ROW, decisionOf } from "./decision-row.ts";
import { BATCH, END, isProven, pruneSome } from "./pruning.ts";

/** Reads and prunes the log. `sealer` decrypts the content, and proves what was pruned. */
export function createPostgresDecisionLog(database: Database, sealer: Sealer | undefined): DecisionLog {
  return {
    async read({ after = 0, limit, from, to, userId, content = false }) {
      const rows = await database.query(
        `select ${ROW}, case when $6 then sealed end as sealed
         from SCHEMA.decisions
         where seq > $1 and ($2::text is null or person = $2)
           and ($3::double precision is null or decisions.at >= to_timestamp($3 / 1000))
           and ($4::double precision is null or decisions.at < to_timestamp($4 / 1000))
         order by seq limit $5`,
        [
          after,
          userId === undefined ? null : keyOf(userId, "person"),
          from ?? null,
          to ?? null,
          limit,
          content,
        ],
      );
      return Promise.all(rows.map((row) => decisionOf(row, content ? sealer : undefined)));
    },
    async head() {
      const [row] = await database.query(
        `select ${END}, (select count(*) from SCHEMA.waiting_decisions) as waiting from SCHEMA.decisions_end e`,
      );
      if (row === undefined) throw endMissing();
      const [first, seq, waiting] = [row.number("first"), row.number("seq"), row.number("waiting")];
      const isStartProven = sealer && (await isProven(row, sealer));
      return { first, seq, digest: row.text("digest"), waiting, isStartProven };
    },
    async prune(before) {
      if (sealer === undefined) {
        throw new KitError(
          "elicit-kit: prune of the decision log needs a key, because a proof under it says that these rows were pruned and not stolen. Pass the `key` option of createPostgresPorts (`openssl rand -base64 32`).",
        );
      }
      let removed = 0;
      for (let batch = BATCH; batch === BATCH; removed += batch) {
        batch = await database.transaction((query) => pruneSome(query, sealer, before));
      }
      return removed;
    },
  };
}
