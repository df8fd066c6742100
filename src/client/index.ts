/** `elicit-kit/client`: the client of a chat without a framework. It keeps requests, sends answers and opens pages. */
export {
  type Channel,
  type ChannelCallOptions,
  ChannelError,
  type ChannelEvent,
  type AnswerDelivery,
  type AnswerReceipt,
} from "./channel.ts";
export type { Clock } from "./clock.ts";
export { createElicitationClient, type ElicitationClientOptions } from "./create-client.ts";
export {
  type BlockedReason,
  type DraftStore,
  type ElicitationClient,
  type ElicitationItem,
  type ElicitationNotice,
  type ElicitationSnapshot,
  type ElicitationStatus,
  type WindowState,
} from "./elicitation.ts";
export { createHttpChannel, type HttpChannel, type HttpChannelOptions } from "./http-channel.ts";
export {
  inspectUrl,
  type InspectUrlOptions,
  type UrlBlockReason,
  type UrlInspection,
  type UrlReason,
  type UrlTier,
  type UrlVerdict,
  type UrlWarnReason,
} from "../contract/inspect-url.ts";
export type { OpenUrl, PopupEnvironment, PopupWindow } from "./popup/index.ts";
export { type MessageLike, readElicitations } from "./read-messages.ts";
export { readSseData } from "./sse.ts";
export { hasEnded, isOpen } from "./state.ts";
