import { type ElicitationRequest, REQUEST_PART_TYPE } from "../contract/contract.ts";
import { parseElicitationRequest } from "../contract/guard.ts";

/** The part of a UI message that the client reads. The `UIMessage` of any version of the AI SDK fits. */
export interface MessageLike {
  readonly id?: string | undefined;
  readonly role?: string | undefined;
  readonly parts: readonly { readonly type: string; readonly data?: unknown }[];
}

/** The request in each `part.data`. While a message streams, the AI SDK replaces its parts but keeps their data. */
const parsedData = new WeakMap<object, ElicitationRequest | null>();

/**
 * Returns the requests in a chat's messages in the order in which they were asked, each with its latest state. Skips
 * malformed parts, and messages of role `user`, because only the agent asks. Reading the same data again is one lookup.
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
      // A request may be in two messages: asked in one, and ended in the other. The outcome is kept.
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
