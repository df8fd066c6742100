import type { User } from "../ports.ts";

type WhoSends = (request: Request) => User | undefined | Promise<User | undefined>;

/**
 * The operator's `authenticate` or `session`, held to what it promises. An id that is missing would be one that all
 * share who have none, so it is an error of the server and nobody's identity. Nobody may be `null` to plain JavaScript.
 */
export function identityOf(who: WhoSends): (request: Request) => Promise<User | undefined> {
  return async (request) => {
    const user: User | null | undefined = await who(request);
    if (user === undefined || user === null) return undefined;
    if (typeof user.id === "string" && user.id !== "") return user;
    throw new Error(
      "elicit-kit: authenticate and session must return a user whose id is a string that is not empty, or undefined for nobody.",
    );
  };
}
