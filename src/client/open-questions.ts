import type { ElicitationOutcome, ElicitationRequest } from "../contract/contract.ts";
import type { Channel, ChannelEvent } from "./channel.ts";
import type { Clock } from "./clock.ts";
import { createListeners } from "./listeners.ts";

/** A request that a channel keeps while it is open. */
export interface OpenQuestion {
  readonly conversationId: string;
  readonly request: ElicitationRequest;
}

/** The open requests of a channel, for protocols whose servers keep none. */
export interface OpenQuestions<Question extends OpenQuestion> {
  /** By the id of the request. An answer deletes its question: the receipt tells the outcome. */
  readonly open: Map<string, Question>;
  show(question: Question): void;
  /** Tells how a request has ended without an answer, and deletes it. Does nothing if it is not open. */
  end(question: Question, outcome: ElicitationOutcome): void;
  tellEnd(question: Question, outcome: ElicitationOutcome): void;
  readonly channel: Pick<Channel, "subscribe" | "delivery">;
}

export function createOpenQuestions<Question extends OpenQuestion>(clock: Clock): OpenQuestions<Question> {
  const open = new Map<string, Question>();
  const listeners = createListeners<ChannelEvent>();

  function tellEnd({ conversationId, request }: Question, outcome: ElicitationOutcome): void {
    const resolution = { outcome, at: new Date(clock.now()).toISOString() };
    listeners.tell(eventOf({ conversationId, request: { ...request, resolution } }));
  }

  return {
    open,
    tellEnd,
    show(question) {
      open.set(question.request.elicitationId, question);
      listeners.tell(eventOf(question));
    },
    end(question, outcome) {
      if (open.delete(question.request.elicitationId)) tellEnd(question, outcome);
    },
    channel: {
      subscribe: (listener) => listeners.add(listener, [...open.values()].map(eventOf)),
      delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
    },
  };
}

const eventOf = ({ conversationId, request }: OpenQuestion): ChannelEvent => ({
  type: "request",
  conversationId,
  request,
});
