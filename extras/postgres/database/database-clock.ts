import { type Clock, systemClock } from "../../../src/base/clock.ts";
import type { Database } from "./database.ts";
import type { Notifications } from "./notifications.ts";

/** Smaller differences may be errors of the measurement. */
const TOLERANCE_MS = 50;

/**
 * The time of the database, so that processes with wrong clocks agree on when a request expires. Between measurements it
 * uses the monotonic clock of this process, which does not jump when the system clock is changed.
 */
export async function createDatabaseClock(
  database: Database,
  notifications: Pick<Notifications, "onSweep">,
): Promise<Clock> {
  let offset = Number.NaN;

  async function measure(): Promise<void> {
    const before = performance.now();
    const [row] = await database.query(
      "select floor(extract(epoch from clock_timestamp()) * 1000)::double precision as now",
    );
    const after = performance.now();
    if (row === undefined) return;
    const measured = row.number("now") - (before + after) / 2;
    const error = (after - before) / 2 + TOLERANCE_MS;
    // The first measurement replaces NaN.
    if (!(Math.abs(measured - offset) <= error)) offset = measured;
  }

  await measure();
  notifications.onSweep(measure);
  return { now: () => Math.floor(performance.now() + offset), after: systemClock.after };
}
