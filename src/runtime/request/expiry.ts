import type { ElicitationRecord, ElicitationRecords, Settlement } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { isEnded, outcomeOf } from "./record.ts";
import type { RecordNotifier } from "./record-notifier.ts";
import type { RecordWriter } from "./record-writer.ts";

/**
 * How long a settlement may take from the record to the waiting turn. Storing a connection is part of that time, so it
 * is twice the pauses between its tries.
 */
export const SETTLING_MS = 30_000;

/**
 * How often to check whether a URL request has ended. Its page stores the connection before it settles the wait, and its
 * process may die in between. All other settlements are stored together with the end of the record.
 */
const LOOK_EVERY_MS = 60_000;

const EXPIRED: Settlement = { outcome: "expired" };

/** Only the process that took an answer has its content, because the record does not contain it. */
const LOST: Settlement = { outcome: "failed", reason: "the answer was lost; the user may be asked again" };

/**
 * Ends a request when it expires, and ends the wait for it even if the process that settled it crashed. Returns a
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

  return function watch(record) {
    let isOver = false;
    let cancel: (() => void) | undefined;

    function later(inMs: number, run: () => Promise<void>): void {
      if (!isOver) cancel = clock.after(inMs, () => void run());
    }

    async function act(known: ElicitationRecord, isOverdue: boolean): Promise<void> {
      try {
        if (!(await writer.end(known, EXPIRED))) {
          const latest = await records.get(record.request.elicitationId);
          // The user has got more time.
          if (latest !== undefined && latest.expiresAt > known.expiresAt && !isEnded(latest)) {
            return watchFrom(latest);
          }
          const settlement = settlementFor(latest, isOverdue);
          if (settlement !== undefined && !isOver) await notifier.settle(record, settlement);
        }
      } catch (error) {
        options.onError(error);
      }
      later(SETTLING_MS, () => act(known, true));
    }

    async function lookForEnd(known: ElicitationRecord): Promise<void> {
      // If the records cannot be read now, a later check reads them.
      const latest = (await records.get(record.request.elicitationId).catch(() => undefined)) ?? known;
      if (clock.now() >= latest.expiresAt) await act(latest, false);
      else watchFrom(latest);
    }

    function watchFrom(latest: ElicitationRecord): void {
      const leftMs = Math.max(0, latest.expiresAt - clock.now());
      // This also applies when a turn runs again, because its request may have ended long ago.
      if (isEnded(latest)) later(SETTLING_MS, () => act(latest, true));
      else if (record.request.mode === "url" && leftMs > LOOK_EVERY_MS) {
        later(LOOK_EVERY_MS, () => lookForEnd(latest));
      } else later(leftMs, () => act(latest, false));
    }

    watchFrom(record);
    return () => {
      isOver = true;
      cancel?.();
    };
  };
}

/** The settlement for a wait that is over. `undefined`: the request is open, or another call is ending it. */
function settlementFor(latest: ElicitationRecord | undefined, isOverdue: boolean): Settlement | undefined {
  // The record was deleted before its timer fired, for example after a clock jump, so nothing else can end the wait.
  if (latest === undefined) return EXPIRED;
  if (!isOverdue) return undefined;
  const outcome = outcomeOf(latest);
  if (outcome === "accepted" && latest.request.mode === "form") return LOST;
  return outcome && { outcome, reason: latest.reason };
}
