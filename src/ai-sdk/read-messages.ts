import { type ElicitationRequest, REQUEST_PART_TYPE } from "../protocol/contract.ts";
import { parseElicitationRequest } from "../protocol/guard.ts";

/** The least of a UI message that is needed here: any version's `UIMessage` fits. */
export interface MessageLike {
  readonly role?: string | undefined;
  readonly parts: readonly { readonly type: string; readonly data?: unknown }[];
}

/** What was read from one `part.data`; the AI SDK keeps its identity while a message streams, parts change. */
const parsedData = new WeakMap<object, ElicitationRequest | null>();

/**
 * The requests in a chat's messages, in order, the latest word on each id: history and reload are read from here, live
 * requests are tapped from the stream. Malformed parts are passed over, and so is what people wrote: only the agent's
 * side asks. Reading the same data again costs a look-up.
 */
export function readElicitations(messages: readonly MessageLike[]): readonly ElicitationRequest[] {
  const byId = new Map<string, ElicitationRequest>();
  for (const message of messages) {
    if (message.role === "user") continue;
    for (const part of message.parts) {
      if (part.type !== REQUEST_PART_TYPE) continue;
      const request = parseOnce(part.data);
      if (request === null) continue;
      const known = byId.get(request.elicitationId);
      // The same request may stand in two messages (asked in one, ended in another): an end wins.
      if (known?.resolution === undefined) byId.set(request.elicitationId, request);
    }
  }
  return [...byId.values()];
}

function parseOnce(data: unknown): ElicitationRequest | null {
  if (typeof data !== "object" || data === null) return null;
  let request = parsedData.get(data);
  if (request === undefined) {
    const parsed = parseElicitationRequest(data);
    request = parsed.ok ? parsed.value : null;
    parsedData.set(data, request);
  }
  return request;
}
