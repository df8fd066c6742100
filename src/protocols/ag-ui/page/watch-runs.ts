import { isObject } from "../../../contract/json.ts";
import type { AgUiAgent } from "./agent.ts";
import type { PendingInterrupts } from "./interrupt-store.ts";
import { type AgUiInterrupt, interruptOfLegacy, readResolved } from "../wire/translate.ts";
import type { ElicitationOutcome } from "../../../contract/contract.ts";

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

/**
 * Follows the events of an agent's runs, in each version of AG-UI, including runs that other code starts. Ignores other
 * threads.
 */
export function watchRuns(agent: AgUiAgent, threadId: string, listener: RunListener): void {
  let hasStarted = false;
  let isOver = true;
  let legacy: unknown[] = [];

  function fail(error: unknown): void {
    if (isOver) return;
    isOver = true;
    listener.onFailed({ error, hasStarted });
  }

  function readCustom(name: unknown, value: unknown): void {
    if (name === "on_interrupt") legacy.push(value);
    const resolved = readResolved(name, value);
    if (resolved !== undefined) listener.onResolved(resolved);
  }

  agent.subscribe({
    onEvent({ event }) {
      const {
        type,
        threadId: other,
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
          return;
        case "CUSTOM":
          return readCustom(name, value);
        case "RUN_FINISHED":
          isOver = true;
          return listener.onFinished(pendingOf(outcome, legacy));
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
function pendingOf(outcome: unknown, legacy: readonly unknown[]): PendingInterrupts {
  const { type, interrupts } = isObject(outcome) ? outcome : {};
  if (type === "interrupt" && Array.isArray(interrupts))
    return { interrupts: interrupts.filter(isInterrupt), isLegacy: false };
  const older = legacy.map((value, index) => interruptOfLegacy(value, `on_interrupt-${index}`));
  return { interrupts: older, isLegacy: older.length > 0, isCancelled: type === "cancelled" };
}

/** The other members of an interrupt are untrusted. */
function isInterrupt(value: unknown): value is AgUiInterrupt {
  return isObject(value) && typeof value["id"] === "string" && typeof value["reason"] === "string";
}
