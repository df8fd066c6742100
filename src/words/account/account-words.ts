/** What an agent needs from the user for a call. */
export interface AccountNeed {
  /** The name of the agent that asks. */
  readonly asker: string;
  readonly service: string;
  readonly credential: "account" | "api-key";
  /** The action of the call: the title of its tool. */
  readonly action?: string | undefined;
  /** The scopes that the user's credential lacks, as a list. Absent if there is no credential yet. */
  readonly moreRights?: string | undefined;
  /** Whether the user connects another account in addition to their connected ones. */
  readonly isAnother: boolean;
}

/** What cards about accounts say, in one language. */
export interface AccountWords {
  /** Why an account is asked for. Without the agent's name: a card and a page show it beside the reason. */
  needs(need: Omit<AccountNeed, "asker">): string;
  /** Asks which of the user's accounts is used. */
  which(asked: Pick<AccountNeed, "asker" | "service">): string;
  /** The label of the accounts to choose from. */
  readonly account: string;
  /** The choice of an account that is not connected yet. */
  readonly another: string;
}
