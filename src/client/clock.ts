import { type Clock, createSystemClock } from "../clock/clock.ts";

export type { Clock };

/** The time of the machine, by `Date` and `setTimeout`. */
export const systemClock: Clock = createSystemClock();
