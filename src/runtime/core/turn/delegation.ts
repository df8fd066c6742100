import type { Question } from "../elicitation/question.ts";
import type { Turn } from "./turn.ts";

/**
 * Adds `delegate` to a turn. A delegated turn inherits everything except the messages, and can be aborted on its own. The
 * caller provides its id. A counter would not be stable: when a turn runs again, recorded calls do not delegate again.
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
