import { isObject } from "../contract/json.ts";
import type { Clock } from "./clock.ts";
import type { ArrivingRequest, ElicitationSnapshot } from "./elicitation.ts";

/** The requests that a client has received before the code that answers them was there. */
export interface Arriving {
  /** Notes a request, or the data of a message part that may be one. */
  add(conversationId: string, request: unknown): void;
  /** Whether a request waits for the user. */
  openOf(id: string): ArrivingRequest | undefined;
  setOpen(id: string, isOpen: boolean): void;
  isEmpty(): boolean;
  snapshot(hasFailed: boolean): ElicitationSnapshot;
  /** When the first request came. A framework may create a client where it refuses to read the clock. */
  startedAt(): number | undefined;
}

export function createArriving(clock: Clock): Arriving {
  const byId = new Map<string, ArrivingRequest>();
  let startedAt: number | undefined;
  return {
    add(conversationId, request) {
      startedAt ??= clock.now();
      const { elicitationId: id, mode, resolution } = isObject(request) ? request : {};
      if (typeof id !== "string") return;
      // An outcome is kept.
      const isOpen = resolution === undefined && byId.get(id)?.isOpen !== false;
      byId.set(id, { id, conversationId, mode: mode === "url" ? mode : "form", isOpen });
    },
    openOf(id) {
      const known = byId.get(id);
      return known?.isOpen === true ? known : undefined;
    },
    setOpen(id, isOpen) {
      const known = byId.get(id);
      if (known !== undefined) byId.set(id, { ...known, isOpen });
    },
    isEmpty: () => byId.size === 0,
    snapshot: (hasFailed) => ({ items: [], arriving: { requests: [...byId.values()], hasFailed } }),
    startedAt: () => startedAt,
  };
}
