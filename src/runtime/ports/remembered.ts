import type { ElicitationContent } from "../../contract/contract.ts";
import type { ElicitationRecord, ToolRef } from "./record.ts";
import type { Settlement } from "./records.ts";

/** An answer that the user lets the same tool use again. It is as private as the answer, so a database encrypts it. */
export interface RememberedAnswer {
  /** Identifies the tool and the question. Another question has another key. */
  readonly key: string;
  readonly tool: ToolRef;
  /** The question, and the kind of question that the answer applies to. */
  readonly message: string;
  readonly kind?: string | undefined;
  readonly content: ElicitationContent;
  /** The user's answer as text: label and value of each field. */
  readonly said: readonly (readonly [label: string, text: string])[];
  /** Milliseconds since the epoch. */
  readonly rememberedAt: number;
  readonly expiresAt: number;
}

/** Stores remembered answers by user. Expired answers need not be returned. */
export interface RememberedAnswers {
  /** Lists the answers, latest first. */
  list(userId: string): Promise<readonly RememberedAnswer[]>;
  /**
   * Stores an answer, replacing one with the same key. A store may limit the answers of a user, and then drops the
   * oldest.
   */
  put(userId: string, answer: RememberedAnswer): Promise<void>;
  remove(userId: string, key: string): Promise<void>;
  /**
   * Ends a record as `compareAndSet` of the records does, and stores the answer of its user in the same transaction.
   * Without it, the runtime calls `put` afterwards, and an answer is not remembered if the process dies in between.
   */
  end?(next: ElicitationRecord, settlement: Settlement, answer: RememberedAnswer): Promise<boolean>;
}

/** The largest number of answers for one user. */
const MAX_REMEMBERED = 50;

/** Returns the list of a user with `answer` as the latest. */
export function withAnswer(
  answers: readonly RememberedAnswer[],
  answer: RememberedAnswer,
): readonly RememberedAnswer[] {
  return [answer, ...answers.filter(({ key }) => key !== answer.key)].slice(0, MAX_REMEMBERED);
}
