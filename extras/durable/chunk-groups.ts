import type { Clock } from "../../src/base/clock.ts";
import { createDeferred } from "../../src/base/deadlines.ts";
import { REQUEST_PART_TYPE, RESPONSE_PART_TYPE } from "../../src/contract/contract.ts";
import { type StreamChunk, isEnd } from "../../src/runtime/internal.ts";

/** How long a chunk waits at most for others, in milliseconds. Each group is one commit, and wakes all readers. */
const GROUP_MS = 30;
/** The agent waits while so many of its chunks are not in the log yet. */
const MOST = 64;

/** Chunks that users or clients wait for. */
const isUrgent = (chunk: StreamChunk) =>
  chunk.type === REQUEST_PART_TYPE || chunk.type === RESPONSE_PART_TYPE || isEnd(chunk);
/** The first text after a pause is shown at once. */
const isText = ({ type }: StreamChunk) => type === "text-delta" || type === "reasoning-delta";

/**
 * Passes chunks that are not known to `write`, in their order and one group after another. Rejects if `write` does, and
 * then takes no more chunks.
 *
 * @param options.busy is called for each group, with work that lasts until the group is written
 */
export async function inGroups(
  chunks: AsyncIterable<StreamChunk>,
  options: {
    /** Whether the chunk is stored already. */
    readonly isKnown: (chunk: StreamChunk) => boolean;
    readonly write: (group: readonly StreamChunk[]) => Promise<void>;
    readonly busy: (work: () => Promise<void>) => Promise<void>;
    readonly clock: Clock;
  },
): Promise<void> {
  const { isKnown, write, busy, clock } = options;
  let waiting: StreamChunk[] = [];
  let written = createDeferred<void>();
  let isOver = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  let due = createDeferred<void>();
  let room = createDeferred<void>();
  let cancel: (() => void) | undefined;

  /** Sets the time of the next group, when `chunk` has been added. */
  function plan(chunk: StreamChunk): void {
    const isIdle = clock.now() - lastAt >= GROUP_MS;
    if (isUrgent(chunk) || (isText(chunk) && isIdle) || waiting.length >= MOST) due.resolve();
    else cancel ??= clock.after(GROUP_MS, () => due.resolve());
  }

  function begin(): void {
    written = createDeferred();
    const { promise } = written;
    void busy(() => promise);
  }

  async function take(): Promise<void> {
    for await (const chunk of chunks) {
      if (isOver) return;
      if (isKnown(chunk)) continue;
      if (waiting.length === 0) begin();
      waiting.push(chunk);
      plan(chunk);
      while (waiting.length >= MOST) {
        await room.promise;
        if (isOver) return;
      }
    }
    isOver = true;
    due.resolve();
  }

  async function writeAll(): Promise<void> {
    for (;;) {
      await due.promise;
      cancel?.();
      cancel = undefined;
      due = createDeferred();
      const group = waiting;
      waiting = [];
      room.resolve();
      room = createDeferred();
      lastAt = clock.now();
      const { resolve } = written;
      if (group.length > 0) await write(group).finally(resolve);
      if (isOver && waiting.length === 0) return;
    }
  }

  try {
    await Promise.all([take(), writeAll()]);
  } finally {
    isOver = true;
    cancel?.();
    written.resolve();
    room.resolve();
    due.resolve();
  }
}
