/** Merges the chunks of several writers into one sequence. */
export interface ChunkQueue<Chunk> {
  /** The merged chunks, for exactly one reader. */
  readonly chunks: AsyncIterable<Chunk>;
  /**
   * Resolves when the reader has taken the chunk and wants the next one. Does nothing after `end`. Only the first end
   * chunk counts, because a turn may be stopped while its last chunk is being written.
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
      // The reader may have stopped, for example because the log failed, so resolve the writes in the queue.
      for (const { taken } of queue) taken();
      wake?.();
    },
  };
}
