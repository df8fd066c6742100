import type { ElicitationContent } from "../../contract/contract.ts";
import type { ToolRef } from "./record.ts";

/** An answer that its user lets the same tool use again. Private, like the answer: a database encrypts it. */
export interface RememberedAnswer {
  /** Stands for the tool and for what it asks. Another question has another key. */
  readonly key: string;
  readonly tool: ToolRef;
  /** What was asked, and the kind of question that the answer is for. */
  readonly message: string;
  readonly kind?: string | undefined;
  readonly content: ElicitationContent;
  /** What the user has answered, in words: label and text of each field. */
  readonly said: readonly (readonly [label: string, text: string])[];
  /** Milliseconds since the epoch. */
  readonly rememberedAt: number;
  readonly expiresAt: number;
}

/** Stores remembered answers by user. Those that have expired need not be returned. */
export interface RememberedAnswers {
  /** The latest first. */
  list(userId: string): Promise<readonly RememberedAnswer[]>;
  /** Stores an answer in place of one with the same key. A store may limit how many a user has: it drops the oldest. */
  put(userId: string, answer: RememberedAnswer): Promise<void>;
  remove(userId: string, key: string): Promise<void>;
}

/** More are not kept for one user. */
const MAX_REMEMBERED = 50;

/** The list of a user with `answer` as the latest. */
export function withAnswer(
  answers: readonly RememberedAnswer[],
  answer: RememberedAnswer,
): readonly RememberedAnswer[] {
  return [answer, ...answers.filter(({ key }) => key !== answer.key)].slice(0, MAX_REMEMBERED);
}
