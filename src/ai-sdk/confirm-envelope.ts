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

/** The options of `createEnvelopeConfirmer`. */
export interface EnvelopeConfirmerOptions {
  /** A channel to the server that wrote the envelopes, with the user's own credentials. See `createHttpChannel`. */
  channel: Pick<Channel, "list" | "status">;
  /** The id of the conversation at that server. */
  conversationId: string;
  signal?: AbortSignal | undefined;
}

/**
 * Creates a function that asks the server whether an envelope is genuine, because it arrived as text. The function
 * resolves with the part to show: the request as the server lists it for this user, or for an outcome, the confirmed
 * request with the outcome from the server. It resolves with `undefined` when the server does not confirm it or cannot be
 * reached.
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
 * Transforms the result of `toUIMessageStream`. Envelopes that the server confirms become the data parts of requests.
 * Others stay `custom` parts, which are not shown. The stream waits while the server is asked.
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
