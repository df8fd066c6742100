import type { ElicitationRequest } from "../../../protocol/contract.ts";
import type { ElicitationRecord, ElicitationRecords, Settlement, Waiter } from "../ports.ts";
import { type EventBus, createEventBus } from "../shared/event-bus.ts";
import { type ResolvedRequest, currentRequest, isEnded, isResolved } from "./record.ts";
import type { Observer } from "./telemetry.ts";

/** What happens to the requests of a turn. An answer's content is never part of it. */
export type RequestEvent =
  /** A request is open; told again with every progress. */
  | { readonly type: "elicitation-needed"; readonly request: ElicitationRequest }
  | { readonly type: "elicitation-resolved"; readonly request: ResolvedRequest };

/** Tells everybody concerned that a record has changed. */
export interface RecordNotifier {
  /** Tells this process: who follows the turn, and telemetry. */
  announce(record: ElicitationRecord): void;
  /** Tells this process of the end, and wakes who waits for it in any process. */
  announceEnd(record: ElicitationRecord, settlement: Settlement): Promise<void>;
  /** Wakes who still waits for a request whose record has ended. Of several settlements the first counts. */
  settle(elicitationId: string, settlement: Settlement): Promise<void>;
  /** For who waits for a request in this process, which owns its stream. */
  follow(elicitationId: string): Following;
  /** Returns a function that ends the subscription. */
  subscribe: EventBus<RequestEvent>["subscribe"];
}

export interface Following {
  /** After the end: announces it when another process has ended the request, which cannot reach this one's stream. */
  catchUp(): Promise<void>;
  stop(): void;
}

export function createRecordNotifier(options: {
  records: Pick<ElicitationRecords, "get">;
  waiter: Pick<Waiter, "settle">;
  observer: Pick<Observer, "changed">;
  /** Gets what a listener throws. */
  onError: (error: unknown) => void;
}): RecordNotifier {
  const { records, waiter, observer, onError } = options;
  const bus = createEventBus<RequestEvent>();
  /** Requests that this process waits for and has not told the end of. */
  const untold = new Set<string>();

  function publish(record: ElicitationRecord): void {
    try {
      bus.publish(record.turnId, toEvent(currentRequest(record)));
    } catch (error) {
      onError(error);
    }
  }

  function announce(record: ElicitationRecord): void {
    if (isEnded(record)) untold.delete(record.request.elicitationId);
    publish(record);
    observer.changed(record);
  }

  return {
    announce,
    async announceEnd(record, settlement) {
      announce(record);
      await waiter.settle(record.request.elicitationId, settlement);
    },
    settle: (elicitationId, settlement) => waiter.settle(elicitationId, settlement),
    follow(elicitationId) {
      untold.add(elicitationId);
      return {
        stop: () => void untold.delete(elicitationId),
        async catchUp() {
          if (!untold.delete(elicitationId)) return;
          const record = await records.get(elicitationId);
          // Counted and logged by the process that has ended it.
          if (record !== undefined && isEnded(record)) publish(record);
        },
      };
    },
    subscribe: bus.subscribe,
  };
}

function toEvent(request: ElicitationRequest): RequestEvent {
  return isResolved(request)
    ? { type: "elicitation-resolved", request }
    : { type: "elicitation-needed", request };
}
