import type { User } from "../ports/index.ts";
import { KitError } from "../../contract/kit-error.ts";

type Authenticate = (request: Request) => User | undefined | Promise<User | undefined>;

/**
 * Wraps the operator's `authenticate` or `session` and checks what it returns. All users with a missing id would share
 * one identity, so a missing id is a server error. `null` counts as `undefined`, for callers in plain JavaScript.
 */
export function identityOf(authenticate: Authenticate): (request: Request) => Promise<User | undefined> {
  return async (request) => {
    const user: User | null | undefined = await authenticate(request);
    if (user === undefined || user === null) return undefined;
    if (hasId(user)) return user;
    throw new KitError(
      "elicit-kit: authenticate and session must return a user whose id is a non-empty string, or undefined if nobody is signed in.",
    );
  };
}

export function hasId({ id }: User): boolean {
  return typeof id === "string" && id !== "";
}
