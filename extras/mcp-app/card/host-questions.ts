import type { Channel } from "../../../src/client/channel.ts";
import { systemClock } from "../../../src/client/clock.ts";
import { newId } from "../../../src/client/new-id.ts";
import { type OpenQuestion, createOpenQuestions } from "../../../src/client/open-questions.ts";
import { outcomeOfAction } from "../../../src/contract/contract.ts";
import { questionsOf } from "../questions.ts";

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

export function createHostQuestions(serverName: string, onAsk: (questions: Channel) => void): HostQuestions {
  const { open, ...asked } = createOpenQuestions<OpenQuestion & { answer(result: unknown): void }>(
    systemClock,
  );

  const questions: HostQuestions = {
    ask(params) {
      const inputRequests = { question: { params } };
      const [question] = questionsOf(
        { call: newId(), version: 1, inputRequests },
        { serverName, conversationId: "app", before: [] },
      );
      if (question?.request.mode !== "form") return Promise.resolve(undefined);
      onAsk(questions);
      return new Promise((resolve) => {
        asked.show({ ...question, answer: resolve });
      });
    },
    ...asked.channel,
    async respond(answers) {
      return answers.map(({ elicitationId, action, content }) => {
        const question = open.get(elicitationId);
        if (question === undefined) return { elicitationId, kind: "gone" };
        open.delete(elicitationId);
        question.answer({ action, ...(action === "accept" && content !== undefined && { content }) });
        return { elicitationId, kind: "settled", outcome: outcomeOfAction[action] };
      });
    },
  };
  return questions;
}
