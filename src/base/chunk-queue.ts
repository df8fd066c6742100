/** Merges what several writers write into one sequence. */
export interface ChunkQueue<Chunk> {
  /** Has exactly one reader. */
  readonly chunks: AsyncIterable<Chunk>;
  /**
   * Resolves when the chunk has been taken and the next one is wanted. Ignored after `end`. Of the chunks that are an
   * end, the first one counts: a turn may be stopped while its last chunk is being written.
   */
  write(chunk: Chunk): Promise<void>;
  end(): void;
}

/** `isEnd`: whether a chunk is the last one. */
export function createChunkQueue<Chunk>(isEnd: (chunk: Chunk) => boolean): ChunkQueue<Chunk> {
  const queue: { chunk: Chunk; taken: () => void }[] = [];
  let hasEnded = false;
  let hasLast = false;
  let wake: (() => void) | undefined;

  async function* take(): AsyncGenerator<Chunk, void, void> {
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
