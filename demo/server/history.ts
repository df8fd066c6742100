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
}

/** The demo's conversations, in memory, each readable only by the person it belongs to. */
export function createHistory(): History {
  const conversations = new Map<string, readonly UIMessage[]>();
  const timelines = new Map<string, TurnTimeline | undefined>();
  const keyOf = ({ user, conversationId }: TurnLike): string | undefined =>
    user && key(user.id, conversationId);

  return {
    begin(turn) {
      const at = keyOf(turn);
      if (at !== undefined) conversations.set(at, turn.messages as readonly UIMessage[]);
    },
    async end(turn, chunks, entries) {
      const at = keyOf(turn);
      if (at === undefined) return;
      timelines.set(at, timelineOf(entries));
      const answer = await lastState(chunks as readonly UIMessageChunk[]);
      const before = conversations.get(at) ?? [];
      if (answer !== undefined)
        conversations.set(at, [...before.filter(({ id }) => id !== answer.id), answer]);
    },
    read: (userId, conversationId) => conversations.get(key(userId, conversationId)) ?? [],
    timeline: (userId, conversationId) => timelines.get(key(userId, conversationId)),
  };
}

function key(userId: string, conversationId: string): string {
  return JSON.stringify([userId, conversationId]);
}

/** The message that the chunks add up to. */
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
