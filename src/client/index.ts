/** `elicit-kit/client`: the client of a chat without a framework. It keeps requests, sends answers and opens pages. */
export { type Channel, ChannelError } from "./channel.ts";
export { createElicitationClient } from "./create-client.ts";
export type { DraftStore, ElicitationClient, ElicitationItem } from "./elicitation.ts";
export type { PopupWindow } from "./popup/environment.ts";
export type { OpenUrl } from "./popup/popup.ts";
export { createHttpChannel, type HttpChannel } from "./http-channel.ts";
export { type Inbox, type InboxEntry, inboxOf } from "./inbox.ts";
export { inspectUrl } from "../contract/inspect-url.ts";
export { readElicitations } from "./read-messages.ts";
export { isOpen } from "./ended.ts";
