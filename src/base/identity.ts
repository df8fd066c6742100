import { KitError } from "../contract/kit-error.ts";

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

/** The sender of an HTTP request. `key` identifies the user, or the address if there is no session. Absent: unknown. */
export interface Sender {
  readonly user: User | undefined;
  readonly key: string | undefined;
}

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

function hasId({ id }: User): boolean {
  return typeof id === "string" && id !== "";
}

/** The caller of an endpoint for programs, such as MCP or A2A: a client with a token, for one user or for many. */
export interface Caller {
  /** Absent for a service account that acts for many users. */
  readonly user?: User | undefined;
  /** The client that the token was issued to. */
  readonly clientId?: string | undefined;
}

/** All users with a missing id would share one identity, so a missing id is a server error. */
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

/** The `limitKey` of a caller's turns. A service account is identified by its client. */
export function limitKeyOf({ user, clientId }: Caller): string | undefined {
  return user === undefined && clientId !== undefined ? `client ${clientId}` : undefined;
}
