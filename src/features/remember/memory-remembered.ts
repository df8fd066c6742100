import { type RememberedAnswer, type RememberedAnswers, withAnswer } from "../../runtime/ports/remembered.ts";

const MAX_USERS = 10_000;
/** A user can have 50 answers of 64 KiB, so the number of users is no limit of the memory. */
const MAX_CHARACTERS = 32_000_000;

/**
 * Keeps remembered answers in memory, for the 10,000 users who have used this most recently, and at most 32 million
 * characters.
 */
export function createMemoryRemembered(): RememberedAnswers {
  const byUser = new Map<string, readonly RememberedAnswer[]>();
  const sizes = new WeakMap<RememberedAnswer, number>();
  let total = 0;

  function drop(userId: string): void {
    for (const answer of byUser.get(userId) ?? []) total -= sizes.get(answer) ?? 0;
    byUser.delete(userId);
  }

  function store(userId: string, answers: readonly RememberedAnswer[]): void {
    drop(userId);
    // A map keeps the order of insertion.
    if (answers.length > 0) byUser.set(userId, answers);
    for (const answer of answers) {
      const size = sizes.get(answer) ?? JSON.stringify(answer).length;
      sizes.set(answer, size);
      total += size;
    }
    for (const other of byUser.keys()) {
      if (byUser.size <= MAX_USERS && total <= MAX_CHARACTERS) break;
      drop(other);
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
