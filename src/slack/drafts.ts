import type { Clock } from "../clock/clock.ts";

/** What people have typed into open modals, so that a modal closed by mistake opens again with it. */
export interface TypedDrafts {
  keep(elicitationId: string, values: unknown): void;
  get(elicitationId: string): unknown;
  forget(elicitationId: string): void;
}

const KEPT_MS = 60 * 60_000;
const MOST = 1000;

/** Keeps typed values for an hour, for the newest 1,000 forms, and only in memory. */
export function createTypedDrafts(clock: Clock): TypedDrafts {
  const kept = new Map<string, { readonly values: unknown; readonly until: number }>();
  return {
    keep(elicitationId, values) {
      kept.delete(elicitationId);
      kept.set(elicitationId, { values, until: clock.now() + KEPT_MS });
      for (const [id, { until }] of kept) {
        if (kept.size <= MOST && clock.now() < until) break;
        kept.delete(id);
      }
    },
    get(elicitationId) {
      const found = kept.get(elicitationId);
      return found !== undefined && clock.now() < found.until ? found.values : undefined;
    },
    forget: (elicitationId) => void kept.delete(elicitationId),
  };
}
