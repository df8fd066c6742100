import type { Clock } from "../../../base/clock.ts";

/** A map that forgets values `keepMs` after they were set. */
export interface ExpiringMap<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

export function createExpiringMap<T>(clock: Clock, keepMs: number): ExpiringMap<T> {
  const entries = new Map<string, { value: T; until: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      return entry !== undefined && clock.now() < entry.until ? entry.value : undefined;
    },
    set(key, value) {
      for (const [other, { until }] of entries) {
        // Iterates from the oldest value: a value that is set again moves to the end.
        if (until > clock.now()) break;
        entries.delete(other);
      }
      entries.delete(key);
      entries.set(key, { value, until: clock.now() + keepMs });
    },
  };
}
