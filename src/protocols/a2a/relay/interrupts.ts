import { A2aRelayError } from "./relay-error.ts";
import type { TaskView } from "../wire/task-view.ts";

/** The statuses of one call in which its task has waited for its client. */
export interface Interrupts {
  has(view: Pick<TaskView, "statusKey">): boolean;
  /** Throws an {@link A2aRelayError} when the agent has asked too often, or for too much. */
  add(view: Pick<TaskView, "statusKey">): void;
}

/** Times that an agent may ask in one call. */
const MAX_INTERRUPTS = 50;
/** Characters of all that it asks. They are kept until the call ends. */
const MAX_LENGTH = 1024 * 1024;

export function createInterrupts(service: string): Interrupts {
  const keys = new Set<string>();
  let length = 0;
  return {
    has: ({ statusKey }) => keys.has(statusKey),
    add({ statusKey }) {
      if (keys.has(statusKey)) return;
      if (keys.size === MAX_INTERRUPTS) {
        throw new A2aRelayError(`${service} has asked ${MAX_INTERRUPTS} times in one call.`);
      }
      length += statusKey.length;
      if (length > MAX_LENGTH) throw new A2aRelayError(`${service} has asked for too much in one call.`);
      keys.add(statusKey);
    },
  };
}
