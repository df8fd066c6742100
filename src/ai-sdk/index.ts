/**
 * `elicit-kit/ai-sdk`: elicitation in a chat of the AI SDK. Start with `createElicitation`; the rest is for clients of your
 * own, and for a model behind an elicitation server.
 */
export type { ElicitationTransport, TransportCall, TransportSend } from "./chat-transport.ts";
export type { AiSdkVersion } from "./chunk-shapes.ts";
export {
  createEnvelopeConfirmer,
  type EnvelopeConfirmerOptions,
  elicitationParts,
  type RequestPart,
} from "./confirm-envelope.ts";
export {
  createElicitation,
  type ChatElicitation,
  type ElicitationOptions,
  type StreamedChunk,
} from "./create-elicitation.ts";
export {
  elicitationTransport,
  type ElicitationTransportInit,
  type ElicitationTransportOptions,
} from "./elicitation-transport.ts";
export type { Envelope, EnvelopePart } from "./envelope.ts";
export type { HardenedFetchOptions } from "./hardened-fetch.ts";
export {
  elicitationMiddleware,
  type ElicitationMiddleware,
  elicitationTransform,
  type ElicitationTransformOptions,
  type EnvelopeListener,
  type StreamPartLike,
} from "./provider-stream.ts";
export type { ChatLike } from "./observe-chat.ts";
