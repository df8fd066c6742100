import { systemClock } from "../../../src/base/clock.ts";
import { sleep } from "../../../src/base/deadlines.ts";
import type { Notifications } from "../database/notifications.ts";
import type { createRunRows } from "./run-rows.ts";

/**
 * A process whose connection was lost has its lock again after this time and the time for two connections, which a busy
 * machine opens slowly.
 */
const GRACE_MS = 250;
/** A look that is this late means that the machine is busy. */
const BUSY_MS = 100;
/** After so many looks, the sweeps are about to claim the turn. */
const MOST_LOOKS = 8;
/** When this process has just connected anew, others may not have done so yet. */
const YOUNG_MS = 10_000;

/**
 * Makes the function that finds out whether the process that has a turn is dead, and not only without its connection. It
 * takes at least `GRACE_MS`.
 */
export function createDeathCheck(
  rows: Pick<ReturnType<typeof createRunRows>, "isOfDead">,
  notifications: Pick<Notifications, "onReconnect" | "openedInMs">,
): (key: string, process: string) => Promise<boolean> {
  let reconnectedAt = Number.NEGATIVE_INFINITY;
  notifications.onReconnect(() => {
    reconnectedAt = performance.now();
  });
  return async (key, process) => {
    for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
      const graceMs = GRACE_MS + 2 * notifications.openedInMs();
      const due = performance.now() + graceMs;
      await sleep(systemClock, graceMs);
      if (performance.now() - reconnectedAt < YOUNG_MS) return false;
      if (!(await rows.isOfDead(key, process))) return false;
      // On a busy machine, timers and replies are late, and so is the new connection of a process that lives.
      if (performance.now() - due <= BUSY_MS) return true;
    }
    return false;
  };
}
