import { type Clock, createSystemClock } from "../clock/clock.ts";

export type { Clock };

/** The clock of the machine: `Date` and `setTimeout`. */
export const systemClock: Clock = createSystemClock();
