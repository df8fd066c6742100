import type { Clock } from "../ports.ts";

const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

/** Says whether one more is allowed; if not, after how many seconds it may be (for `Retry-After`). */
export type RateLimit = (key: string, count?: number) => Allowed;

export type Allowed = { ok: true } | { ok: false; retryAfter: number };

/** Counts per key and minute, in this process. */
export function createRateLimit(options: { clock: Clock; perMinute: number }): RateLimit {
  const windows = new Map<string, { start: number; used: number }>();

  return (key, count = 1) => {
    const now = options.clock.now();
    const open = windows.get(key);
    // Below zero the machine's clock was set back: what was counted before is of no minute that is known.
    const age = open === undefined ? WINDOW_MS : now - open.start;
    const live = open !== undefined && age >= 0 && age < WINDOW_MS ? open : { start: now, used: 0 };
    // Deleted first so that the map is in the order of last use and the longest unused key makes room.
    windows.delete(key);
    if (windows.size >= MAX_KEYS) {
      for (const [oldest] of windows) {
        windows.delete(oldest);
        break;
      }
    }
    windows.set(key, live);
    if (live.used + count > options.perMinute) {
      return { ok: false, retryAfter: Math.ceil((live.start + WINDOW_MS - now) / 1000) };
    }
    live.used += count;
    return { ok: true };
  };
}
