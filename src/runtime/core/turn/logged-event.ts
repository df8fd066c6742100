import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../../protocol/contract.ts";
import { parseElicitationRequest } from "../../../protocol/guard.ts";
import { type ResolvedRequest, isResolved } from "../elicitation/record.ts";
import type { StreamChunk, TurnStreamEntry } from "../ports.ts";

/** One entry of a turn's log, classified for surfaces. */
export type LoggedEvent =
  /** An open request: written when it is asked, and again at every progress. */
  | { readonly kind: "request"; readonly request: ElicitationRequest }
  | { readonly kind: "resolved"; readonly request: ResolvedRequest }
  /** Everything else: text, tools, data. */
  | { readonly kind: "chunk"; readonly chunk: StreamChunk };

/** Classifies an entry of a turn's log. */
export function eventOf({ chunk }: Pick<TurnStreamEntry, "chunk">): LoggedEvent {
  const parsed =
    chunk.type === REQUEST_PART_TYPE && "data" in chunk ? parseElicitationRequest(chunk.data) : undefined;
  if (parsed?.ok !== true) return { kind: "chunk", chunk };
  const request = parsed.value;
  return isResolved(request) ? { kind: "resolved", request } : { kind: "request", request };
}

/** Whether a request waits for the user's answer. A consented request waits for the user to finish on the page. */
export function wantsAnswer({ progress, resolution }: ElicitationRequest): boolean {
  return resolution === undefined && (progress === undefined || progress.status === "pending");
}
