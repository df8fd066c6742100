import type { Clock, ElicitationRecord, ElicitationRecords, Settlement } from "../ports.ts";
import { outcomeOf } from "./record.ts";
import type { RecordNotifier } from "./record-notifier.ts";
import type { RecordWriter } from "./record-writer.ts";

/** How long a settlement may take from the record to who waits, with a connection to be stored on its way. */
const SETTLING_MS = 10_000;

const EXPIRED: Settlement = { outcome: "expired" };

/** Only the process that took an answer knows its content: the record does not keep it. */
const LOST: Settlement = { outcome: "failed", reason: "the answer was lost; the user may be asked again" };

/**
 * Ends a request when its time is up, and ends the wait for it even if the process that settled it crashed. Returns a
 * function that cancels.
 */
export type WatchExpiry = (record: ElicitationRecord) => () => void;

export function createExpiry(options: {
  writer: Pick<RecordWriter, "end">;
  records: Pick<ElicitationRecords, "get">;
  notifier: Pick<RecordNotifier, "settle">;
  clock: Clock;
  onError: (error: unknown) => void;
}): WatchExpiry {
  const { writer, records, notifier, clock } = options;

  /** How the wait ends when its time is up. `undefined`: it has ended, or is about to. */
  async function expire(record: ElicitationRecord, isOverdue: boolean): Promise<Settlement | undefined> {
    if (await writer.end(record, EXPIRED)) return undefined;
    const latest = await records.get(record.request.elicitationId);
    // Swept away before its timer ran, as after a jump of the clock: nobody else can end the wait any more.
    if (latest === undefined) return EXPIRED;
    if (!isOverdue) return undefined;
    const outcome = outcomeOf(latest);
    if (outcome === "accepted" && record.request.mode === "form") return LOST;
    return outcome && { outcome, reason: latest.reason };
  }

  return function watch(record) {
    let isOver = false;
    let callOff: (() => void) | undefined;

    function look(inMs: number, isOverdue: boolean): void {
      callOff = clock.after(inMs, () => void act(isOverdue));
    }

    async function act(isOverdue: boolean): Promise<void> {
      try {
        const settlement = await expire(record, isOverdue);
        if (settlement !== undefined && !isOver)
          await notifier.settle(record.request.elicitationId, settlement);
      } catch (error) {
        options.onError(error);
      }
      if (!isOver) look(SETTLING_MS, true);
    }

    // Of a turn that runs again the request may have ended long ago.
    const hasEnded = outcomeOf(record) !== undefined;
    look(hasEnded ? SETTLING_MS : record.expiresAt - clock.now(), hasEnded);
    return () => {
      isOver = true;
      callOff?.();
    };
  };
}
