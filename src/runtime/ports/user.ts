/** A user, as the operator's `authenticate` identifies them. Never read from a body or a query. */
export interface User {
  readonly id: string;
  /** Display name. */
  readonly name?: string | undefined;
  /**
   * A name by which the user recognises this account: a verified e-mail address, a handle. The hosted page shows it.
   * @default the id
   */
  readonly account?: string | undefined;
}
