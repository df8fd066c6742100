import type { Question } from "../elicitation/question.ts";
import type { Turn } from "./turn.ts";

/**
 * Adds delegation: everything is handed down but the messages, and each level can be aborted by itself. Who
 * delegates gives the id: counted ones would be others when a turn runs again, since its recorded calls delegate no more.
 */
export function withDelegation(own: Omit<Turn, "delegate">): Turn {
  return {
    ...own,
    delegate({ id, messages, signal: delegated }) {
      const signal = delegated === undefined ? own.signal : AbortSignal.any([own.signal, delegated]);
      const within = (question: Question): Question => ({
        ...question,
        signal: question.signal === undefined ? signal : AbortSignal.any([signal, question.signal]),
      });
      return withDelegation({
        ...own,
        id: `${own.id}.${id}`,
        messages,
        signal,
        ask: (question) => own.ask(within(question)),
        askRound: (questions) => own.askRound(questions.map(within)),
      });
    },
  };
}
