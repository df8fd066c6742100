import { StoreAway } from "../../base/foreign-error.ts";
import type { ElicitationRecord } from "../ports/index.ts";

/**
 * What this version understands of records. While an application is updated, processes of an older version read records of
 * a newer one. A field that changes who may answer a request, or what an answer does, needs a name here.
 */
const UNDERSTOOD: ReadonlySet<string> = new Set(["assigned", "delegate"]);

/** Returns the record with the names of what a process must understand to handle it. */
export function withNeeds(record: ElicitationRecord): ElicitationRecord {
  const { needs: _, ...rest } = record;
  const needs = [
    ...(record.assigned === undefined ? [] : ["assigned"]),
    ...(record.request.delegate === undefined ? [] : ["delegate"]),
  ];
  return needs.length === 0 ? rest : { ...rest, needs };
}

export function isUnderstood({ needs = [] }: ElicitationRecord): boolean {
  return needs.every((need) => UNDERSTOOD.has(need));
}

/** Throws an error that makes the client try again, and then perhaps reach a process that understands the record. */
export function ensureUnderstood(record: ElicitationRecord | undefined): void {
  if (record === undefined || isUnderstood(record)) return;
  throw new StoreAway(
    `elicit-kit: a newer version of elicit-kit has written a request that this one does not understand (${record.needs?.join(", ")}). Update this process, or let it end.`,
  );
}
