import { conversationKey } from "../elicitation/conversation-key.ts";
import { systemClock } from "../shared/clock.ts";
import type { Clock, TurnStream, TurnStreamEntry } from "../ports.ts";

interface Log {
  readonly key: string | undefined;
  readonly entries: TurnStreamEntry[];
  closed: boolean;
  /** Called at the next change, once each. */
  waiting: Set<() => void>;
}

/** The logs of the turns that run in this process. What comes after a turn's end is told by the status endpoint. */
export function createMemoryTurnStream(options: { clock?: Clock | undefined } = {}): TurnStream {
  const { clock = systemClock } = options;
  const logs = new Map<string, Log>();
  const openByPerson = new Map<string, string>();

  function wake(log: Log) {
    const { waiting } = log;
    log.waiting = new Set();
    for (const resume of waiting) resume();
  }

  return {
    async open({ turnId, conversationId, userId }) {
      const key = userId === undefined ? undefined : conversationKey(conversationId, userId);
      logs.set(turnId, { key, entries: [], closed: false, waiting: new Set() });
      if (key !== undefined) openByPerson.set(key, turnId);
    },
    find: async (conversationId, userId) => openByPerson.get(conversationKey(conversationId, userId)),
    async append(turnId, chunk) {
      const log = logs.get(turnId);
      if (log === undefined) return;
      log.entries.push({ seq: log.entries.length, at: clock.now(), chunk });
      wake(log);
    },
    async close(turnId) {
      const log = logs.get(turnId);
      if (log === undefined) return;
      logs.delete(turnId);
      if (log.key !== undefined && openByPerson.get(log.key) === turnId) openByPerson.delete(log.key);
      log.closed = true;
      wake(log);
    },
    async *read(turnId, { after = -1, live, signal }) {
      const log = logs.get(turnId);
      if (log === undefined) return;
      let resume: (() => void) | undefined;
      // This reader and no other: a thousand that leave at once would wake one another a million times.
      const onAbort = () => {
        if (resume === undefined) return;
        log.waiting.delete(resume);
        resume();
      };
      signal.addEventListener("abort", onAbort);
      try {
        for (let seq = after + 1; !signal.aborted;) {
          const entry = log.entries[seq];
          if (entry !== undefined) {
            yield entry;
            seq += 1;
          } else if (log.closed || !live) {
            return;
          } else {
            await new Promise<void>((resolve) => {
              resume = resolve;
              log.waiting.add(resolve);
            });
          }
        }
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
