import { keyOf } from "./keys.ts";
import type { Query } from "./database.ts";
import type { PlannedRun } from "../../../src/runtime/internal.ts";

/**
 * Turns that this process has accepted and not begun. Each gets a row in `runs`, as run 0, in the transaction that opens
 * it. If this process dies before it begins the turn, another process runs it.
 */
export interface TurnPlans {
  /** From now on, turns are run under this name by this version. Turns with other names are not planned. */
  register(name: string, version: string): void;
  /** Writes the row of a turn. Call `drop` if its transaction fails. */
  write(query: Query, turnId: string, run: PlannedRun): Promise<void>;
  /** Whether this process has not begun the turn yet. */
  has(key: string): boolean;
  drop(turnId: string): void;
}

/** `here`: the key of this process. */
export function createTurnPlans(here: string): TurnPlans {
  /** By name. */
  const versions = new Map<string, string>();
  const planned = new Set<string>();
  return {
    register: (name, version) => void versions.set(name, version),
    async write(query, turnId, { name, input }) {
      // The turn belongs to another runner, which does not need the row.
      const version = versions.get(name);
      if (version === undefined) return;
      const key = keyOf(turnId);
      planned.add(key);
      await query(
        `insert into SCHEMA.runs (turn_id, name, input, process, run, version) values ($1, $2, $3, $4, 0, $5)
         on conflict (turn_id) do nothing`,
        [key, name, JSON.stringify({ turnId, input }), here, version],
      );
    },
    has: (key) => planned.has(key),
    drop: (turnId) => void planned.delete(keyOf(turnId)),
  };
}
