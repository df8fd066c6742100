import { createHash } from "node:crypto";

const PLAIN = /^[\w.:-]{1,128}$/;
/** An index entry can have about 2,700 bytes, and a notification 8,000. */
const MAX_LENGTH = 400;

/**
 * Returns the key of a row for any texts. Clients choose the ids of conversations, but PostgreSQL accepts neither NUL in
 * a text nor long values in an index. Different texts have different keys.
 */
export function keyOf(first: string, ...rest: readonly string[]): string {
  if (rest.length === 0 && PLAIN.test(first)) return first;
  // JSON escapes NUL and lone surrogates. It starts with a bracket, so it differs from a plain id.
  const text = JSON.stringify([first, ...rest]);
  if (text.length <= MAX_LENGTH && /^[\x20-\x7e]*$/.test(text)) return text;
  return `(sha256)${createHash("sha256").update(text).digest("hex")}`;
}

/** A short name of a process, for operators. The key itself is the key of a lock, so it is not shown. */
export function processName(key: string): string {
  return BigInt(lockKeyOf("process", key)).toString(36).slice(0, 6);
}

/** The name in `pg_stat_activity` of the connections of a process. */
export const connectionName = (key: string): string => `elicit-kit ${processName(key)}`;

/** Returns the key of a session lock for any texts: a positive `bigint`. */
export function lockKeyOf(...texts: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(texts)).digest();
  return `${hash.readBigUInt64BE() >> 1n}`;
}

/** Stands in `runs` in place of a process: the turn was stopped before any process ran it. */
export const NOBODY = "0";
/** Any process may claim the turn. */
export const FREE = "1";
/**
 * The turn waits for the user. The end of one of its requests frees it. Keys of processes are greater than this number.
 */
export const PARKED = "2";

/** A turn that is about to ask, and only waits then. */
export interface BeginningWait {
  readonly process: string;
  readonly run: number;
  /** The number of answers that it waits for, with the new one. */
  readonly waits: number;
  /** Call it when the wait is noted. */
  noted(): void;
}
