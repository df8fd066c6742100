import { timelineOf, type TurnTimeline } from "elicit-kit/runtime";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { createMemoryShelf, type Shelf } from "./shelf.ts";

/** The properties of a turn that the history reads. The type is structural, so a runtime's turn fits. */
interface TurnLike {
  readonly conversationId: string;
  readonly user?: { readonly id: string } | undefined;
  readonly messages: readonly unknown[];
}

/** A conversation in the form in which it is stored. Plain data. */
export interface Conversation {
  messages: readonly UIMessage[];
  timeline?: TurnTimeline | undefined;
}

export interface History {
  /** Stores the messages as the user sent them before the agent answers, so that a reload shows them. */
  begin(turn: TurnLike): Promise<void>;
  /** Adds the agent's message, and stores when the turn worked and waited. */
  end(
    turn: TurnLike,
    chunks: readonly { type: string }[],
    entries: Parameters<typeof timelineOf>[0],
  ): Promise<void>;
  read(userId: string, conversationId: string): Promise<readonly UIMessage[]>;
  timeline(userId: string, conversationId: string): Promise<TurnTimeline | undefined>;
  /** Deletes all conversations of a user. */
  forget(userId: string): Promise<void>;
}

/** The demo's conversations. Only their own user can read them. */
export function createHistory(kept: Shelf<Conversation> = createMemoryShelf()): History {
  return {
    async begin({ user, conversationId, messages }) {
      if (user === undefined) return;
      await kept.change(user.id, conversationId, () => ({ messages: messages as readonly UIMessage[] }));
    },
    async end({ user, conversationId }, chunks, entries) {
      const answer = await lastState(chunks as readonly UIMessageChunk[]);
      const timeline = timelineOf(entries);
      if (user === undefined) return;
      await kept.change(user.id, conversationId, (conversation) => {
        // The user has deleted the conversation in the meantime.
        if (conversation === undefined) return undefined;
        const { messages } = conversation;
        if (answer === undefined) return { messages, timeline };
        return { messages: [...messages.filter(({ id }) => id !== answer.id), answer], timeline };
      });
    },
    read: async (userId, conversationId) => (await kept.get(userId, conversationId))?.messages ?? [],
    timeline: async (userId, conversationId) => (await kept.get(userId, conversationId))?.timeline,
    forget: (userId) => kept.clear(userId),
  };
}

/** Builds the message from its chunks. */
async function lastState(chunks: readonly UIMessageChunk[]): Promise<UIMessage | undefined> {
  let message: UIMessage | undefined;
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const state of readUIMessageStream({ stream })) message = state;
  return message;
}
