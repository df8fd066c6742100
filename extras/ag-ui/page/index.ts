/** `elicit-kit/ag-ui`: a page that runs an AG-UI agent shows its interrupts as requests. */
export { type AgUiChannel, createAgUiChannel } from "./channel.ts";
