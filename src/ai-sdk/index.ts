export { createElicitation, type Elicitation, type ElicitationOptions } from "./create-elicitation.ts";
export { elicitationTransport, type ElicitationTransportOptions } from "./elicitation-transport.ts";
export { createHardenedFetch, type HardenedFetchOptions } from "./hardened-fetch.ts";
export { type MessageLike, readElicitations } from "./read-messages.ts";
export { hardenUiMessageStream, type StreamHardeningOptions } from "./stream-hardening.ts";
export type { ChatLike } from "./watch-chat.ts";
