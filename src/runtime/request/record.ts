import type {
  ElicitationOutcome,
  ElicitationRequest,
  ElicitationResolution,
  StatusReport,
} from "../../contract/contract.ts";
import type { ElicitationRecord } from "../ports/index.ts";

export type OpenStatus = Exclude<ElicitationRecord["status"], ElicitationOutcome>;

const OPEN: ReadonlySet<string> = new Set<OpenStatus>(["pending", "consented"]);

/** The outcome of the record; `undefined` while it is open. */
export function outcomeOf(record: ElicitationRecord): ElicitationOutcome | undefined {
  return record.status === "pending" || record.status === "consented" ? undefined : record.status;
}

/**
 * How often an open request has changed since it was asked, by an invalid answer or an attempt on a page. Every process
 * gets the same number.
 */
export function changesOf({ revision, request }: ElicitationRecord): number {
  // One of the revisions of a request in a round is that it joined the round, which is no change in this sense.
  return request.round === undefined ? revision : revision - 1;
}

export function isEnded(record: ElicitationRecord): boolean {
  return !OPEN.has(record.status);
}

/** A request that has ended. */
export type ResolvedRequest = ElicitationRequest & { readonly resolution: ElicitationResolution };

export function isResolved(request: ElicitationRequest): request is ResolvedRequest {
  return request.resolution !== undefined;
}

/** The request as it is sent to clients now, with its `progress` or `resolution`. */
export function currentRequest(record: ElicitationRecord): ElicitationRequest {
  const outcome = outcomeOf(record);
  if (outcome !== undefined) {
    const at = new Date(record.endedAt ?? record.expiresAt).toISOString();
    const { reason, account, endedBy, usedAnswer, delegated } = record;
    const resolution = {
      outcome,
      at,
      ...(reason !== undefined && { reason }),
      ...(account !== undefined && { account }),
      ...(usedAnswer !== undefined && { remembered: usedAnswer }),
      ...(endedBy !== undefined && { by: endedBy }),
      ...(delegated === true && { delegated }),
    };
    return { ...requestOf(record), resolution };
  }
  const { status } = record;
  const request = requestOf(record);
  const failure = lastFailure(record);
  if (failure !== undefined) return { ...request, progress: { status: "pending", ...failure } };
  return status === "consented" ? { ...request, progress: { status } } : request;
}

/** Why the last attempt failed. `byUser`: the user has cancelled at the provider. */
export function lastFailure({
  lastError,
  lastErrorCause,
}: ElicitationRecord): { lastError: string; byUser?: true } | undefined {
  if (lastError === undefined) return undefined;
  return lastErrorCause?.reason === "denied" ? { lastError, byUser: true } : { lastError };
}

/** For the user whose turn asks, the request contains the assignee. */
function requestOf({ request: asked, expiresAt, assigned, noticeAt }: ElicitationRecord): ElicitationRequest {
  const request = { ...asked, expiresAt: new Date(expiresAt).toISOString() };
  if (assigned === undefined) return request;
  const { name, mayTakeBack } = assigned;
  const isTold = noticeAt !== undefined;
  const assignee = { name, ...(mayTakeBack && { takeBack: true }), ...(isTold && { remind: true }) };
  return { ...request, assignee };
}

/** When the request expires if its user gets more time now. Not later than before: they cannot get more. */
export function extendedEnd({ request, createdAt, expiresAt }: ElicitationRecord): number {
  const { expiresAt: first, extendableUntil: last } = request;
  if (first === undefined || last === undefined) return expiresAt;
  return Math.min(expiresAt + Date.parse(first) - createdAt, Date.parse(last));
}

export function statusReport(record: ElicitationRecord, now: number): StatusReport {
  return {
    elicitationId: record.request.elicitationId,
    status: record.status,
    ...(!isEnded(record) && lastFailure(record)),
    expiresAt: new Date(record.expiresAt).toISOString(),
    now: new Date(now).toISOString(),
  };
}

/**
 * Clients choose conversation ids, so the key includes the user id. Otherwise one user could reach the turns of another.
 */
export function conversationKey(conversationId: string, userId: string): string {
  return JSON.stringify([userId, conversationId]);
}
