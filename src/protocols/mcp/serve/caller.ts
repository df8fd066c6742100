import type { User } from "../../../runtime/index.ts";

/** The sender of an HTTP request, as the operator's `authenticate` returns it. */
export interface McpCaller {
  /** The user. Leave it out for a service account that acts for many users. The agent then asks no questions. */
  readonly user?: User | undefined;
  /**
   * The client that the token was issued to. Conversations and rounds belong to one client of one user. The limits of the
   * runtime (`writesPerMinute`, `maxTurns`) identify a service account by this id. Without it, they do not apply to a
   * service account.
   */
  readonly clientId?: string | undefined;
}

/** Identifies the caller in one string, for comparisons. */
export function callerKey({ user, clientId }: McpCaller): string {
  return JSON.stringify([user?.id ?? null, clientId ?? null]);
}
