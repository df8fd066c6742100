import { createAsk } from "./ask.ts";
import type { Ask } from "./asking.ts";
import { newId } from "./ids.ts";
import type { StreamChunk, TurnStreamEntry, User } from "./ports.ts";
import { TURN_FAILED } from "./stream-helper.ts";
import { ownStream } from "./stream-owner.ts";
import type { TurnLog } from "./turn-log.ts";
import type { RunTurn, SupportedModes, Turn } from "./turn.ts";

export interface TurnInput {
  readonly conversationId: string;
  readonly user: User | undefined;
  readonly messages: readonly unknown[];
  readonly supports: SupportedModes;
  readonly chatOrigin: string | undefined;
  readonly returnUrl: string | undefined;
}

export interface OpenTurn {
  readonly id: string;
  /**
   * Withdraws what the turn asks, aborts it, and resolves when its log is closed. Once; later calls wait too. The log's
   * last chunk is `last`.
   */
  stop(reason: string, last?: StreamChunk): Promise<void>;
}

export interface Turns {
  /** Starts a turn, after ending the one that is open in this person's conversation. */
  start(input: TurnInput): OpenTurn;
  find(conversationId: string, userId: string): OpenTurn | undefined;
  /** Ends them all, with `reason` as the last word of each. No other may be started from then on. */
  stopAll(reason: string): Promise<void>;
  isClosed(): boolean;
}

/**
 * The turns that run in this process. One is open per person and conversation: ids of conversations come from clients,
 * so the person is part of the key and nobody reaches another one's turn. Anonymous turns are reached by nobody.
 */
export function createTurns(options: {
  log: TurnLog;
  runTurn: RunTurn;
  ask: Ask;
  onTurnEnd: (
    turn: Turn,
    chunks: readonly StreamChunk[],
    entries: readonly TurnStreamEntry[],
  ) => void | Promise<void>;
  onError: (error: unknown) => void;
}): Turns {
  const { log, onError } = options;
  const running = new Set<OpenTurn>();
  let isClosed = false;
  const byConversation = new Map<string, OpenTurn>();

  function start(input: TurnInput): OpenTurn {
    const { conversationId, user, messages } = input;
    const id = newId();
    const abort = new AbortController();
    const asking = new Set<Promise<unknown>>();
    const supports = user === undefined ? { url: false, form: false } : input.supports;
    const ask = createAsk({
      supports,
      onError,
      notify: (notice) => log.append(id, notice),
      ask: (question) => {
        if (user === undefined || abort.signal.aborted) return Promise.resolve({ outcome: "withdrawn" });
        const { chatOrigin, returnUrl } = input;
        const scope = { turnId: id, conversationId, user, chatOrigin, returnUrl, signal: abort.signal };
        const asked = options.ask(scope, question);
        asking.add(asked);
        return asked.finally(() => asking.delete(asked));
      },
    });
    const { signal } = abort;
    let last: StreamChunk = { type: "abort" };
    const turn = toTurn({ id, streamRequestId: id, conversationId, user, messages, supports, signal, ask });

    const key = user === undefined ? undefined : keyOf(conversationId, user.id);
    const before = key === undefined ? undefined : byConversation.get(key);
    log.open(id);
    const disown = ownStream(id, {
      append: (chunk) => log.append(id, chunk),
      written: () => log.written(id),
    });
    const ended = run(turn, before, abort, asking, () => last).finally(() => {
      disown();
      running.delete(open);
      if (key !== undefined && byConversation.get(key) === open) byConversation.delete(key);
    });
    const open: OpenTurn = {
      id,
      stop(reason, farewell = last) {
        if (!signal.aborted) {
          last = farewell;
          abort.abort(new DOMException(reason, "AbortError"));
        }
        return ended;
      },
    };
    running.add(open);
    if (key !== undefined) byConversation.set(key, open);
    return open;
  }

  /** Never rejects. */
  async function run(
    turn: Turn,
    before: OpenTurn | undefined,
    abort: AbortController,
    asking: ReadonlySet<Promise<unknown>>,
    lastIfStopped: () => StreamChunk,
  ): Promise<void> {
    try {
      await before?.stop("A new message was sent.");
      await pump(
        chunksOf(async () => options.runTurn(turn)),
        turn.signal,
        (chunk) => log.append(turn.id, chunk),
      );
    } catch (error) {
      if (!turn.signal.aborted) {
        onError(error);
        log.append(turn.id, TURN_FAILED);
      }
    }
    const stopped = turn.signal.aborted;
    // Whoever still asks is withdrawn by the signal, and its end belongs into the log.
    abort.abort(new DOMException("The turn has ended.", "AbortError"));
    await Promise.allSettled(asking);
    if (stopped) log.append(turn.id, lastIfStopped());
    try {
      const entries = log.written(turn.id);
      await options.onTurnEnd(
        turn,
        entries.map(({ chunk }) => chunk),
        entries,
      );
    } catch (error) {
      onError(error);
    } finally {
      log.close(turn.id);
    }
  }

  return {
    start,
    find(conversationId, userId) {
      const turn = byConversation.get(keyOf(conversationId, userId));
      return turn !== undefined && log.isOpen(turn.id) ? turn : undefined;
    },
    isClosed: () => isClosed,
    async stopAll(reason) {
      isClosed = true;
      // An error, since the person has not stopped it: they are told, and may try again.
      const last = { type: "error", errorText: reason };
      await Promise.all([...running].map((turn) => turn.stop(reason, last)));
    },
  };
}

/** Adds delegation: everything is handed down but the messages, and each level can be aborted by itself. */
function toTurn(own: Omit<Turn, "delegate">): Turn {
  return {
    ...own,
    delegate({ messages, signal: delegated }) {
      const signal = delegated === undefined ? own.signal : AbortSignal.any([own.signal, delegated]);
      return toTurn({
        ...own,
        id: newId(),
        messages,
        signal,
        ask: (question) =>
          own.ask({
            ...question,
            signal: question.signal === undefined ? signal : AbortSignal.any([signal, question.signal]),
          }),
      });
    },
  };
}

function keyOf(conversationId: string, userId: string): string {
  return JSON.stringify([userId, conversationId]);
}

/** Moves chunks from the agent to the log, until it has ended or the turn is aborted, whatever the agent does then. */
async function pump(
  stream: ReadableStream<StreamChunk>,
  signal: AbortSignal,
  append: (chunk: StreamChunk) => void,
): Promise<void> {
  const reader = stream.getReader();
  const cancel = () => {
    // The reader below is free at once; how the agent takes it is the agent's business.
    reader.cancel(signal.reason).catch(() => {});
  };
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      append(value);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

type Chunks = Awaited<ReturnType<RunTurn>>;

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
