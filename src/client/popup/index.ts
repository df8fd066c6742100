export type { PopupEnvironment, PopupMessage, PopupWindow } from "./environment.ts";
export { createPopup, type OpenUrl, type Popup } from "./popup.ts";
