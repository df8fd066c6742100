import type { Turn } from "./turn.ts";

/**
 * Adds delegation: everything is handed down but the messages, and each level can be aborted by itself. Ids are counted,
 * so that a turn which is run again delegates to the same ones.
 */
export function withDelegation(own: Omit<Turn, "delegate">): Turn {
  let count = 0;
  return {
    ...own,
    delegate({ messages, signal: delegated }) {
      const signal = delegated === undefined ? own.signal : AbortSignal.any([own.signal, delegated]);
      count += 1;
      return withDelegation({
        ...own,
        id: `${own.id}.${count}`,
        messages,
        signal,
        ask: (question) =>
          own.ask({
            ...question,
            signal: question.signal === undefined ? signal : AbortSignal.any([signal, question.signal]),
          }),
      });
    },
  };
}
