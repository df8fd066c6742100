import { isObject } from "../../../src/contract/json.ts";
import type { PendingInterrupts } from "./interrupt-store.ts";
import { readLegacyInterrupts } from "../wire/legacy.ts";
import { type AgUiInterrupt, readResolved, type AgUiResumeEntry } from "../wire/translate.ts";
import { withUniqueIds } from "./asked-again.ts";
import type { ElicitationOutcome } from "../../../src/contract/contract.ts";

/** The events of a thread's runs. */
export interface RunListener {
  /** The run continues with text or tools, so the agent has taken the answers that were sent with it. */
  onProgress(): void;
  /** The page of a question is complete, and the run continues. */
  onResolved(question: { readonly key: string; readonly outcome: ElicitationOutcome }): void;
  /** The run has ended with these interrupts. */
  onFinished(pending: PendingInterrupts): void;
  /** The run has failed, or its stream has ended early. `hasStarted`: whether the agent had begun to run. */
  onFailed(failure: { error: unknown; hasStarted: boolean }): void;
}

/** A `CUSTOM` event. LangGraph's adapter puts the interrupt into `rawEvent`. */
interface LegacyEvent {
  readonly value: unknown;
  readonly rawEvent: unknown;
}

/**
 * Follows the events of an agent's runs, in each version of AG-UI, including runs that other code starts. Ignores other
 * threads.
 */
export function watchRuns(agent: AgUiAgent, threadId: string, listener: RunListener): void {
  let hasStarted = false;
  let isOver = true;
  let legacy: LegacyEvent[] = [];
  let runId = "";

  function fail(error: unknown): void {
    if (isOver) return;
    isOver = true;
    listener.onFailed({ error, hasStarted });
  }

  function readCustom(name: unknown, { value, rawEvent }: LegacyEvent): void {
    if (name === "on_interrupt") legacy.push({ value, rawEvent });
    const resolved = readResolved(name, value);
    if (resolved !== undefined) listener.onResolved(resolved);
  }

  agent.subscribe({
    onEvent({ event }) {
      const {
        type,
        threadId: other,
        runId: id,
        rawEvent,
        name,
        value,
        message,
        outcome,
      } = { ...event } as Partial<Record<string, unknown>>;
      if (typeof other === "string" && other !== threadId) return;
      switch (type) {
        case "RUN_STARTED":
          hasStarted = true;
          isOver = false;
          legacy = [];
          runId = typeof id === "string" ? id : "";
          return;
        case "CUSTOM":
          return readCustom(name, { value, rawEvent });
        case "RUN_FINISHED":
          isOver = true;
          return listener.onFinished(pendingOf(outcome, readLegacyInterrupts(legacy, runId)));
        case "RUN_ERROR":
          return fail(new Error(String(message)));
        case "TEXT_MESSAGE_START":
        case "TOOL_CALL_START":
          return listener.onProgress();
      }
    },
    onRunFailed: ({ error }) => {
      isOver = false;
      fail(error);
      hasStarted = false;
    },
    onRunFinalized() {
      fail(new Error("The stream of the run has ended early."));
      hasStarted = false;
    },
  });
}

/** The standard style takes precedence if an agent reports both. */
function pendingOf(outcome: unknown, legacy: readonly AgUiInterrupt[]): PendingInterrupts {
  const { type, interrupts } = isObject(outcome) ? outcome : {};
  if (type === "interrupt" && Array.isArray(interrupts))
    return { interrupts: withUniqueIds(interrupts.filter(isInterrupt)), isLegacy: false };
  return { interrupts: legacy, isLegacy: legacy.length > 0, isCancelled: type === "cancelled" };
}

/** The other members of an interrupt are untrusted. */
function isInterrupt(value: unknown): value is AgUiInterrupt {
  return isObject(value) && typeof value["id"] === "string" && typeof value["reason"] === "string";
}

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
