import {
  type ElicitationRecord,
  type RememberedAnswer,
  type RememberedAnswers,
  type Settlement,
  withAnswer,
} from "../../../src/runtime/internal.ts";
import type { Database } from "../database/database.ts";
import type { StatementPart } from "../database/row.ts";
import { type Secret, type SecretKeys, createSecrets } from "./secrets.ts";

type Answers = readonly RememberedAnswer[];

/** Ends a record. The statement has `part` in its `with` list, after the entry `changed`. */
type EndWith = (next: ElicitationRecord, settlement: Settlement, part: StatementPart) => Promise<boolean>;

/** Keeps remembered answers for all processes, encrypted like credentials: one secret for each user. */
export function createPostgresRemembered(
  database: Database,
  keys: SecretKeys,
  endWith: EndWith,
): RememberedAnswers {
  const secrets = createSecrets(database, "remembered", keys);

  const list = async (userId: string) => answersOf(await secrets.get(userId));

  /** The entry `kept` that replaces the answers of a user. It stores nothing if another process has changed them. */
  function kept(
    from: string,
    userId: string,
    old: Secret | undefined,
    answers: Answers,
  ): Promise<StatementPart> {
    const expiresAt = Math.max(...answers.map((answer) => answer.expiresAt));
    return secrets.kept(from, userId, old, { text: JSON.stringify(answers), expiresAt });
  }

  async function change(userId: string, changed: (answers: Answers) => Answers): Promise<void> {
    for (let isStored = false; !isStored;) {
      const old = await secrets.get(userId);
      const answers = changed(answersOf(old));
      if (answers.length === 0) {
        isStored = old === undefined || (await secrets.replace(userId, old, undefined));
      } else {
        const { sql, values } = (await kept("(values (1)) as one", userId, old, answers))(1);
        isStored = (await database.query(`with ${sql} select id from kept`, values)).length > 0;
      }
    }
  }

  const put = (userId: string, answer: RememberedAnswer) =>
    change(userId, (answers) => withAnswer(answers, answer));

  return {
    list,
    put,
    remove: (userId, key) => change(userId, (answers) => answers.filter((answer) => answer.key !== key)),
    async end(next, settlement, answer) {
      const { id: userId } = next.user;
      const old = await secrets.get(userId);
      const part = await kept("changed", userId, old, withAnswer(answersOf(old), answer));
      if (!(await endWith(next, settlement, part))) return false;
      const isKept = ({ key, rememberedAt }: RememberedAnswer) =>
        key === answer.key && rememberedAt >= answer.rememberedAt;
      // Another answer of this user came between.
      if (!(await list(userId)).some(isKept)) await put(userId, answer);
      return true;
    },
  };
}

function answersOf(stored: Secret | undefined): Answers {
  const answers: Answers = stored === undefined ? [] : JSON.parse(stored.text);
  return answers;
}
