import type { StreamChunk } from "../ports/index.ts";

/** Merges everything that one turn writes into one sequence: chunks of its agent and published events. */
export interface TurnOutput {
  /** Has exactly one reader. */
  readonly chunks: AsyncIterable<StreamChunk>;
  /** Resolves when the chunk has been taken and the next one is wanted. Ignored after the end. */
  write(chunk: StreamChunk): Promise<void>;
  end(): void;
}

export function createTurnOutput(): TurnOutput {
  const queue: { chunk: StreamChunk; taken: () => void }[] = [];
  let hasEnded = false;
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
      if (hasEnded) return Promise.resolve();
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
