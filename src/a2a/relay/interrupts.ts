import type { TaskView } from "../wire/task-view.ts";

/** The statuses of one call in which its task waited for its client. */
export interface Interrupts {
  has(view: Pick<TaskView, "statusKey">): boolean;
  /** Throws an {@link A2aRelayError} when the agent asks too often or with too much text. */
  add(view: Pick<TaskView, "statusKey">): void;
}

/** How often an agent may ask in one call. */
const MAX_INTERRUPTS = 50;
/** The total length of an agent's questions in characters. They are kept until the call ends. */
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

/** A call that cannot continue. The message is for the model. */
export class A2aRelayError extends Error {
  override readonly name = "A2aRelayError";
}

/** Also matches an error that was recorded before its turn ran again, and has lost its class. */
export function isA2aRelayError(error: unknown): error is Error {
  return error instanceof Error && error.name === "A2aRelayError";
}
