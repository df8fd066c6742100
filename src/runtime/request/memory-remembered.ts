import { type RememberedAnswer, type RememberedAnswers, withAnswer } from "../ports/remembered.ts";

const MAX_USERS = 10_000;

/** Keeps remembered answers in memory, for the 10,000 users who have used this most recently. */
export function createMemoryRemembered(): RememberedAnswers {
  const byUser = new Map<string, readonly RememberedAnswer[]>();

  function store(userId: string, answers: readonly RememberedAnswer[]): void {
    // A map keeps the order of insertion.
    byUser.delete(userId);
    if (answers.length > 0) byUser.set(userId, answers);
    for (const other of byUser.keys()) {
      if (byUser.size <= MAX_USERS) break;
      byUser.delete(other);
    }
  }

  return {
    list: async (userId) => byUser.get(userId) ?? [],
    async put(userId, answer) {
      store(userId, withAnswer(byUser.get(userId) ?? [], answer));
    },
    async remove(userId, key) {
      store(
        userId,
        (byUser.get(userId) ?? []).filter((answer) => answer.key !== key),
      );
    },
  };
}
