export type { PopupBroadcast, PopupEnvironment, PopupMessage, PopupWindow } from "./environment.ts";
export { createPopup, type OpenRequest, type OpenUrl, type Popup, type PopupOptions } from "./popup.ts";
export type { CompletionHint, WatchRequest } from "./watch.ts";
