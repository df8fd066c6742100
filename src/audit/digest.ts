import { canonical, sha256 } from "../base/canonical.ts";
import type { Decision, DecisionEntry } from "./decision.ts";

/** The first row has no previous row: its `previous` is this value. */
export const NO_DIGEST = "0".repeat(64);

/** The last row of a log, which the next one is chained to. */
export interface ChainEnd {
  readonly seq: number;
  readonly digest: string;
}

/** Numbers the entries and links each one to the row before it, starting after `end`. */
export async function chain(
  end: ChainEnd,
  entries: readonly DecisionEntry[],
): Promise<{ readonly rows: readonly Decision[]; readonly end: ChainEnd }> {
  const rows: Decision[] = [];
  let last = end;
  for (const entry of entries) {
    const row = { ...entry, seq: last.seq + 1, previous: last.digest };
    rows.push(row);
    last = { seq: row.seq, digest: await digestOf(row) };
  }
  return { rows, end: last };
}

/** Returns the digest of a row. The next row stores it in `previous`. */
export function digestOf(row: Decision): Promise<string> {
  return sha256(canonical({ ...row, content: undefined }));
}
