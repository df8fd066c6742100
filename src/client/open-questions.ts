import type { ElicitationAnswer, ElicitationOutcome, ElicitationRequest } from "../contract/contract.ts";
import type { AnswerReceipt, Channel, ChannelEvent } from "./channel.ts";
import { refusalOf } from "./check-answer.ts";
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
  /** Answers each request for itself. */
  respond(answerOne: (question: Question, answer: ElicitationAnswer) => AnswerReceipt): Channel["respond"];
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
    respond:
      (answerOne) =>
      async (answers, { signal }) => {
        const receipts = answers.map(async (answer): Promise<AnswerReceipt> => {
          const { elicitationId } = answer;
          const asked = open.get(elicitationId);
          const refusal = asked && (await refusalOf(asked.request, answer));
          // The server may have cancelled the question in the meantime.
          const question = open.get(elicitationId);
          return refusal ?? (question ? answerOne(question, answer) : { elicitationId, kind: "gone" });
        });
        const all = await Promise.all(receipts);
        signal.throwIfAborted();
        return all;
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
