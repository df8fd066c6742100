import type { Assignee, ElicitationMode, ElicitationOutcome } from "../../src/contract/contract.ts";
import {
  type ElicitationRecord,
  type Settlement,
  type ToolRef,
  outcomeOf,
} from "../../src/runtime/internal.ts";
import { canonical, sha256Hex } from "../../src/base/canonical.ts";

/**
 * What happened to a request. `assigned`: another user now decides. `taken-back`: the user whose turn asks decides again.
 * `consented`: the user agreed to open the page of the request, or tries again there. `attempt-failed`: an answer was not
 * valid, or the attempt on the page failed. The other values are outcomes.
 */
export type DecisionEvent =
  | "asked"
  | "assigned"
  | "taken-back"
  | "consented"
  | "attempt-failed"
  | ElicitationOutcome;

/** The text of a request, or its answer. Kept only when the log has the option `content`. */
export type DecisionContent = Readonly<Record<string, unknown>>;

/** A row before it gets its place in the log. */
export interface DecisionEntry {
  /** When it happened, by RFC 3339. */
  readonly at: string;
  readonly event: DecisionEvent;
  readonly elicitationId: string;
  readonly conversationId: string;
  /** The user whose turn asks, as `authenticate` of the runtime identifies them. */
  readonly userId: string;
  /** `form`: the request asks for values in a form. `url`: it asks the user to open a page. */
  readonly mode: ElicitationMode;
  readonly tool?: ToolRef | undefined;
  /** The name of the account or service that the page connects. */
  readonly service?: string | undefined;
  /** With `asked`: the turn that asks. */
  readonly turnId?: string | undefined;
  /** With `asked`: kind of the surface that shows the request, such as `chat`, `slack` or `mcp`. */
  readonly surface?: string | undefined;
  /** With `asked`: SHA-256 of the form's schema as canonical JSON, in hex. */
  readonly schemaDigest?: string | undefined;
  /** With `asked`. A request without a later row has expired then. */
  readonly expiresAt?: string | undefined;
  /**
   * The user who did it, or the operator who withdrew it. Absent if no user acted, for example when the request expired
   * or server code reported its outcome.
   */
  readonly by?: string | undefined;
  /** Kind of the surface through which they did it: `page` is the hosted page, `operator` the operator page. */
  readonly through?: string | undefined;
  /** With `accepted`. `used`: a remembered answer was used. `kept`: the user let the kit remember this answer. */
  readonly remembered?: "used" | "kept" | undefined;
  /** With `accepted`: the user left the decision to the agent. */
  readonly delegated?: true | undefined;
  /** The rule of `beforeAsk` that has decided, or with `asked` has assigned the request: by policy, and not by a user. */
  readonly policy?: string | undefined;
  /** With `withdrawn`: the reason, for example that the user sent a new message. */
  readonly reason?: string | undefined;
  /** With `asked` and `assigned`: who decides in place of `userId`. */
  readonly assignee?: Assignee | undefined;
  /** SHA-256 of the sealed content, in hex. The digest is kept when the content is erased. */
  readonly contentDigest?: string | undefined;
}

/** One row of a {@link DecisionLog}: something that happened to a request. */
export interface Decision extends DecisionEntry {
  /** Its place in the log, from 1, without gaps. */
  readonly seq: number;
  /** SHA-256 of the row before it as canonical JSON (RFC 8785) without `content`, in hex. Zeros for the first row. */
  readonly previous: string;
  /** The digest of the row does not cover this: it covers `contentDigest`. */
  readonly content?: DecisionContent | undefined;
}

/** Returns the log row for a change of a record. `undefined`: this change is not logged. */
export async function entryOf(record: ElicitationRecord): Promise<DecisionEntry | undefined> {
  const { request, user, tool, changedBy, createdAt, usedAnswer } = record;
  const event = eventOf(record);
  if (event === undefined) return undefined;
  const remembered = usedAnswer === undefined ? record.remembered : "used";
  const at = event === "asked" ? createdAt : (changedBy?.at ?? record.endedAt ?? record.expiresAt);
  return {
    at: timeOf(at),
    event,
    elicitationId: request.elicitationId,
    conversationId: record.conversationId,
    userId: user.id,
    mode: request.mode,
    ...(tool !== undefined && { tool: { id: tool.id, name: tool.name } }),
    ...(request.mode === "url" && request.service !== undefined && { service: request.service.name }),
    ...(event === "asked" && {
      turnId: record.turnId,
      surface: record.surface,
      expiresAt: timeOf(record.expiresAt),
      ...(request.mode === "form" && { schemaDigest: await sha256Hex(canonical(request.requestedSchema)) }),
    }),
    ...((event === "asked" || event === "assigned") &&
      record.assigned !== undefined && { assignee: record.assigned.to }),
    ...(changedBy?.userId !== undefined && { by: changedBy.userId, through: changedBy.through }),
    ...(event === "accepted" && remembered !== undefined && { remembered }),
    ...(event === "accepted" && record.delegated === true && { delegated: record.delegated }),
    ...(record.policy !== undefined && isByPolicy(event, record) && { policy: record.policy }),
    ...(event === "withdrawn" && record.reason !== undefined && { reason: record.reason }),
  };
}

/** A rule has assigned the request when it was asked, or has ended it without a user. */
function isByPolicy(event: DecisionEvent, { assigned, changedBy }: ElicitationRecord): boolean {
  if (event === "asked") return assigned !== undefined;
  return (
    assigned === undefined && changedBy?.userId === undefined && (event === "accepted" || event === "failed")
  );
}

/** The record as it was when it was asked, if it was created with its answer. Such a record has two rows. */
export function askedRecord(record: ElicitationRecord): ElicitationRecord {
  return { ...record, revision: 0, status: "pending", changedBy: undefined };
}

/** Returns the content to seal for a change. `undefined`: the change has no content. */
export function contentOf(record: ElicitationRecord, settlement?: Settlement): DecisionContent | undefined {
  const { request, reason, account, lastError } = record;
  const event = eventOf(record);
  if (event === undefined || event === "assigned" || event === "taken-back") return undefined;
  if (event === "asked") {
    const { message } = request;
    return request.mode === "form"
      ? { message, requestedSchema: request.requestedSchema }
      : { message, url: request.url };
  }
  const { content, note } = settlement ?? {};
  const said =
    event === "attempt-failed"
      ? { lastError }
      : { content, note, account, ...(event === "failed" && { reason }) };
  const known = Object.entries(said).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function eventOf(record: ElicitationRecord): DecisionEvent | undefined {
  if (record.revision === 0) return "asked";
  const outcome = outcomeOf(record);
  // A request also changes when it joins a round. No user does that, so it is not logged.
  if (outcome !== undefined || record.changedBy === undefined) return outcome;
  // Nothing has been decided.
  if (record.changedBy.reminded === true || record.changedBy.extended === true) return undefined;
  if (record.changedBy.assigned === true) return record.assigned === undefined ? "taken-back" : "assigned";
  return record.status === "consented" ? "consented" : "attempt-failed";
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

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
  return sha256Hex(canonical({ ...row, content: undefined }));
}
