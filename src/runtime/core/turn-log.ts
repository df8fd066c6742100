import type { StreamChunk, TurnStream } from "./ports.ts";

export interface TurnLog extends TurnStream {
  open(turnId: string): void;
  isOpen(turnId: string): boolean;
  /** Ignored when the turn is not open: what comes after the end is told by the status endpoint. */
  append(turnId: string, chunk: StreamChunk): void;
  written(turnId: string): readonly StreamChunk[];
  /** Ends the log. Who is reading reads on to its end; nobody else can begin. */
  close(turnId: string): void;
}

interface Log {
  readonly chunks: StreamChunk[];
  closed: boolean;
  /** Called at the next change, once each. */
  waiting: (() => void)[];
}

/** The logs of the turns that run in this process. */
export function createTurnLog(): TurnLog {
  const logs = new Map<string, Log>();

  function wake(log: Log) {
    const { waiting } = log;
    log.waiting = [];
    for (const resume of waiting) resume();
  }

  return {
    open(turnId) {
      logs.set(turnId, { chunks: [], closed: false, waiting: [] });
    },
    isOpen: (turnId) => logs.has(turnId),
    append(turnId, chunk) {
      const log = logs.get(turnId);
      if (log === undefined) return;
      log.chunks.push(chunk);
      wake(log);
    },
    written: (turnId) => logs.get(turnId)?.chunks ?? [],
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
          const chunk = log.chunks[seq];
          if (chunk !== undefined) {
            yield { seq, chunk };
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
