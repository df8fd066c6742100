import type { ElicitationRequest } from "../../contract/contract.ts";
import type { ElicitationRecord, ElicitationRecords, Settlement, Waiter } from "../ports/index.ts";
import { type EventBus, createEventBus } from "../../base/event-bus.ts";
import { type ResolvedRequest, currentRequest, isEnded, isResolved } from "./record.ts";
import type { Observer } from "./features/telemetry.ts";

/** An event of a turn's requests. Never contains the content of an answer. */
export type RequestEvent =
  /** A request is open. Published again at every progress. */
  | { readonly type: "elicitation-needed"; readonly request: ElicitationRequest }
  | { readonly type: "elicitation-resolved"; readonly request: ResolvedRequest };

/** Publishes changes of records to listeners and waiting turns. */
export interface RecordNotifier {
  /** Publishes a new request in this process, which shows it. */
  announce(record: ElicitationRecord): void;
  /** Shows a request again that an earlier run of its turn has announced. */
  show(record: ElicitationRecord): void;
  /** Publishes a change of an open record in this process, and nudges the process that shows the request. */
  announceProgress(record: ElicitationRecord): Promise<void>;
  /** Publishes the outcome in this process, and settles the waits for it in every process. */
  announceEnd(record: ElicitationRecord, settlement: Settlement): Promise<void>;
  /** Settles waits that are still open for a request whose record has ended. The first settlement counts. */
  settle(record: ElicitationRecord, settlement: Settlement): Promise<void>;
  /**
   * Publishes the changes of a record that other processes make. Call it in the process that shows the request and waits
   * for it. `onChange` gets every change of the record, from any process.
   */
  follow(record: ElicitationRecord, onChange?: (record: ElicitationRecord) => void): Following;
  /** Subscribes to the requests of a turn. Returns a function that ends the subscription. */
  subscribe: EventBus<RequestEvent>["subscribe"];
}

export interface Following {
  /** The record after the last change that this process has learned of. */
  latest(): ElicitationRecord;
  /** Publishes a change that another process has made, such as the outcome. */
  catchUp(): Promise<void>;
  /**
   * Call it when this process has released the turn. Runs the turn again if the record changed just before the release,
   * because that change was not shown and its `wake` found the turn still here.
   */
  leave(): Promise<void>;
  stop(): void;
}

export function createRecordNotifier(options: {
  records: Pick<ElicitationRecords, "get">;
  waiter: Pick<Waiter, "settle" | "nudge" | "onNudge">;
  observer: Pick<Observer, "changed"> | undefined;
  /** Runs a turn again that no process runs, because one of its requests has changed. */
  wake: (turnId: string) => Promise<unknown>;
  /** Called with errors of listeners, and with failures to notify another process. */
  onError: (error: unknown) => void;
}): RecordNotifier {
  const { records, waiter, observer, wake, onError } = options;
  /** Changes of records, by turn. */
  const changes = createEventBus<ElicitationRecord>();

  function tell(record: ElicitationRecord): void {
    try {
      changes.publish(record.turnId, record);
    } catch (error) {
      onError(error);
    }
  }

  function announce(record: ElicitationRecord): void {
    tell(record);
    observer?.changed(record);
  }

  async function settle(record: ElicitationRecord, settlement: Settlement): Promise<void> {
    // Both start in parallel: if the turn wakes first, it waits for the settlement.
    const settled = waiter.settle(record.request.elicitationId, settlement);
    // Not awaited, because the user who answers must not wait for the turn or get its errors.
    wake(record.turnId).catch(onError);
    await settled;
  }

  return {
    announce,
    show: tell,
    async announceProgress(record) {
      announce(record);
      // A failed nudge loses nothing: the change is stored, and the next read of the record finds it.
      await waiter.nudge(record.request.elicitationId).catch(onError);
      wake(record.turnId).catch(onError);
    },
    async announceEnd(record, settlement) {
      announce(record);
      await settle(record, settlement);
    },
    settle,
    follow(record, onChange) {
      const { turnId, request } = record;
      const { elicitationId } = request;
      // The process that ended the request may have crashed before it published the outcome, so publish it again.
      let revision = isEnded(record) ? -1 : record.revision;
      let isEndTold = false;
      let last = record;
      const endChanges = changes.subscribe(turnId, (changed) => {
        if (changed.request.elicitationId !== elicitationId) return;
        ({ revision } = changed);
        last = changed;
        isEndTold = isEnded(changed);
        onChange?.(changed);
      });

      async function catchUp(): Promise<void> {
        if (isEndTold) return;
        const latest = await records.get(elicitationId);
        // Not reported to the observer, because the process that made the change has done that.
        if (latest !== undefined && latest.revision > revision) tell(latest);
      }
      const endNudges = waiter.onNudge(elicitationId, () => void catchUp().catch(onError));
      return {
        catchUp,
        latest: () => last,
        async leave() {
          const latest = await records.get(elicitationId);
          if (latest !== undefined && latest.revision > revision) await wake(turnId);
        },
        stop() {
          endNudges();
          endChanges();
        },
      };
    },
    subscribe: (turnId, listener) =>
      changes.subscribe(turnId, (record) => listener(toEvent(currentRequest(record)))),
  };
}

function toEvent(request: ElicitationRequest): RequestEvent {
  return isResolved(request)
    ? { type: "elicitation-resolved", request }
    : { type: "elicitation-needed", request };
}
