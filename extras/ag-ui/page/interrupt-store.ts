import { isObject } from "../../../src/contract/json.ts";
import type { AgUiInterrupt } from "../wire/translate.ts";

/** The interrupts that ended the last run of a thread. */
export interface PendingInterrupts {
  readonly interrupts: readonly AgUiInterrupt[];
  /** Whether they arrived as LangGraph's `on_interrupt`. They are answered in that style. */
  readonly isLegacy: boolean;
  /** Whether their run was stopped, so that no answer is expected. */
  readonly isCancelled?: boolean | undefined;
}

/** Keeps the open interrupts of a thread across reloads. Never throws: if storage fails, they are lost. */
export interface InterruptStore {
  read(): PendingInterrupts | undefined;
  write(pending: PendingInterrupts): void;
}

/** The part of `sessionStorage` that the store uses. */
export type InterruptStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function createInterruptStore(
  given: InterruptStorage | null | undefined,
  threadId: string,
): InterruptStore {
  const key = `elicit-kit:ag-ui:${threadId}`;
  const storage = (): InterruptStorage | null => (given === undefined ? globalThis.sessionStorage : given);
  return {
    read() {
      try {
        const kept: unknown = JSON.parse(storage()?.getItem(key) ?? "null");
        return isPending(kept) ? kept : undefined;
      } catch {
        return undefined;
      }
    },
    write(pending) {
      try {
        if (pending.interrupts.length === 0) storage()?.removeItem(key);
        else storage()?.setItem(key, JSON.stringify(pending));
      } catch {
        // Storage is missing or full.
      }
    },
  };
}

function isPending(kept: unknown): kept is PendingInterrupts {
  return isObject(kept) && typeof kept["isLegacy"] === "boolean" && Array.isArray(kept["interrupts"]);
}
