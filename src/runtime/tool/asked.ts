import type { ElicitationResult, FormQuestion, QuestionBase, Remember } from "../ask/question.ts";

export type Refusal = Exclude<ElicitationResult, { outcome: "accepted" }>;

/**
 * The result of asking: the answer, or the reason for a missing answer, with `text` for the model. `by`: the id of the
 * user who has answered instead of the user of the turn (`assignee`). `delegated`: the user left the decision to the agent,
 * and the value is the `fallback`. Tell the model that.
 */
export type Elicited<T> =
  | ({ readonly outcome: "accepted"; readonly value: T } & Decided)
  | (Refusal & { readonly text: string });

/** Set if another user has answered (`by`), or if the user left the decision to the agent (`delegated`). */
export interface Decided {
  readonly by?: string | undefined;
  readonly delegated?: true | undefined;
}

/**
 * `fallback`: the answer to use if this chat cannot show the request. It never pre-fills the field. `delegate`: the user may
 * also leave the decision to the agent ("You decide"), which then gets the fallback as `delegated`.
 */
export type Fallback<T> =
  | { fallback?: T | undefined; delegate?: false | undefined }
  | { fallback: T; delegate?: boolean | undefined };

/** Options of a single question of an `Elicitor`. */
export type AskOptions<T> = OwnOptions & Fallback<T>;

export interface OwnOptions extends Pick<QuestionBase, "expiresInMs" | "key" | "signal"> {
  /**
   * Lets the user tick that this answer is used again for the same question of this tool: for 30 days, unless `days` is
   * set. With `kind`, which is shown to the user, also for questions of that kind with another text.
   * @default the user is asked each time
   */
  remember?: Remember | undefined;
  /** Label of the field. @default "Your answer" */
  title?: string | undefined;
  description?: string | undefined;
  /**
   * The user or group that decides instead of the user, such as `{ user: "ada" }` or `{ group: "finance" }`, by the rule
   * `assign` of `createRuntime`.
   */
  assignee?: FormQuestion["assignee"];
}
