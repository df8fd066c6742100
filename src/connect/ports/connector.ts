import { KitError } from "../../contract/kit-error.ts";
import type { User } from "../../runtime/index.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import type { Credential } from "./credentials.ts";
import type { ProviderBase } from "./provider-base.ts";

/** The account of a user that one tool acts with. */
export interface AccountKey {
  readonly toolId: string;
  readonly userId: string;
}

/** An account in a vault. */
export interface VaultAccount extends AccountKey {
  /** What `finish` returned when the user connected it. */
  readonly reference: string;
}

/** Why nothing came of a call about an account. */
export interface AccountFault {
  readonly ok: false;
  /**
   * - `not-connected`: there is no account, or its tokens are good for nothing any more.
   * - `denied`: the user has refused at the service.
   * - `not-set-up`: the operator has to do something first.
   * - `unavailable`: the service cannot be reached, or has failed. Nothing is known about the account.
   */
  readonly reason: "not-connected" | "denied" | "not-set-up" | "unavailable";
  /** The service's code for it, such as `invalid_scope`. Shown to the user, so only what looks like a code. */
  readonly code?: string | undefined;
  /** For the log of the operator. */
  readonly error?: unknown;
}

/** A trip of a user to where they connect an account. */
export interface ConnectRequest {
  readonly account: AccountKey;
  readonly user: User;
  /** The server whose call was refused, and the rights that it needs. */
  readonly target: SignInTarget | undefined;
  /** Of the hosted page. */
  readonly origin: string;
  /** A secret of this trip: the browser must come back with it as the parameter `state`. */
  readonly state: string;
  /** Where the browser comes back. */
  readonly redirectUri: string;
  /** The methods with which this browser has left for this request without coming back. */
  readonly tried: ReadonlySet<string>;
}

/** Where the browser goes. */
export interface ConnectStart {
  readonly ok: true;
  readonly url: string;
  /** What `finish` needs: JSON, stored until the browser comes back. It may hold secrets. */
  readonly data?: unknown;
}

/** A browser that has come back from a trip: the one that left, with the same user. */
export interface ConnectReturn extends Pick<ConnectRequest, "account" | "user" | "state" | "redirectUri"> {
  readonly data: unknown;
  /** The query with which it has come back. */
  readonly parameters: URLSearchParams;
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
 * How the accounts of one service are connected and kept: the port for a vault of a vendor, or of your own. The hosted page
 * knows who the user is, sends the browser to the URL of `start`, and takes it back to `finish`. A call that rejects counts
 * as `unavailable`.
 */
export interface Connector extends ProviderBase {
  /** A fresh token. `refused`: the service has just refused this one, so another is needed. Never asks the user. */
  token(
    account: VaultAccount,
    wanted: { refused: string | undefined },
  ): Promise<{ ok: true; credential: Credential } | AccountFault>;
  start(request: ConnectRequest): Promise<ConnectStart | AccountFault>;
  /**
   * Checks what the browser has brought. `reference` names the account in the vault: it is kept for this user, and only the
   * account that it names is used. So an account that somebody else has connected with a forwarded link is not. `name` is what the
   * provider calls it, such as an e-mail address. The user reads it.
   */
  finish(
    back: ConnectReturn,
  ): Promise<{ ok: true; reference: string; name?: string | undefined } | AccountFault>;
  /** Removes the account from the vault. */
  revoke(account: VaultAccount): Promise<{ ok: true } | AccountFault>;
  /** @default nothing is shown */
  place?(target: SignInTarget | undefined): Promise<SignInPlace>;
}

/** An account of the user at a service, which their agent can use. */
export interface ConnectedAccount {
  /** What the provider calls it, such as an e-mail address, if it has said so. */
  readonly name?: string | undefined;
  /** What it may do, as far as the provider has said so. */
  readonly scopes: readonly string[];
}

/** What the page does with accounts, wherever they are kept. */
export interface Accounts {
  isConnected(
    account: AccountKey,
  ): Promise<{ ok: true; account: ConnectedAccount | undefined } | AccountFault>;
  /**
   * Removes the account and gives its tokens back. `only`: if it is the one that has this token. `isRevoked: false`: the
   * account is removed, but its provider could not be reached.
   */
  revoke(
    account: AccountKey,
    only?: { token: string },
  ): Promise<{ ok: true; isRevoked?: boolean | undefined } | AccountFault>;
}

/** Accounts whose tokens are not in the credential store. */
export interface VaultAccounts extends Accounts {
  token(
    account: AccountKey,
    wanted?: { refused: string | undefined },
  ): Promise<{ ok: true; credential: Credential } | AccountFault>;
}

/** A start of a {@link SignInFlow}, which may choose more for itself. */
export interface FlowStart extends ConnectStart {
  readonly state?: string | undefined;
  readonly redirectUri?: string | undefined;
  /** How it is tried this time. The next time, `tried` has it. */
  readonly method?: string | undefined;
  /** For the log of the operator. */
  readonly warning?: unknown;
}

/** What a trip has brought. */
export interface FlowEnd {
  readonly ok: true;
  /** What the provider calls the account. */
  readonly name?: string | undefined;
  /** Makes the account usable. Called only if the request is still open. */
  store(): Promise<void>;
  /** Gives back what was granted. Called if the request has ended meanwhile, or `store` failed. */
  undo(): Promise<unknown>;
}

/** How the page sends a browser away and takes it back. */
export interface SignInFlow {
  place(target: SignInTarget | undefined): Promise<SignInPlace>;
  start(request: ConnectRequest): Promise<FlowStart | AccountFault>;
  finish(back: ConnectReturn): Promise<FlowEnd | AccountFault>;
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
