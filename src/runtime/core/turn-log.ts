import type { Clock, StreamChunk, TurnStream, TurnStreamEntry } from "./ports.ts";

export interface TurnLog extends TurnStream {
  open(turnId: string): void;
  isOpen(turnId: string): boolean;
  /** Ignored when the turn is not open: what comes after the end is told by the status endpoint. */
  append(turnId: string, chunk: StreamChunk): void;
  written(turnId: string): readonly TurnStreamEntry[];
  /** Ends the log. Who is reading reads on to its end; nobody else can begin. */
  close(turnId: string): void;
}

interface Log {
  readonly entries: TurnStreamEntry[];
  closed: boolean;
  /** Called at the next change, once each. */
  waiting: (() => void)[];
}

/** The logs of the turns that run in this process. */
export function createTurnLog(clock: Clock): TurnLog {
  const logs = new Map<string, Log>();

  function wake(log: Log) {
    const { waiting } = log;
    log.waiting = [];
    for (const resume of waiting) resume();
  }

  return {
    open(turnId) {
      logs.set(turnId, { entries: [], closed: false, waiting: [] });
    },
    isOpen: (turnId) => logs.has(turnId),
    append(turnId, chunk) {
      const log = logs.get(turnId);
      if (log === undefined) return;
      log.entries.push({ seq: log.entries.length, at: clock.now(), chunk });
      wake(log);
    },
    written: (turnId) => logs.get(turnId)?.entries ?? [],
    close(turnId) {
      const log = logs.get(turnId);
      if (log === undefined) return;
      logs.delete(turnId);
      log.closed = true;
      wake(log);
    },
    async *read(turnId, { after = -1, live, signal }) {
      const log = logs.get(turnId);
      if (log === undefined) return;
      const onAbort = () => wake(log);
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
            await new Promise<void>((resume) => log.waiting.push(resume));
          }
        }
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
