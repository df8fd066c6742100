/**
 * `elicit-kit/runtime/operator`: a page for operators. It shows the open requests: who waits for each, where, and since
 * when.
 */
export { type OperatorPageOptions, createOperatorPage } from "./operator-page.ts";
