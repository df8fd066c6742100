import type { StreamChunk } from "../ports.ts";

/** All that one turn writes, in one order: what its agent says, and what is published for it meanwhile. */
export interface TurnOutput {
  /** Read by one pump. */
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
          // Also when the pump gives up on this chunk.
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
      // Nobody may take them any more, as when the log is down.
      for (const { taken } of queue) taken();
      wake?.();
    },
  };
}
