import type { AgUiInterrupt, AgUiResumeEntry } from "../wire/translate.ts";

/** Parameters of a run that the channel starts. */
export interface AgUiRunParameters {
  resume?: AgUiResumeEntry[];
  forwardedProps?: Record<string, unknown>;
}

/** The part of an agent that the channel uses: every `AbstractAgent` of `@ag-ui/client` 1.0 or 0.0.59 has it. */
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
