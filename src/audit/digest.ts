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

/** JSON with sorted names and without spaces, as RFC 8785 has it for what JSON.parse returns. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one ?? null)).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join()}}`;
}

/** In hex. */
export async function sha256(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
