import type { Channel } from "../client/index.ts";
import { type ElicitationRequest, REQUEST_PART_TYPE } from "../contract/contract.ts";
import { parseResolution } from "../contract/guard.ts";
import { type Envelope, readEnvelopePart } from "./envelope.ts";

/** A request as a chunk of a UI message stream, and as a part of a UI message. */
export interface RequestPart {
  type: typeof REQUEST_PART_TYPE;
  id: string;
  data: ElicitationRequest;
}

/** What `createEnvelopeConfirmer` takes. */
export interface EnvelopeConfirmerOptions {
  /** Calls the server that made the envelopes, with the user's own credentials. See `createHttpChannel`. */
  channel: Pick<Channel, "list" | "status">;
  /** The conversation's id at that server. */
  conversationId: string;
  signal?: AbortSignal | undefined;
}

/**
 * Makes a function that asks the server whether an envelope is true, because it came as text. It resolves with the part to
 * show: for a request, the request as the server lists it for this user; for an end, the confirmed request with the
 * outcome that the server names. It resolves with `undefined` when the server does not confirm it or cannot be reached.
 */
export function createEnvelopeConfirmer({
  channel,
  conversationId,
  signal = new AbortController().signal,
}: EnvelopeConfirmerOptions): (envelope: Envelope) => Promise<RequestPart | undefined> {
  const confirmed = new Map<string, ElicitationRequest>();

  async function read({ type, elicitationId }: Envelope): Promise<ElicitationRequest | undefined> {
    if (type === "elicitation-request") {
      const open = await channel.list?.(conversationId, { signal });
      return open?.find((request) => request.elicitationId === elicitationId);
    }
    const request = confirmed.get(elicitationId);
    const report = request && (await channel.status?.(elicitationId, { signal }));
    const resolution = parseResolution({ outcome: report?.status, at: report?.now });
    return request && resolution.ok ? { ...request, resolution: resolution.value } : undefined;
  }

  return async (envelope) => {
    const request = await read(envelope).catch(() => undefined);
    if (request === undefined) return undefined;
    confirmed.set(request.elicitationId, request);
    return { type: REQUEST_PART_TYPE, id: request.elicitationId, data: request };
  };
}

/**
 * Transforms the result of `toUIMessageStream`: envelopes that the server confirms become the data parts of requests. The
 * others stay `custom` parts, which show nothing. The stream waits while the server is asked.
 *
 * @example
 * writer.merge(toUIMessageStream({ stream: result.stream }).pipeThrough(elicitationParts({ channel, conversationId })));
 */
export function elicitationParts<Chunk extends { readonly type: string }>(
  options: EnvelopeConfirmerOptions,
): TransformStream<Chunk, Chunk | RequestPart> {
  const confirm = createEnvelopeConfirmer(options);
  return new TransformStream({
    async transform(chunk, controller) {
      const envelope = readEnvelopePart(chunk);
      controller.enqueue((envelope && (await confirm(envelope))) ?? chunk);
    },
  });
}
