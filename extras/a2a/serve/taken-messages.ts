/** The messages that tasks have taken in this process, also those that ended no question. */
export interface TakenMessages {
  has(taskId: string, messageId: string): boolean;
  /** Calls `take` once for a message. A message that was not taken may be sent again. */
  once(taskId: string, messageId: string, take: () => Promise<void>): Promise<void>;
}

const MOST = 10_000;
const MAX_KEY_LENGTH = 512;

/**
 * A client sends a message again if its reply was lost. In text it does not say which question it answers, so it would
 * answer the next one.
 */
export function createTakenMessages(): TakenMessages {
  const taken = new Map<string, Promise<void>>();

  return {
    has: (taskId, messageId) => taken.has(keyOf(taskId, messageId)),
    async once(taskId, messageId, take) {
      const key = keyOf(taskId, messageId);
      if (key.length > MAX_KEY_LENGTH) return take();
      const before = taken.get(key);
      if (before !== undefined) return before;
      const taking = take();
      taken.set(key, taking);
      const [oldest] = taken.keys();
      if (taken.size > MOST && oldest !== undefined) taken.delete(oldest);
      try {
        await taking;
      } catch (error) {
        taken.delete(key);
        throw error;
      }
    },
  };
}

const keyOf = (taskId: string, messageId: string) => JSON.stringify([taskId, messageId]);
