import type { StreamChunk } from "../ports/index.ts";

/** The chunk types that end a turn. Clients read no further. */
const ENDS: ReadonlySet<string> = new Set(["finish", "error", "abort"]);

export const isEnd = ({ type }: Pick<StreamChunk, "type">): boolean => ENDS.has(type);

/** Merges everything that one turn writes into one sequence: chunks of its agent and published events. */
export interface TurnOutput {
  /** Has exactly one reader. */
  readonly chunks: AsyncIterable<StreamChunk>;
  /**
   * Resolves when the chunk has been taken and the next one is wanted. Ignored after `end`. Of the chunks that end a turn,
   * the first one counts: a turn may be stopped while its last chunk is being written.
   */
  write(chunk: StreamChunk): Promise<void>;
  end(): void;
}

export function createTurnOutput(): TurnOutput {
  const queue: { chunk: StreamChunk; taken: () => void }[] = [];
  let hasEnded = false;
  let hasLast = false;
  let wake: (() => void) | undefined;

  async function* take(): AsyncGenerator<StreamChunk, void, void> {
    for (;;) {
      const next = queue.shift();
      if (next !== undefined) {
        try {
          yield next.chunk;
        } finally {
          // In `finally`, so that it also runs if the reader stops at this chunk.
          next.taken();
        }
      } else if (hasEnded) {
        return;
      } else {
        await new Promise<void>((resume) => {
          wake = resume;
        });
      }
    }
  }

  return {
    chunks: take(),
    write(chunk) {
      if (hasEnded || (hasLast && isEnd(chunk))) return Promise.resolve();
      hasLast ||= isEnd(chunk);
      return new Promise((taken) => {
        queue.push({ chunk, taken });
        wake?.();
      });
    },
    end() {
      hasEnded = true;
      // The reader may be gone, as when the log is down, so resolve the writes that are still queued.
      for (const { taken } of queue) taken();
      wake?.();
    },
  };
}
