import type { User } from "../../../runtime/index.ts";

/** The sender of an HTTP request, as the operator's `authenticate` returns it. */
export interface A2aCaller {
  /**
   * The user behind the calling agent. Leave it out for a service account that acts for many users. The agent then asks
   * no questions, and its tasks can only be read in the reply to the message that started them.
   */
  readonly user?: User | undefined;
  /**
   * The client that the token was issued to. A task belongs to one client of one user. The limits of the runtime
   * (`writesPerMinute`, `maxTurns`) identify a service account by this id. Without it, they do not apply to a service
   * account.
   */
  readonly clientId?: string | undefined;
}
