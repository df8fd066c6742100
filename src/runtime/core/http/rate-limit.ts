import type { Clock } from "../ports.ts";

const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

/** Counts `count` uses of a key (default 1). If they are not allowed, returns the seconds to wait, for `Retry-After`. */
export type RateLimit = (key: string, count?: number) => Allowed;

export type Allowed = { ok: true } | { ok: false; retryAfter: number };

/** Limits the uses of each key per minute, in this process. */
export function createRateLimit(options: { clock: Clock; perMinute: number }): RateLimit {
  const windows = new Map<string, { start: number; used: number }>();

  return (key, count = 1) => {
    const now = options.clock.now();
    const open = windows.get(key);
    // Negative after the clock was set back: start a new window, because the age of the old one is unknown.
    const age = open === undefined ? WINDOW_MS : now - open.start;
    const live = open !== undefined && age >= 0 && age < WINDOW_MS ? open : { start: now, used: 0 };
    // Delete and set again, so that the map is in order of last use and the least recently used key is evicted.
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
