import { timelineOf, type TurnTimeline } from "elicit-kit/runtime";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";

/** What a turn tells the history. Structural: a runtime's turn fits. */
interface TurnLike {
  readonly conversationId: string;
  readonly user?: { readonly id: string } | undefined;
  readonly messages: readonly unknown[];
}

export interface History {
  /** The messages as the person sent them, kept before the agent answers, so that a reload finds them. */
  begin(turn: TurnLike): void;
  /** Adds the agent's message, and keeps when the turn worked and waited. */
  end(
    turn: TurnLike,
    chunks: readonly { type: string }[],
    entries: Parameters<typeof timelineOf>[0],
  ): Promise<void>;
  read(userId: string, conversationId: string): readonly UIMessage[];
  /** Of the last turn. */
  timeline(userId: string, conversationId: string): TurnTimeline | undefined;
  /** Removes all conversations of a person. */
  forget(userId: string): void;
}

/** The demo's conversations, in memory. Only their own person can read them. */
export function createHistory(): History {
  const people = new Map<string, Map<string, Conversation>>();
  const conversationOf = (userId: string, conversationId: string): Conversation | undefined =>
    people.get(userId)?.get(conversationId);

  return {
    begin({ user, conversationId, messages }) {
      if (user === undefined) return;
      const own = people.get(user.id) ?? new Map<string, Conversation>();
      people.set(user.id, own);
      own.set(conversationId, { messages: messages as readonly UIMessage[] });
    },
    async end({ user, conversationId }, chunks, entries) {
      const answer = await lastState(chunks as readonly UIMessageChunk[]);
      // Absent when the person has started over since.
      const conversation = user && conversationOf(user.id, conversationId);
      if (conversation === undefined) return;
      conversation.timeline = timelineOf(entries);
      if (answer !== undefined)
        conversation.messages = [...conversation.messages.filter(({ id }) => id !== answer.id), answer];
    },
    read: (userId, conversationId) => conversationOf(userId, conversationId)?.messages ?? [],
    timeline: (userId, conversationId) => conversationOf(userId, conversationId)?.timeline,
    forget: (userId) => void people.delete(userId),
  };
}

interface Conversation {
  messages: readonly UIMessage[];
  timeline?: TurnTimeline | undefined;
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
