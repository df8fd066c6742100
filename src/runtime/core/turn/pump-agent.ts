import type { StreamChunk } from "../ports.ts";
import type { RunTurn } from "./turn.ts";

type Chunks = Awaited<ReturnType<RunTurn>>;

/** Moves an agent's chunks, until it has ended or `signal` aborts, whatever the agent and the log do then. */
export async function pumpAgent(
  begin: () => Promise<Chunks>,
  signal: AbortSignal,
  write: (chunk: StreamChunk) => Promise<void>,
): Promise<void> {
  const reader = chunksOf(begin).getReader();
  let letGo: (() => void) | undefined;
  const cancel = () => {
    letGo?.();
    // The reader below is free at once; how the agent takes it is the agent's business.
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
      // Not `Promise.race` with one promise of the signal's: that would keep something of every chunk.
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
function chunksOf(begin: () => Promise<Chunks>): ReadableStream<StreamChunk> {
  let iterator: AsyncIterator<StreamChunk> | undefined;
  let isCancelled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        iterator ??= iteratorOf(await begin());
        if (isCancelled) {
          // While the agent was still to begin: nobody reads what it makes.
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

function iteratorOf(chunks: Chunks): AsyncIterator<StreamChunk> {
  // Not every browser can iterate over a stream.
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
