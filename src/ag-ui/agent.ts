import type { AgUiInterrupt, AgUiResumeEntry } from "./translate.ts";

/** Parameters of a run that the channel starts. */
export interface AgUiRunParameters {
  resume?: AgUiResumeEntry[];
  forwardedProps?: Record<string, unknown>;
}

/** What the channel needs of an agent. Every `AbstractAgent` of `@ag-ui/client` has it, in 1.0 and in 0.0.59. */
export interface AgUiAgent {
  readonly threadId: string;
  pendingInterrupts: AgUiInterrupt[];
  subscribe(subscriber: {
    onEvent(params: { event: object }): void;
    onRunFailed(params: { error: Error }): void;
    onRunFinalized(): void;
  }): { unsubscribe(): void };
  runAgent(parameters: AgUiRunParameters): Promise<unknown>;
}
