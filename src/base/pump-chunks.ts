type Chunks<Chunk> = AsyncIterable<Chunk> | ReadableStream<Chunk>;

/**
 * Passes the chunks of an agent to `write` until the agent ends or `signal` aborts. An abort ends it immediately, without
 * waiting for the agent or `write`.
 */
export async function pumpChunks<Chunk>(
  begin: () => Promise<Chunks<Chunk>>,
  signal: AbortSignal,
  write: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  const reader = chunksOf(begin).getReader();
  let letGo: (() => void) | undefined;
  const cancel = () => {
    letGo?.();
    // The pending read below ends at once. An error from the agent on cancel is ignored.
    reader.cancel(signal.reason).catch(() => {});
  };
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const written = write(value);
      if (signal.aborted) return;
      // `Promise.race` with one long-lived promise of the signal would retain memory for every chunk.
      await new Promise<void>((resolve, reject) => {
        letGo = resolve;
        written.then(resolve, reject);
      });
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** The agent's chunks as a stream that can be cancelled even while the agent is busy. */
function chunksOf<Chunk>(begin: () => Promise<Chunks<Chunk>>): ReadableStream<Chunk> {
  let iterator: AsyncIterator<Chunk> | undefined;
  let isCancelled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        iterator ??= iteratorOf(await begin());
        if (isCancelled) {
          // The stream was cancelled before the agent began, so no one reads its chunks.
          await iterator.return?.();
          return;
        }
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        isCancelled = true;
        await iterator?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function iteratorOf<Chunk>(chunks: Chunks<Chunk>): AsyncIterator<Chunk> {
  // Not all browsers support async iteration of a ReadableStream.
  if (!(chunks instanceof ReadableStream)) return chunks[Symbol.asyncIterator]();
  const reader = chunks.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done: true, value: undefined } : { done: false, value };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
