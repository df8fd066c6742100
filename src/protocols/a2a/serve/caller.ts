import type { User } from "../../../runtime/index.ts";

/** The sender of a request: `authenticate` of the operator returns it. */
export interface A2aCaller {
  /**
   * The user behind the calling agent. Leave it out for a service account that acts for many people: the agent then
   * answers, but asks nothing, and its tasks can only be read in the reply to the message that started them.
   */
  readonly user?: User | undefined;
  /**
   * The client that the token was issued to. A task belongs to one client of one user. The limits of the runtime
   * (`writesPerMinute`, `maxTurns`) count a service account by it; without it, they do not count one.
   */
  readonly clientId?: string | undefined;
}
