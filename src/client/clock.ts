import { type Clock, createSystemClock } from "../base/clock.ts";

export type { Clock };

/** The clock of this machine. Its timers keep a Node process alive, because a script waits for them. */
export const systemClock: Clock = createSystemClock();
