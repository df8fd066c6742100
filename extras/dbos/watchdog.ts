import type { Clock } from "../../src/base/clock.ts";

/** Ends a process whose engine hangs, so that others continue with its turns. */
export interface Watchdog {
  /** Call it when the engine begins to read or write. Call the returned function when that ends. */
  begin(): () => void;
}

/** How often the database must have replied while the engine did not reply. */
const LOOKS = 5;

interface Pending {
  replies: number;
}

/** Calls `end` when something takes longer than `limitMs` although `reach` succeeds all that time. */
export function createWatchdog({
  limitMs,
  reach,
  end,
  clock,
}: {
  limitMs: number | false;
  /** Queries the database without the engine. The process must not end because of an outage of the database. */
  reach: () => Promise<unknown>;
  end: () => void;
  clock: Clock;
}): Watchdog {
  const pending = new Set<Pending>();
  let isLooking = false;

  function schedule(): void {
    if (limitMs === false || isLooking || pending.size === 0) return;
    isLooking = true;
    clock.after(limitMs / LOOKS, () => void look());
  }

  async function look(): Promise<void> {
    const before = [...pending];
    const isReached =
      before.length > 0 &&
      (await reach().then(
        () => true,
        () => false,
      ));
    for (const one of before) one.replies = isReached ? one.replies + 1 : 0;
    isLooking = false;
    if (before.some((one) => pending.has(one) && one.replies > LOOKS)) end();
    else schedule();
  }

  return {
    begin() {
      const one: Pending = { replies: 0 };
      pending.add(one);
      schedule();
      return () => void pending.delete(one);
    },
  };
}
