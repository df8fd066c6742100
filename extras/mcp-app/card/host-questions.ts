import type { Channel, ChannelEvent } from "../../../src/client/channel.ts";
import { newId } from "../../../src/client/new-id.ts";
import { outcomeOfAction } from "../../../src/contract/contract.ts";
import { questionsOf } from "../questions.ts";
import { createListeners } from "../../../src/client/listeners.ts";

/**
 * The questions that the host passes to its view (SEP-3118): the host supports elicitation, and the view replaces its
 * form.
 */
export interface HostQuestions extends Channel {
  /**
   * Handles `elicitation/create`. Resolves with the answer that the host passes on, or `undefined` if the card cannot ask
   * the question.
   */
  ask(params: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const CONVERSATION = "app";

export function createHostQuestions(serverName: string, onAsk: (questions: Channel) => void): HostQuestions {
  const listeners = createListeners<ChannelEvent>();
  const asked = new Map<string, { event: ChannelEvent; answer(result: unknown): void }>();

  const questions: HostQuestions = {
    ask(params) {
      const inputRequests = { question: { params } };
      const [question] = questionsOf(
        { call: newId(), version: 1, inputRequests },
        { serverName, before: [] },
      );
      if (question?.request.mode !== "form") return Promise.resolve(undefined);
      const { request } = question;
      onAsk(questions);
      const event = { type: "request", conversationId: CONVERSATION, request } as const;
      return new Promise((resolve) => {
        asked.set(request.elicitationId, { event, answer: resolve });
        listeners.tell(event);
      });
    },
    subscribe: (listener) =>
      listeners.add(
        listener,
        [...asked.values()].map(({ event }) => event),
      ),
    async respond(answers) {
      return answers.map(({ elicitationId, action, content }) => {
        const question = asked.get(elicitationId);
        if (question === undefined) return { elicitationId, kind: "gone" };
        asked.delete(elicitationId);
        question.answer({ action, ...(action === "accept" && content !== undefined && { content }) });
        return { elicitationId, kind: "settled", outcome: outcomeOfAction[action] };
      });
    },
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
  };
  return questions;
}
