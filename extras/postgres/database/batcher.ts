/**
 * Collects the calls made during one batch and runs them as the next batch. A thousand waiting turns then need only a few
 * queries, and a single call is not delayed.
 */
export interface Batcher<Input, Output> {
  (input: Input): Promise<Output>;
  /** Resolves when the calls made until now have ended. Never rejects. */
  idle(): Promise<void>;
}

interface Call<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

const ignore = () => {};

/**
 * @param run returns the outputs in the order of the inputs
 * @param options.needs if a call fails, the waiting calls with the same result fail as well
 */
export function createBatcher<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  {
    max,
    weigh = () => 1,
    needs,
  }: { max: number; weigh?: (input: Input) => number; needs?: (input: Input) => string },
): Batcher<Input, Output> {
  let waiting: Call<Input, Output>[] = [];
  let isRunning = false;
  /** Batches run in the order of their calls, so when the last call has ended, all have. */
  let last: Promise<unknown> = Promise.resolve();

  /** The calls of the next batch: at least one, and together no heavier than `max`. */
  function take(): Call<Input, Output>[] {
    let weight = 0;
    let count = 0;
    for (const { input } of waiting) {
      weight += weigh(input);
      if (count > 0 && weight > max) break;
      count += 1;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return batch;
  }

  /** Takes the waiting calls that cannot succeed, because a call in `batch` has failed. */
  function followersOf(batch: readonly Call<Input, Output>[]): Call<Input, Output>[] {
    if (needs === undefined) return [];
    const failed = new Set(batch.map(({ input }) => needs(input)));
    const followers = waiting.filter(({ input }) => failed.has(needs(input)));
    waiting = waiting.filter(({ input }) => !failed.has(needs(input)));
    return followers;
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    // Calls of the same tick belong to one batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = take();
      try {
        const outputs = await run(batch.map(({ input }) => input));
        for (const [index, output] of outputs.entries()) batch[index]?.resolve(output);
      } catch (error) {
        for (const { reject } of [...batch, ...followersOf(batch)]) reject(error);
      }
    }
    isRunning = false;
  }

  function call(input: Input): Promise<Output> {
    const output = new Promise<Output>((resolve, reject) => void waiting.push({ input, resolve, reject }));
    last = output;
    if (!isRunning) void runAll();
    return output;
  }
  return Object.assign(call, { idle: () => last.then(ignore, ignore) });
}
