import { keyOf } from "./keys.ts";
import type { Query } from "./database.ts";
import type { PlannedRun } from "../../../runtime/index.ts";

/**
 * Turns that this process has accepted and not begun. Their rows in `runs` are written in the transaction that opens them, as
 * run 0: when this process dies before it begins one, another process runs it.
 */
export interface TurnPlans {
  /** From now on, turns are run under this name. Turns of other names are not planned. */
  register(name: string): void;
  /** Writes the row of a turn. Call `drop` if its transaction fails. */
  write(query: Query, turnId: string, run: PlannedRun): Promise<void>;
  /** Whether this process is still to begin the turn. */
  has(key: string): boolean;
  drop(turnId: string): void;
}

/** `here`: the key of this process. */
export function createTurnPlans(here: string): TurnPlans {
  const names = new Set<string>();
  const planned = new Set<string>();
  return {
    register: (name) => void names.add(name),
    async write(query, turnId, { name, input }) {
      // Another runner runs it, which does not need the row.
      if (!names.has(name)) return;
      const key = keyOf(turnId);
      planned.add(key);
      await query(
        `insert into SCHEMA.runs (turn_id, name, input, process, run) values ($1, $2, $3, $4, 0)
         on conflict (turn_id) do nothing`,
        [key, name, JSON.stringify({ turnId, input }), here],
      );
    },
    has: (key) => planned.has(key),
    drop: (turnId) => void planned.delete(keyOf(turnId)),
  };
}
