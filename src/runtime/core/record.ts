import type {
  ElicitationAction,
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
  StatusReport,
} from "../../protocol/contract.ts";
import { base64url } from "./ids.ts";
import type { ElicitationRecord } from "./ports.ts";

export type OpenStatus = Exclude<ElicitationRecord["status"], ElicitationOutcome>;

const OPEN: ReadonlySet<string> = new Set<OpenStatus>(["pending", "consented"]);

/** The outcome of a record that has ended. */
export function outcomeOf(record: ElicitationRecord): ElicitationOutcome | undefined {
  return record.status === "pending" || record.status === "consented" ? undefined : record.status;
}

export function isEnded(record: ElicitationRecord): boolean {
  return !OPEN.has(record.status);
}

/** The request as it goes over the wire now, with how far it got or how it ended. */
export function currentRequest(record: ElicitationRecord): ElicitationRequest {
  const outcome = outcomeOf(record);
  if (outcome !== undefined) {
    const at = new Date(record.endedAt ?? record.expiresAt).toISOString();
    const resolution = { outcome, at, ...(record.reason !== undefined && { reason: record.reason }) };
    return { ...record.request, resolution };
  }
  // Who failed on the page had agreed to open it, so an error is told as progress even while `status` is pending.
  if (record.status === "consented" || record.lastError !== undefined) {
    const lastError = record.lastError !== undefined && { lastError: record.lastError };
    return { ...record.request, progress: { status: "consented", ...lastError } };
  }
  return record.request;
}

export function statusReport(record: ElicitationRecord, now: number): StatusReport {
  return {
    elicitationId: record.request.elicitationId,
    status: record.status,
    ...(record.lastError !== undefined && !isEnded(record) && { lastError: record.lastError }),
    expiresAt: new Date(record.expiresAt).toISOString(),
    now: new Date(now).toISOString(),
  };
}

export const OUTCOME_OF: Readonly<Record<ElicitationAction, ElicitationOutcome>> = {
  accept: "accepted",
  decline: "declined",
  cancel: "cancelled",
};

/** Equal for contents that say the same, whatever the order of their properties; says nothing about the values. */
export async function contentDigest(
  elicitationId: string,
  content: ElicitationContent = {},
): Promise<string> {
  const canonical = JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const bytes = new TextEncoder().encode(`${elicitationId}\n${canonical}`);
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
