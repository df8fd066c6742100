import type { ElicitationRequest } from "../../../protocol/contract.ts";
import { type ResolvedRequest, isResolved } from "./stream-helper.ts";

/**
 * Carries events inside one process, by the id of the stream they belong to: whoever runs below a stream publishes, the
 * route that owns the stream writes. Nothing is kept: an event for a stream that nobody owns is gone.
 */
export class InProcessEventBus<Event> {
  readonly #listeners = new Map<string, Set<(event: Event) => void>>();

  /** Returns what ends the subscription. */
  subscribe(streamRequestId: string, listener: (event: Event) => void): () => void {
    const listeners = this.#listeners.get(streamRequestId) ?? new Set();
    this.#listeners.set(streamRequestId, listeners);
    // One of its own for every subscription: the same function may listen twice.
    const own = (event: Event) => listener(event);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(streamRequestId) === listeners) {
        this.#listeners.delete(streamRequestId);
      }
    };
  }

  /** Calls every listener before it returns. What listeners throw comes back as one AggregateError, after the last. */
  publish(streamRequestId: string, event: Event): void {
    const errors: unknown[] = [];
    for (const listener of this.#listeners.get(streamRequestId) ?? []) {
      try {
        listener(event);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0)
      throw new AggregateError(errors, "elicit-kit: a listener of the event bus has thrown.");
  }

  /** How many streams somebody listens to. */
  get size(): number {
    return this.#listeners.size;
  }
}

/** What happens to the requests of a stream. An answer's content is never on the bus. */
export type ElicitationBusEvent =
  /** A request is open; published again with every progress. */
  | { readonly type: "elicitation-needed"; readonly request: ElicitationRequest }
  | { readonly type: "elicitation-resolved"; readonly request: ResolvedRequest };

export function toBusEvent(request: ElicitationRequest): ElicitationBusEvent {
  return isResolved(request)
    ? { type: "elicitation-resolved", request }
    : { type: "elicitation-needed", request };
}

/** Permission for a tool call: may it run? Apart from elicitation, which asks for what only the person has. */
export type ToolApprovalBusEvent =
  | {
      readonly type: "approval-needed";
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
    }
  | {
      readonly type: "approval-resolved";
      readonly toolCallId: string;
      readonly approved: boolean;
      readonly reason?: string | undefined;
    };

/** Requests by `streamRequestId`, which is the id of the turn whose stream the person reads ({@link Turn.streamRequestId}). */
export const elicitationBus = new InProcessEventBus<ElicitationBusEvent>();

/** Permissions by `streamRequestId`. The route writes them; deciding them is the application's. */
export const toolApprovalBus = new InProcessEventBus<ToolApprovalBusEvent>();
