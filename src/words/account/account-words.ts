/** What an agent needs of the user for a call. */
export interface AccountNeed {
  /** Name of the agent that asks. */
  readonly asker: string;
  readonly service: string;
  readonly credential: "account" | "api-key";
  /** What the call does: the title of its tool. */
  readonly action?: string | undefined;
  /** The rights that the user's credential lacks, as a list. Absent if there is no credential yet. */
  readonly moreRights?: string | undefined;
}

/** The message of a card that asks for an account, in one language. */
export type AccountWords = (need: AccountNeed) => string;
