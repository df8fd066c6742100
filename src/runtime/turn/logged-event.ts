import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../contract/contract.ts";
import { parseElicitationRequest } from "../../contract/guard.ts";
import { type ResolvedRequest, isResolved } from "../request/record.ts";
import type { StreamChunk, TurnStreamEntry } from "../ports/index.ts";

/** One entry of a turn's log, classified for surfaces. */
export type LoggedEvent =
  /** An open request: written when it is asked, and again at every progress. */
  | { readonly kind: "request"; readonly request: ElicitationRequest }
  | { readonly kind: "resolved"; readonly request: ResolvedRequest }
  /** A piece of the reply. */
  | { readonly kind: "text"; readonly text: string }
  /** The turn failed. `text` is for the user. */
  | { readonly kind: "error"; readonly text: string }
  /** Everything else: tools, data, and where texts begin and end. */
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

/** Whether a request waits for the user's answer. A consented request waits for the user to finish on the page. */
export function wantsAnswer({ progress, resolution }: ElicitationRequest): boolean {
  return resolution === undefined && (progress === undefined || progress.status === "pending");
}
