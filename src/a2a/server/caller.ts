import type { User } from "../../runtime/core/index.ts";
import { KitError } from "../../protocol/kit-error.ts";

/** Who sends a request, as the operator's `authenticate` says. */
export interface A2aCaller {
  /**
   * The person behind the calling agent. Leave it out for a service account that acts for many people: the agent then
   * answers, but asks nothing, and its tasks can only be read in the reply to the message that started them.
   */
  readonly user?: User | undefined;
  /** The client that the token was issued to. A task belongs to one client of one person. */
  readonly clientId?: string | undefined;
}

/** All people with a missing id would share one identity. */
export function ensureUser({ user }: A2aCaller): void {
  if (user === undefined || user === null || (typeof user.id === "string" && user.id !== "")) return;
  throw new KitError(
    "elicit-kit: authenticate must return a user whose id is a non-empty string, or no user.",
  );
}
