import type { RememberedAnswer, RememberedAnswers } from "../../../runtime/internal.ts";
import { withAnswer } from "../../../runtime/internal.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { exclusively } from "../database/locks.ts";
import { type SecretKeys, createSecrets } from "./secrets.ts";

/** Keeps remembered answers for all processes, encrypted like credentials: one secret for each user. */
export function createPostgresRemembered(database: Database, keys: SecretKeys): RememberedAnswers {
  const secrets = createSecrets(database, "remembered", keys);

  async function list(userId: string): Promise<readonly RememberedAnswer[]> {
    const stored = await secrets.get(userId);
    const answers: readonly RememberedAnswer[] = stored === undefined ? [] : JSON.parse(stored.text);
    return answers;
  }

  function change(
    userId: string,
    changed: (answers: readonly RememberedAnswer[]) => readonly RememberedAnswer[],
  ): Promise<void> {
    return exclusively(database, keyOf("remembered", userId), async () => {
      const answers = changed(await list(userId));
      if (answers.length === 0) return secrets.delete(userId);
      const expiresAt = Math.max(...answers.map((answer) => answer.expiresAt));
      return secrets.set(userId, JSON.stringify(answers), expiresAt);
    });
  }

  return {
    list,
    put: (userId, answer) => change(userId, (answers) => withAnswer(answers, answer)),
    remove: (userId, key) => change(userId, (answers) => answers.filter((answer) => answer.key !== key)),
  };
}
