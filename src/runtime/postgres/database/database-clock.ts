import { type Clock, systemClock } from "../../core/index.ts";
import type { Database } from "./database.ts";
import type { Notifications } from "./notifications.ts";

/** Smaller differences may be errors of the measurement. */
const TOLERANCE_MS = 50;

/**
 * The time of the database, so that processes with wrong clocks agree on when a request expires. Between measurements it
 * follows the clock of this machine.
 */
export async function createDatabaseClock(
  database: Database,
  notifications: Pick<Notifications, "onSweep">,
  local: Clock = systemClock,
): Promise<Clock> {
  let offset = 0;

  async function measure(): Promise<void> {
    const before = local.now();
    const [row] = await database.query(
      "select floor(extract(epoch from clock_timestamp()) * 1000)::double precision as now",
    );
    const after = local.now();
    if (row === undefined) return;
    const measured = row.number("now") - (before + after) / 2;
    const error = (after - before) / 2 + TOLERANCE_MS;
    if (Math.abs(measured - offset) > error) offset = Math.round(measured);
  }

  await measure();
  notifications.onSweep(measure);
  return { now: () => local.now() + offset, after: (ms, callback) => local.after(ms, callback) };
}
