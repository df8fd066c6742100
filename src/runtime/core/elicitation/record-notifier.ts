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
  /** A new request: tells this process, which shows it. */
  announce(record: ElicitationRecord): void;
  /** A change of an open record: tells this process, and the one that shows the request. */
  announceProgress(record: ElicitationRecord): Promise<void>;
  /** The end: tells this process, and wakes who waits for it in any process. */
  announceEnd(record: ElicitationRecord, settlement: Settlement): Promise<void>;
  /** Wakes who still waits for a request whose record has ended. Of several settlements the first counts. */
  settle(elicitationId: string, settlement: Settlement): Promise<void>;
  /**
   * For who waits for a request in this process, which shows it: takes over what other processes change. `onChange` gets
   * every change of the record, wherever it was made.
   */
  follow(record: ElicitationRecord, onChange?: (record: ElicitationRecord) => void): Following;
  /** Follows the requests of a turn. Returns a function that ends the subscription. */
  subscribe: EventBus<RequestEvent>["subscribe"];
}

export interface Following {
  /** Announces what another process has changed, such as the end. */
  catchUp(): Promise<void>;
  stop(): void;
}

export function createRecordNotifier(options: {
  records: Pick<ElicitationRecords, "get">;
  waiter: Pick<Waiter, "settle" | "nudge" | "onNudge">;
  observer: Pick<Observer, "changed">;
  /** Gets what a listener throws, and why another process could not be told. */
  onError: (error: unknown) => void;
}): RecordNotifier {
  const { records, waiter, observer, onError } = options;
  const bus = createEventBus<RequestEvent>();
  /** Changes of records, by request, for those who wait for its end. */
  const changes = createEventBus<ElicitationRecord>();

  function tell(record: ElicitationRecord): void {
    try {
      bus.publish(record.turnId, toEvent(currentRequest(record)));
    } catch (error) {
      onError(error);
    }
    try {
      changes.publish(record.request.elicitationId, record);
    } catch (error) {
      onError(error);
    }
  }

  function announce(record: ElicitationRecord): void {
    tell(record);
    observer.changed(record);
  }

  return {
    announce,
    async announceProgress(record) {
      announce(record);
      // The change is stored, and a look at the record finds it.
      await waiter.nudge(record.request.elicitationId).catch(onError);
    },
    async announceEnd(record, settlement) {
      announce(record);
      await waiter.settle(record.request.elicitationId, settlement);
    },
    settle: (elicitationId, settlement) => waiter.settle(elicitationId, settlement),
    follow(record, onChange) {
      const { elicitationId } = record.request;
      // The process that ended it may have died before it told the end, so that is told again.
      let revision = isEnded(record) ? -1 : record.revision;
      let isEndTold = false;
      const endChanges = changes.subscribe(elicitationId, (changed) => {
        ({ revision } = changed);
        isEndTold = isEnded(changed);
        onChange?.(changed);
      });

      async function catchUp(): Promise<void> {
        if (isEndTold) return;
        const latest = await records.get(elicitationId);
        // Counted and logged by the process that has changed it.
        if (latest !== undefined && latest.revision > revision) tell(latest);
      }
      const endNudges = waiter.onNudge(elicitationId, () => void catchUp().catch(onError));
      return {
        catchUp,
        stop() {
          endNudges();
          endChanges();
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
