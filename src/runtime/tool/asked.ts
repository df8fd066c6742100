import type { ElicitationResult, FormQuestion, QuestionBase, Remember } from "../request/question.ts";

export type Refusal = Exclude<ElicitationResult, { outcome: "accepted" }>;

/**
 * The result of asking: the answer, or the reason for a missing answer, with `text` for the model. `by`: the id of the user who
 * has answered in place of the user of the turn (`assignee`).
 */
export type Elicited<T> =
  | { readonly outcome: "accepted"; readonly value: T; readonly by?: string | undefined }
  | (Refusal & { readonly text: string });

/** Options of a single question of an `Elicitor`. */
export interface AskOptions<T> extends Pick<QuestionBase, "expiresInMs" | "key" | "signal"> {
  /**
   * Lets the user tick that this answer is used again when this tool asks the same: for 30 days, unless `days` says otherwise.
   * With `kind`, which the user reads, also when the words are others.
   * @default the user is asked each time
   */
  remember?: Remember | undefined;
  /** Label of the field. @default "Your answer" */
  title?: string | undefined;
  description?: string | undefined;
  /**
   * Who decides in place of the user, such as `{ user: "ada" }` or `{ group: "finance" }`, by the rule `assign` of
   * `createRuntime`.
   */
  assignee?: FormQuestion["assignee"];
  /** The answer to use if this chat cannot show the request. It never pre-fills the field. */
  fallback?: T | undefined;
}
