import { KitError } from "../../contract/kit-error.ts";
import type { User } from "../ports/index.ts";
import { hasId } from "./identity.ts";

/** Who sends a request of a protocol that programs speak: a client with a token, for one person or for many. */
export interface Caller {
  /** Absent: a service account that acts for many people. */
  readonly user?: User | undefined;
  /** The client that the token was issued to. */
  readonly clientId?: string | undefined;
}

/** All people with a missing id would share one identity, so a missing id is a server error. */
export function ensureCaller({ user }: Caller): void {
  if (user === undefined || user === null || hasId(user)) return;
  throw new KitError(
    "elicit-kit: authenticate must return a user whose id is a non-empty string, or no user.",
  );
}

/** Wraps the operator's `authenticate` and checks what it returns. `null` counts as `undefined`. */
export function callerOf<Found extends Caller>(
  authenticate: (request: Request) => Found | undefined | Promise<Found | undefined>,
): (request: Request) => Promise<Found | undefined> {
  return async (request) => {
    const caller: Found | null | undefined = await authenticate(request);
    if (caller === undefined || caller === null) return undefined;
    ensureCaller(caller);
    return caller;
  };
}

/** The `limitKey` of a caller's turns: a service account is limited by its client. */
export function limitKeyOf({ user, clientId }: Caller): string | undefined {
  return user === undefined && clientId !== undefined ? `client ${clientId}` : undefined;
}
