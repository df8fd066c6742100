import { type Clock, systemClock } from "../client/clock.ts";
import { onWindowOnline } from "../client/online.ts";
import { readRunRequest } from "./run-request.ts";
import { type ChatLike, isIdle, onceIdle, resume } from "./watch-chat.ts";

/** Between one try to re-attach and the next. After these, only when the network is back. */
const PAUSES_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

export interface LostStreamsOptions {
  /** The `fetch` underneath. */
  fetch: typeof globalThis.fetch;
  /** The chats that are watched. */
  chatOf(conversationId: string): ChatLike | undefined;
  clock?: Clock | undefined;
  onOnline?: ((listener: () => void) => () => void) | undefined;
}

export interface LostStreams {
  /** The `fetch` beneath the chat's transport. */
  run: typeof globalThis.fetch;
  /** An answer leaves: what the agent makes of it is still to be read. */
  answered(conversationId: string): void;
  /** The stream of a conversation is closed, however it ended. */
  closed(conversationId: string): void;
  /** The connection of a stream was lost. Call before `closed`. */
  broken(conversationId: string): void;
  /** The chat is watched no more: nothing is read for it any longer. */
  left(conversationId: string): void;
}

/** A run that is still to be read, while its chat is in no state to. */
interface Loss {
  /** Ends the pause between two tries. */
  wake?: () => void;
}

/**
 * What becomes of a run whose connection is lost after the answer: nobody is asked any more, so no answer would have
 * the chat re-attach. It does so by itself, once for each answer and for as long as nobody answers the try, and when the
 * run has ended without it, the chat says so instead of passing for complete.
 */
export function createLostStreams(options: LostStreamsOptions): LostStreams {
  const { fetch, chatOf, clock = systemClock, onOnline = onWindowOnline } = options;
  const answered = new Set<string>();
  const losses = new Map<string, Loss>();

  async function rejoin(chat: ChatLike, loss: Loss): Promise<void> {
    const isLost = (): boolean => losses.get(chat.id) === loss && chatOf(chat.id) === chat;
    await onceIdle(chat);
    let tries = 0;
    while (isLost() && (tries === 0 ? isIdle(chat) : chat.status === "error")) {
      await resume(chat);
      if (!isLost()) return;
      tries = (await pause(loss, PAUSES_MS[tries])) === "online" ? 1 : tries + 1;
    }
    if (losses.get(chat.id) === loss) losses.delete(chat.id);
  }

  function pause(loss: Loss, ms: number | undefined): Promise<"online" | "over"> {
    return new Promise((resolve) => {
      const end = (how: "online" | "over"): void => {
        stopTimer?.();
        stopOnline();
        resolve(how);
      };
      const stopTimer = ms === undefined ? undefined : clock.after(ms, () => end("over"));
      const stopOnline = onOnline(() => end("online"));
      loss.wake = () => end("over");
    });
  }

  function forget(conversationId: string): void {
    const loss = losses.get(conversationId);
    losses.delete(conversationId);
    loss?.wake?.();
  }

  return {
    async run(input, init) {
      if (losses.size === 0) return fetch(input, init);
      const { conversationId = "" } = await readRunRequest(input, init);
      const loss = losses.get(conversationId);
      // With a new message the person has gone on without the rest.
      if (init?.body != null) forget(conversationId);
      const response = await fetch(input, init);
      // A server that is down for a moment has told nothing of the run.
      if (loss === undefined || losses.get(conversationId) !== loss || response.status >= 500)
        return response;
      forget(conversationId);
      if (response.status !== 204) return response;
      throw new Error(
        "elicit-kit: the connection was lost, and the agent finished meanwhile. Load the conversation again to read the rest.",
      );
    },
    answered: (conversationId) => void answered.add(conversationId),
    closed: (conversationId) => void answered.delete(conversationId),
    broken(conversationId) {
      const chat = chatOf(conversationId);
      if (chat === undefined || !answered.delete(conversationId)) return;
      forget(conversationId);
      const loss: Loss = {};
      losses.set(conversationId, loss);
      void rejoin(chat, loss);
    },
    left: forget,
  };
}
