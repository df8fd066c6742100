import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../contract/contract.ts";
import { parseElicitationRequest } from "../../contract/guard.ts";
import { type ResolvedRequest, isResolved } from "../request/record.ts";
import type { StreamChunk, TurnStreamEntry } from "../ports/index.ts";
import { isObject } from "../../contract/json.ts";

/** One entry of a turn's log, classified for surfaces. */
export type LoggedEvent =
  /** An open request: written when it is asked, and again at every progress. */
  | { readonly kind: "request"; readonly request: ElicitationRequest }
  | { readonly kind: "resolved"; readonly request: ResolvedRequest }
  /** A piece of the reply. */
  | { readonly kind: "text"; readonly text: string }
  /** The turn failed. `text` is for the user. */
  | { readonly kind: "error"; readonly text: string }
  /** All other chunks: tools, data, and the beginnings and ends of texts. */
  | { readonly kind: "chunk"; readonly chunk: StreamChunk };

/** Classifies an entry of a turn's log. */
export function eventOf({ chunk }: Pick<TurnStreamEntry, "chunk">): LoggedEvent {
  if (chunk.type === "text-delta" && "delta" in chunk && typeof chunk.delta === "string") {
    return { kind: "text", text: chunk.delta };
  }
  if (chunk.type === "error" && "errorText" in chunk && typeof chunk.errorText === "string") {
    return { kind: "error", text: chunk.errorText };
  }
  const parsed =
    chunk.type === REQUEST_PART_TYPE && "data" in chunk ? parseElicitationRequest(chunk.data) : undefined;
  if (parsed?.ok !== true) return { kind: "chunk", chunk };
  const request = parsed.value;
  return isResolved(request) ? { kind: "resolved", request } : { kind: "request", request };
}

/**
 * Whether a request waits for the user's answer. A consented request waits for the user to finish on the page, not for an
 * answer.
 */
export function wantsAnswer({ progress, resolution }: ElicitationRequest): boolean {
  return resolution === undefined && (progress === undefined || progress.status === "pending");
}

export const DISCARD_TYPE = "data-turn-discard";

/**
 * The chunk that {@link TurnStream.discard} appends: a reader drops its entries from position `from` on, except `data-*`
 * chunks. The runtime's own routes never send it.
 */
export function discardChunk(
  from: number,
): StreamChunk & { readonly data: { readonly from: number }; readonly transient: true } {
  return { type: DISCARD_TYPE, data: { from }, transient: true };
}

/** The position from which an entry discards earlier ones. `undefined`: it discards nothing. */
export function discardedFrom({ chunk }: Pick<TurnStreamEntry, "chunk">): number | undefined {
  if (chunk.type !== DISCARD_TYPE || !("data" in chunk) || !isObject(chunk.data)) return undefined;
  const from = chunk.data["from"];
  return typeof from === "number" ? from : undefined;
}

/** Whether `TurnStream.discard` removes a chunk. Data, such as requests, does not come from the model. */
export function isDiscardable({ type }: StreamChunk): boolean {
  return !type.startsWith("data-");
}

/**
 * The valid entries of a log. The result is the same for a reader who was there when entries were discarded and for a
 * later reader.
 */
export function withoutDiscarded(entries: readonly TurnStreamEntry[]): readonly TurnStreamEntry[] {
  let left: TurnStreamEntry[] = [];
  for (const entry of entries) {
    const from = discardedFrom(entry);
    if (from === undefined) left.push(entry);
    else left = left.filter(({ seq, chunk }) => seq < from || !isDiscardable(chunk));
  }
  return left;
}

/** The chunk types that end a turn. Clients read no further. */
const ENDS: ReadonlySet<string> = new Set(["finish", "error", "abort"]);

export const isEnd = ({ type }: Pick<StreamChunk, "type">): boolean => ENDS.has(type);
