export type { PopupEnvironment } from "./environment.ts";
export { createPopup, type OpenUrl, type Popup } from "./popup.ts";
