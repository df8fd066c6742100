import type { ElicitationResult } from "../ask/question.ts";
import { type ResolvedRequest, currentRequest, isResolved, outcomeOf } from "../request/record.ts";
import type {
  ElicitationRecord,
  ElicitationRecords,
  StreamChunk,
  TurnLease,
  TurnStream,
} from "../ports/index.ts";
import { eventOf, isEnd } from "./turn-log.ts";
import { type PastAsks, refusalKey } from "../ask/asker.ts";

/** The requests of an earlier run, and the outcomes that its log lacks. */
export interface PastRequests extends PastAsks {
  /**
   * Requests that have ended although the log shows them open. Their calls may be recorded, and then do not ask again.
   */
  readonly unshown: readonly ResolvedRequest[];
}

interface PastOptions {
  readonly stream: Pick<TurnStream, "read">;
  readonly records: Pick<ElicitationRecords, "get">;
}

/**
 * Reads the requests of a turn from its log, and their outcomes from the records, because the log may lack the last ones.
 */
async function readRequests(
  turnId: string,
  { stream, records }: PastOptions,
  written: ReadonlyMap<string, boolean> = new Map(),
): Promise<readonly { readonly record: ElicitationRecord; readonly isShown: boolean }[]> {
  const shown = new Map<string, boolean>();
  const { signal } = new AbortController();
  for await (const entry of stream.read(turnId, { live: false, signal })) {
    const event = eventOf(entry);
    if ("request" in event) shown.set(event.request.elicitationId, event.kind === "resolved");
  }
  for (const [id, isShown] of written) shown.set(id, isShown);
  const found = await Promise.all(
    [...shown].map(async ([id, isShown]) => ({ record: await records.get(id), isShown })),
  );
  return found.flatMap(({ record, isShown }) => (record?.turnId === turnId ? [{ record, isShown }] : []));
}

/** Returns what the earlier runs of a turn have asked. */
export async function readPastAsks(turnId: string, options: PastOptions): Promise<PastRequests> {
  const calls = new Set<string>();
  const refused = new Map<string, ElicitationResult>();
  const unshown: ResolvedRequest[] = [];
  for (const { record, isShown } of await readRequests(turnId, options)) {
    const request = currentRequest(record);
    if (!isShown && isResolved(request) && !isBeingStored(request)) unshown.push(request);
    const { mode, toolCallId } = record.request;
    if (toolCallId !== undefined) calls.add(toolCallId);
    const result = refusalIn(record);
    const key = refusalKey({ mode, tool: record.tool });
    if (result !== undefined && key !== undefined) refused.set(key, result);
  }
  return { calls, refused, unshown };
}

/**
 * The user's new connection may still be in the process of being stored, which may fail. The call that waits for it
 * reports the outcome.
 */
function isBeingStored({ mode, resolution }: ResolvedRequest): boolean {
  return mode === "url" && resolution.outcome === "accepted";
}

function refusalIn(record: ElicitationRecord): ElicitationResult | undefined {
  const outcome = outcomeOf(record);
  if (outcome === "expired") return { outcome, afterMs: record.expiresAt - record.createdAt };
  return outcome === "declined" || outcome === "cancelled" ? { outcome } : undefined;
}

/**
 * The requests of a turn that have ended although its log shows them open.
 *
 * @param written requests that this process has written, and whether with their outcome: the log may not have them yet
 */
export async function readMissingEnds(
  turnId: string,
  options: PastOptions,
  written?: ReadonlyMap<string, boolean>,
): Promise<readonly ResolvedRequest[]> {
  const found = await readRequests(turnId, options, written);
  return found.flatMap(({ record, isShown }) => (isShown ? [] : currentRequest(record))).filter(isResolved);
}

/** Appends the end chunk of a turn, unless its log has one. */
export async function appendEnd(
  turnId: string,
  last: StreamChunk,
  lease: Pick<TurnLease, "fence">,
  stream: Pick<TurnStream, "read" | "append">,
): Promise<void> {
  const { signal } = new AbortController();
  for await (const { chunk } of stream.read(turnId, { live: false, signal })) if (isEnd(chunk)) return;
  await stream.append(turnId, last, lease);
}
