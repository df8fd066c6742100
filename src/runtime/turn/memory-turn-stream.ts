import { conversationKey } from "../request/record.ts";
import type { StreamChunk, TurnKey, TurnStream, TurnStreamEntry } from "../ports/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { TAKEN_OVER } from "../ports/turn-runner.ts";
import { discardChunk, isDiscardable } from "./turn-log.ts";
import { KitError } from "../../contract/kit-error.ts";

interface Log {
  readonly turn: TurnKey;
  /** The id of the turn that was open before it. */
  readonly replaced: string | undefined;
  /** Absent for an anonymous chat. */
  readonly conversation: string | undefined;
  readonly start: string | undefined;
  /** Entries by position. `undefined`: the entry was discarded. */
  readonly entries: (TurnStreamEntry | undefined)[];
  closed: boolean;
  fence: number;
  /** The controller of the current lease. */
  lost: AbortController | undefined;
  /** Callbacks for the next change. Each is called once. */
  waiting: Set<() => void>;
}

/**
 * Keeps the logs of turns in memory: of running turns, and of ended turns for their `keepMs`. At most the newest `limit`
 * logs of ended turns are kept. After that, clients use the status endpoint.
 */
export function createMemoryTurnStream(
  options: {
    clock?: Clock | undefined;
    /** @default 1000 */
    limit?: number | undefined;
  } = {},
): TurnStream {
  const { clock = systemClock, limit = 1000 } = options;
  const logs = new Map<string, Log>();
  const byConversation = new Map<string, string>();
  const byStart = new Map<string, string>();
  /** Logs of ended turns, oldest end first. The value cancels their removal timer. */
  const kept = new Map<string, () => void>();

  function wake(log: Log) {
    const { waiting } = log;
    log.waiting = new Set();
    for (const resume of waiting) resume();
  }

  function remove(log: Log): void {
    const { turnId } = log.turn;
    logs.delete(turnId);
    kept.get(turnId)?.();
    kept.delete(turnId);
    if (log.conversation !== undefined && byConversation.get(log.conversation) === turnId)
      byConversation.delete(log.conversation);
    if (log.start !== undefined) byStart.delete(log.start);
  }

  function keep(log: Log): void {
    const { turnId, keepMs } = log.turn;
    if (keepMs <= 0) {
      remove(log);
      return;
    }
    kept.set(
      turnId,
      clock.after(keepMs, () => remove(log)),
    );
    for (const oldest of kept.keys()) {
      if (kept.size <= limit) return;
      const old = logs.get(oldest);
      if (old !== undefined) remove(old);
    }
  }

  /** The log that this lease may write. `undefined`: the turn has ended. */
  function writable(turnId: string, fence: number): Log | undefined {
    const log = logs.get(turnId);
    if (log === undefined || log.closed) return undefined;
    if (log.fence !== fence) throw new KitError("elicit-kit: another process has taken over this turn.");
    return log;
  }

  function append(log: Log, chunk: StreamChunk): void {
    log.entries.push({ seq: log.entries.length, at: clock.now(), chunk });
    wake(log);
  }

  /** The log under this key, if it is still kept. */
  function logAt(index: ReadonlyMap<string, string>, key: string | undefined): Log | undefined {
    const turnId = key === undefined ? undefined : index.get(key);
    return turnId === undefined ? undefined : logs.get(turnId);
  }

  return {
    async open(turn, { replace, signal }) {
      signal?.throwIfAborted();
      const { turnId, conversationId, userId } = turn;
      const conversation = userId === undefined ? undefined : conversationKey(conversationId, userId);
      const start = startKey(turn);
      const started = logAt(byStart, start);
      if (started !== undefined) return { status: "started", turn: started.turn };
      const before = logAt(byConversation, conversation);
      const isOpen = before !== undefined && !before.closed;
      if (isOpen && !replace) return { status: "busy", turn: before.turn };
      logs.set(turnId, {
        turn,
        replaced: isOpen ? before.turn.turnId : undefined,
        conversation,
        start,
        entries: [],
        closed: false,
        fence: 0,
        lost: undefined,
        waiting: new Set(),
      });
      if (conversation !== undefined) byConversation.set(conversation, turnId);
      if (start !== undefined) byStart.set(start, turnId);
      return isOpen ? { status: "opened", before: before.turn } : { status: "opened" };
    },
    async get(turnId) {
      const log = logs.get(turnId);
      if (log === undefined) return undefined;
      const { turn, closed, replaced } = log;
      return { ...turn, ended: closed, ...(replaced !== undefined && { replaced }) };
    },
    find: async (conversationId, userId) => byConversation.get(conversationKey(conversationId, userId)),
    async list(userId, surface, { before, limit: count }) {
      const listed = [...logs.values()]
        .filter(({ turn }) => turn.userId === userId && turn.surface === surface && turn.keepMs > 0)
        .toReversed();
      // Without the turn of the cursor, the page is empty.
      const from = before === undefined ? 0 : listed.findIndex(({ turn }) => turn.turnId === before) + 1;
      if (before !== undefined && from === 0) return [];
      return listed.slice(from, from + count).map(({ turn, closed, entries }) => {
        const at = entries.findLast((entry) => entry !== undefined)?.at ?? 0;
        return { ...turn, ended: closed, at };
      });
    },
    async lease(turnId) {
      const lost = new AbortController();
      const log = logs.get(turnId);
      if (log === undefined) return { fence: 0, lost: lost.signal, ended: true };
      log.lost?.abort(TAKEN_OVER);
      log.lost = lost;
      log.fence += 1;
      return { fence: log.fence, lost: lost.signal, ended: log.closed };
    },
    async append(turnId, chunk, { fence }) {
      const log = writable(turnId, fence);
      if (log !== undefined) append(log, chunk);
    },
    async discard(turnId, from, { fence }) {
      const log = writable(turnId, fence);
      if (log === undefined) return;
      for (const [seq, entry] of log.entries.entries()) {
        if (seq >= from && entry !== undefined && isDiscardable(entry.chunk)) log.entries[seq] = undefined;
      }
      append(log, discardChunk(from));
    },
    async close(turnId, { fence }) {
      const log = writable(turnId, fence);
      if (log === undefined) return;
      log.closed = true;
      log.lost = undefined;
      keep(log);
      wake(log);
    },
    async *read(turnId, { after = -1, live, signal }) {
      const log = logs.get(turnId);
      if (log === undefined) return;
      let resume: (() => void) | undefined;
      // Wakes only this reader. If each of a thousand readers woke all others, that would be a million calls.
      const onAbort = () => {
        if (resume === undefined) return;
        log.waiting.delete(resume);
        resume();
      };
      signal.addEventListener("abort", onAbort);
      try {
        for (let seq = after + 1; !signal.aborted;) {
          if (seq < log.entries.length) {
            const entry = log.entries[seq];
            seq += 1;
            if (entry !== undefined) yield entry;
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

/** A `startId` identifies one turn per user and kind of surface. */
function startKey({ userId, surface, startId }: TurnKey): string | undefined {
  return userId === undefined || startId === undefined
    ? undefined
    : JSON.stringify([userId, surface, startId]);
}
