import type { Clock } from "./clock.ts";
import type { Sender } from "./identity.ts";

const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

/** Counts `count` uses of a key (default 1). If they are not allowed, returns the seconds to wait, for `Retry-After`. */
export type RateLimit = (key: string, count?: number) => Allowed;

/** Whether an action is allowed now. `retryAfter`: seconds to wait. */
export type Allowed = { ok: true } | { ok: false; retryAfter: number };

/** Limits the uses of each key per minute, in this process. */
export function createRateLimit(options: { clock: Clock; perMinute: number }): RateLimit {
  const windows = new Map<string, { start: number; used: number }>();

  return (key, count = 1) => {
    const now = options.clock.now();
    const open = windows.get(key);
    // The value is negative after the clock was set back. Start a new window, because the age of the old one is unknown.
    const age = open === undefined ? WINDOW_MS : now - open.start;
    const live = open !== undefined && age >= 0 && age < WINDOW_MS ? open : { start: now, used: 0 };
    // Delete and set again: the map is then ordered by last use, and the least recently used key can be evicted.
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

/** Counts writes of a sender per minute. If they are not allowed, returns the seconds to wait. */
export type WriteLimit = (sender: string, count: number, perMinute: number) => Allowed | Promise<Allowed>;

/** Counts writes of a sender. A sender without a user and a key is not limited. */
export type CountWrites = (sender: Sender, count: number) => Allowed | Promise<Allowed>;

export function createWriteCount(options: {
  clock: Clock;
  perMinute: number;
  writeLimit: WriteLimit | undefined;
  /** Called when a limit is reached. */
  onLimit: () => void;
}): CountWrites {
  const { perMinute, writeLimit, onLimit } = options;
  // Two limits, so that many unknown addresses do not evict users.
  const limits = { user: createRateLimit(options), anonymous: createRateLimit(options) };
  return async ({ user, key }, count) => {
    if (user === undefined && key === undefined) return { ok: true };
    const [kind, id] =
      user === undefined ? (["anonymous", key ?? ""] as const) : (["user", user.id] as const);
    const allowed = await (writeLimit?.(`${kind} ${id}`, count, perMinute) ?? limits[kind](id, count));
    if (!allowed.ok) onLimit();
    return allowed;
  };
}
