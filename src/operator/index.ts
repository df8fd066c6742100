/** `elicit-kit/runtime/operator`: a page for those who run it. Who waits for what, where, and since when. */
export { type OperatorPageOptions, createOperatorPage } from "./operator-page.ts";
