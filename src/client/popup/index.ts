export type { PopupEnvironment, PopupWindow } from "./environment.ts";
export { createPopup, type OpenUrl, type Popup } from "./popup.ts";
