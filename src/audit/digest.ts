import { canonical, sha256 } from "../base/canonical.ts";
import type { Decision, DecisionEntry } from "./decision.ts";

/** What the first row of a log is chained to. */
export const NO_DIGEST = "0".repeat(64);

/** The last row of a log, which the next one is chained to. */
export interface ChainEnd {
  readonly seq: number;
  readonly digest: string;
}

/** Gives entries their places after `end`, in their order. */
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

/** The digest of a row, which the next row carries. */
export function digestOf(row: Decision): Promise<string> {
  return sha256(canonical({ ...row, content: undefined }));
}
