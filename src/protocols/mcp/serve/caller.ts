import type { User } from "../../../runtime/index.ts";

/** The sender of a request: `authenticate` of the operator returns it. */
export interface McpCaller {
  /**
   * The user. Leave it out for a service account that acts for many people: the agent then answers, but asks nothing.
   */
  readonly user?: User | undefined;
  /**
   * The client that the token was issued to. Conversations and rounds belong to one client of one user. The limits of the
   * runtime (`writesPerMinute`, `maxTurns`) count a service account by it; without it, they do not count one.
   */
  readonly clientId?: string | undefined;
}

/** Identifies the caller in one string, for comparisons. */
export function callerKey({ user, clientId }: McpCaller): string {
  return JSON.stringify([user?.id ?? null, clientId ?? null]);
}
