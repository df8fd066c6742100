import type { Question } from "../request/question.ts";
import type { Turn } from "./turn.ts";

/**
 * Adds `delegate` to a turn. A delegated turn inherits everything except the messages, and can be aborted on its parent. The
 * caller provides its id. A counter would not be stable: when a turn runs again, recorded calls do not delegate again.
 */
export function withDelegation(parent: Omit<Turn, "delegate">): Turn {
  return {
    ...parent,
    delegate({ id, messages, signal: delegated }) {
      const signal = delegated === undefined ? parent.signal : AbortSignal.any([parent.signal, delegated]);
      const within = (question: Question): Question => ({
        ...question,
        signal: question.signal === undefined ? signal : AbortSignal.any([signal, question.signal]),
      });
      return withDelegation({
        ...parent,
        id: `${parent.id}.${id}`,
        messages,
        signal,
        ask: (question) => parent.ask(within(question)),
        askRound: (questions) => parent.askRound(questions.map(within)),
      });
    },
  };
}
