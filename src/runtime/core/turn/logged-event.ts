import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../../protocol/contract.ts";
import { parseElicitationRequest } from "../../../protocol/guard.ts";
import { type ResolvedRequest, isResolved } from "../elicitation/record.ts";
import type { StreamChunk, TurnStreamEntry } from "../ports.ts";

/** One line of a turn's log, as surfaces tell lines apart. */
export type LoggedEvent =
  /** A request is open: when it is asked, and again with every progress. */
  | { readonly kind: "request"; readonly request: ElicitationRequest }
  | { readonly kind: "resolved"; readonly request: ResolvedRequest }
  /** Everything else: text, tools, data. */
  | { readonly kind: "chunk"; readonly chunk: StreamChunk };

/** What a line of a turn's log says. */
export function eventOf({ chunk }: Pick<TurnStreamEntry, "chunk">): LoggedEvent {
  const parsed =
    chunk.type === REQUEST_PART_TYPE && "data" in chunk ? parseElicitationRequest(chunk.data) : undefined;
  if (parsed?.ok !== true) return { kind: "chunk", chunk };
  const request = parsed.value;
  return isResolved(request) ? { kind: "resolved", request } : { kind: "request", request };
}

/** Whether a request waits for the person's answer. One that they have consented to waits for what they do elsewhere. */
export function wantsAnswer({ progress, resolution }: ElicitationRequest): boolean {
  return resolution === undefined && (progress === undefined || progress.status === "pending");
}
