import { KitError } from "../../contract/kit-error.ts";
import type { Credential, SignInTarget, User } from "../../runtime/index.ts";
import type { ProviderBase } from "./provider-base.ts";

/** The account of a user that one tool acts with. */
export interface AccountKey {
  readonly toolId: string;
  readonly userId: string;
}

/** Why nothing came of a call about an account. */
export interface AccountFault {
  readonly ok: false;
  /**
   * - `not-connected`: the user has connected no account, or its token is good for nothing any more.
   * - `more-scopes`: the account lacks rights that were asked for.
   * - `denied`: the user has refused at the service.
   * - `not-set-up`: the operator has to do something first.
   * - `unavailable`: the service cannot be reached, or has failed. Nothing is known about the account.
   */
  readonly reason: "not-connected" | "more-scopes" | "denied" | "not-set-up" | "unavailable";
  /** The service's code for it, such as `invalid_scope`. Shown to the user, so only what looks like a code. */
  readonly code?: string | undefined;
  /** For the log of the operator. */
  readonly error?: unknown;
}

/** An account of the user at a service, which their agent can use. */
export interface ConnectedAccount {
  /** What the provider calls it, such as an e-mail address, if it has said so. */
  readonly name?: string | undefined;
  /** What it may do, as far as the provider has said so. */
  readonly scopes: readonly string[];
}

/** Reads and removes the accounts of users. A call that rejects counts as `unavailable`. */
export interface AccountAccess {
  /**
   * A fresh token. `refused`: a token that the service has just refused, so another one is needed. `scopes`: the rights
   * that it needs. Never asks the user.
   */
  token(
    account: AccountKey,
    wanted?: { refused?: string | undefined; scopes?: readonly string[] | undefined },
  ): Promise<{ ok: true; credential: Credential } | AccountFault>;
  isConnected(
    account: AccountKey,
  ): Promise<{ ok: true; account: ConnectedAccount | undefined } | AccountFault>;
  /** Removes the account and gives its tokens back. `only`: if it is the one that has this token. */
  revoke(account: AccountKey, only?: { token: string }): Promise<{ ok: true } | AccountFault>;
}

/** A trip to where an account is connected. */
export interface ConnectRequest {
  readonly account: AccountKey;
  readonly user: User;
  /** The server whose call was refused, and the rights that it needs. */
  readonly target: SignInTarget | undefined;
  /** Of the hosted page. */
  readonly origin: string;
  /** A secret of this trip: the browser must come back with it as the parameter `state`. */
  readonly state: string;
  /** Where the browser comes back. It must get there with `state`. */
  readonly redirectUri: string;
  /** The methods with which this browser has left for this request without coming back. */
  readonly tried: ReadonlySet<string>;
}

/** Where the browser goes. */
export interface ConnectStart {
  readonly ok: true;
  readonly url: string;
  /** What `finish` needs: JSON, stored until the browser comes back. */
  readonly data?: unknown;
  /** If it is another than that of the request. */
  readonly state?: string | undefined;
  /** If it is another than that of the request: one of `redirectPaths`. */
  readonly redirectUri?: string | undefined;
  /** How it is tried this time. The next time, `tried` has it. */
  readonly method?: string | undefined;
  /** For the log of the operator. */
  readonly warning?: unknown;
}

/** A browser that has come back from a trip. */
export interface ConnectReturn extends Pick<ConnectRequest, "account" | "user" | "state"> {
  readonly data: unknown;
  /** The query with which it has come back. */
  readonly parameters: URLSearchParams;
}

/** What the trip has brought. */
export interface ConnectEnd {
  readonly ok: true;
  /** Makes the account usable. Called only if the request is still open. */
  store?(): Promise<void>;
  /** Gives back what was granted. Called if the request has ended meanwhile, or `store` failed. */
  undo?(): Promise<void>;
}

/** Where users sign in and for what, as the page shows it before they leave. */
export interface SignInPlace {
  readonly scopes: readonly string[];
  /** Shown to the user. */
  readonly host?: string | undefined;
  /** The page keeps its window's opener only for the origins that the operator trusts. */
  readonly origin?: string | undefined;
}

/**
 * How the accounts of one service are connected and kept: the port for a vault of your own or of a vendor. The hosted page
 * knows who the user is, calls `start`, and takes the browser back to `finish`. A call that rejects counts as `unavailable`.
 */
export interface Connector extends ProviderBase, AccountAccess {
  start(request: ConnectRequest): Promise<ConnectStart | AccountFault>;
  finish(back: ConnectReturn): Promise<ConnectEnd | AccountFault>;
  place?(target: SignInTarget | undefined): Promise<SignInPlace>;
}

/** Runs a call of a connector, with a rejection as a value. */
export async function settled<T extends { ok: true }>(
  call: () => Promise<T | AccountFault>,
): Promise<T | AccountFault> {
  try {
    return await call();
  } catch (error) {
    return { ok: false, reason: "unavailable", error };
  }
}

/** The error of a fault, for the operator. */
export function errorOf({ error, reason, code }: AccountFault, toolId: string): unknown {
  const answer = code === undefined ? reason : `${reason} (${code})`;
  return error ?? new KitError(`elicit-kit: the connector of "${toolId}" answered "${answer}".`);
}
