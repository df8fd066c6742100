export interface RunStops {
  /** The person stopped listening: ends the run of the conversation, unless somebody listens again at once. */
  stop(conversationId: string, send: () => Promise<void>): void;
  /**
   * Call before a new request of the conversation: a stop that has not left yet is called off (the new message ends the
   * old run by itself, and whoever re-attaches wants it to go on), and one on its way is waited for, or it could end
   * the new run.
   */
  supersede(conversationId: string, signal: AbortSignal | undefined): Promise<void> | undefined;
}

/** The stops of runs, one at a time for each conversation. */
export function createRunStops(): RunStops {
  const scheduled = new Map<string, ReturnType<typeof setTimeout>>();
  const leaving = new Map<string, Promise<void>>();

  return {
    stop(conversationId, send) {
      if (scheduled.has(conversationId) || leaving.has(conversationId)) return;
      // A chat that re-attaches twice aborts its first stream just before it asks for the second.
      const timer = setTimeout(() => {
        scheduled.delete(conversationId);
        leaving.set(
          conversationId,
          send().finally(() => leaving.delete(conversationId)),
        );
      });
      scheduled.set(conversationId, timer);
    },
    supersede(conversationId, signal) {
      clearTimeout(scheduled.get(conversationId));
      scheduled.delete(conversationId);
      const stopped = leaving.get(conversationId);
      if (stopped === undefined || signal === undefined) return stopped;
      return Promise.race([
        stopped,
        new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
      ]);
    },
  };
}
