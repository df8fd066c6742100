import { StoreAway } from "../../base/foreign-error.ts";
import type { ElicitationRecord } from "../ports/index.ts";

/**
 * Whether this version can handle the record. While an application is updated, processes of an older version read records of
 * a newer one. A version that adds a field which changes who may answer a request, or what an answer does, writes the name
 * of that field in `needs`. This version has none.
 */
export function isUnderstood({ needs = [] }: ElicitationRecord): boolean {
  return needs.length === 0;
}

/** Throws an error that makes the client try again, and then perhaps reach a process that understands the record. */
export function ensureUnderstood(record: ElicitationRecord | undefined): void {
  if (record === undefined || isUnderstood(record)) return;
  throw new StoreAway(
    `elicit-kit: a newer version of elicit-kit has written a request that this one does not understand (${record.needs?.join(", ")}). Update this process, or let it end.`,
  );
}
