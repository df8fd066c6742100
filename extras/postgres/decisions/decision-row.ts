import type { Decision, DecisionEntry } from "../../audit/decision.ts";
import { UnreadableRowError } from "../../audit/log.ts";
import { isObject } from "../../../src/contract/json.ts";
import { parseJson } from "../../../src/contract/parse-json.ts";
import { keyOf } from "../database/keys.ts";
import type { Row } from "../database/row.ts";
import type { Sealer } from "../secrets/sealer.ts";

/** The columns that {@link decisionOf} reads. For the content, add `sealed`. */
export const ROW = `seq, encode(previous, 'hex') as previous, entry, person,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
  encode(sha256(sealed), 'hex') as sealed_digest`;

/** `sealer`: opens the content. */
export async function decisionOf(row: Row, sealer: Sealer | undefined): Promise<Decision> {
  const entry = entryIn(row);
  const person = row.text("person");
  // The values of these columns now. If a column that rows are looked up by was changed, the digest of the row no longer
  // fits.
  const chained = {
    ...entry,
    at: row.text("at"),
    userId: person === keyOf(entry.userId, "person") ? entry.userId : person,
    seq: row.number("seq"),
    previous: row.text("previous"),
  };
  if (row.isNull("sealed_digest")) return chained;
  const decision = { ...chained, contentDigest: row.text("sealed_digest") };
  if (sealer === undefined) return decision;
  const content = await sealer.open(entry.elicitationId, row.bytes("sealed"));
  return { ...decision, content: JSON.parse(content) };
}

function entryIn(row: Row): DecisionEntry {
  const entry = parseJson(row.text("entry"));
  if (isEntry(entry)) return entry;
  throw new UnreadableRowError(row.number("seq"));
}

/** The digest covers all other fields of the row. */
function isEntry(value: unknown): value is DecisionEntry {
  return isObject(value) && ["userId", "elicitationId"].every((name) => typeof value[name] === "string");
}
