/** `elicit-kit/ag-ui`: a page that runs an AG-UI agent shows its interrupts as requests. */
export type { AgUiAgent, AgUiRunParameters } from "./agent.ts";
export { type AgUiChannel, type AgUiChannelOptions, createAgUiChannel } from "./channel.ts";
export type { InterruptStorage } from "./interrupt-store.ts";
export type { AgUiInterrupt, AgUiResumeEntry } from "../wire/translate.ts";
