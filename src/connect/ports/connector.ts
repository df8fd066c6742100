import { KitError } from "../../contract/kit-error.ts";
import type { User } from "../../runtime/index.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import type { Credential } from "./credentials.ts";
import type { LocalText } from "../../words/page/languages.ts";

/** The account that one tool uses for a user. */
export interface AccountKey {
  readonly toolId: string;
  readonly userId: string;
}

/** An account in a vault. */
export interface VaultAccount extends AccountKey {
  /** The value that `finish` returned when the user connected it. */
  readonly reference: string;
}

/** Why a call about an account failed. */
export interface AccountFault {
  readonly ok: false;
  /**
   * - `not-connected`: there is no account, or its tokens are no longer valid.
   * - `denied`: the user has refused at the service.
   * - `not-set-up`: the operator must set something up first.
   * - `not-approved`: an administrator at the service must approve first.
   * - `unavailable`: the service cannot be reached, or has failed. The state of the account is unknown.
   */
  readonly reason: "not-connected" | "denied" | "not-set-up" | "not-approved" | "unavailable";
  /**
   * The service's error code, such as `invalid_scope`. It is shown to the user, so only use values that look like a code.
   */
  readonly code?: string | undefined;
  /** The cause, for the operator's log. */
  readonly error?: unknown;
}

/** A user who leaves for the page where they connect an account. */
export interface ConnectRequest {
  readonly account: AccountKey;
  readonly user: User;
  /** The server whose call was refused, and the scopes that it needs. */
  readonly target: SignInTarget | undefined;
  /** The origin of the hosted page. */
  readonly origin: string;
  /** A secret of this sign-in: the browser must return with it as the parameter `state`. */
  readonly state: string;
  /** The URL to which the browser returns. */
  readonly redirectUri: string;
  /** The methods of earlier sign-ins for this request from which this browser did not return. */
  readonly tried: ReadonlySet<string>;
}

/** The page to which the browser is sent. */
export interface ConnectStart {
  readonly ok: true;
  readonly url: string;
  /** The data that `finish` needs: JSON, stored until the browser returns. It may contain secrets. */
  readonly data?: unknown;
}

/** A browser that has returned from that page: the one that left, with the same user. */
export interface ConnectReturn extends Pick<ConnectRequest, "account" | "user" | "state" | "redirectUri"> {
  readonly data: unknown;
  /** The query with which the browser has returned. */
  readonly parameters: URLSearchParams;
}

/** Where users sign in and for which scopes, as the page shows it before they leave. */
export interface SignInPlace {
  readonly scopes: readonly string[];
  /** The host where users sign in. Shown to the user. */
  readonly host?: string | undefined;
  /** The page keeps its window's opener only for origins that the operator trusts. */
  readonly origin?: string | undefined;
}

/**
 * Connects and keeps the accounts of one service. Implement it for a vendor's vault, or for your own. The hosted page
 * identifies the user, redirects the browser to the URL of `start`, and calls `finish` when it returns. A call that
 * rejects counts as `unavailable`.
 */
export interface Connector extends ProviderBase {
  /**
   * Returns a valid token. `refused`: the service has just refused this one, so another is needed. It never asks the
   * user.
   */
  token(
    account: VaultAccount,
    wanted: { refused: string | undefined },
  ): Promise<{ ok: true; credential: Credential } | AccountFault>;
  start(request: ConnectRequest): Promise<ConnectStart | AccountFault>;
  /**
   * Verifies the return of the browser. `reference` identifies the account in the vault. It is stored for this user, and
   * only that account is used. Verify a code that only the consenting browser gets, if the vault has one. Otherwise the
   * sender of a forwarded link has the account of its receiver until the receiver's browser returns too, and the page
   * revokes it. `name` is the provider's name for the account, such as an e-mail address, and is shown to the user.
   */
  finish(
    back: ConnectReturn,
  ): Promise<{ ok: true; reference: string; name?: string | undefined } | AccountFault>;
  /** Removes the account from the vault. */
  revoke(account: VaultAccount): Promise<{ ok: true } | AccountFault>;
  /** @default nothing is shown */
  place?(target: SignInTarget | undefined): Promise<SignInPlace>;
}

/** An account of the user at a service, for their agent. */
export interface ConnectedAccount {
  /** The provider's name for the account, such as an e-mail address, if it is known. */
  readonly name?: string | undefined;
  /** Its id at the provider, if it is known. */
  readonly accountId?: string | undefined;
  /** When the user connected it, in milliseconds since the epoch, if it is known. */
  readonly connectedAt?: number | undefined;
  /** The scopes of the account, if the provider has reported them. */
  readonly scopes: readonly string[];
}

/** The operations of the page on accounts, wherever they are stored. */
export interface Accounts {
  isConnected(
    account: AccountKey,
  ): Promise<{ ok: true; account: ConnectedAccount | undefined } | AccountFault>;
  /** Finds all accounts of a user with one call, by tool id. @default `isConnected` is called for each tool id */
  list?(
    userId: string,
  ): Promise<{ ok: true; accounts: ReadonlyMap<string, ConnectedAccount> } | AccountFault>;
  /**
   * Removes the account and revokes its tokens. `isRevoked: false`: the account is removed, but its tokens may still be
   * valid at the provider.
   */
  revoke(account: AccountKey): Promise<{ ok: true; isRevoked?: boolean | undefined } | AccountFault>;
}

/** Accounts whose tokens are not in the credential store. */
export interface VaultAccounts extends Accounts {
  token(
    account: AccountKey,
    wanted?: { refused: string | undefined },
  ): Promise<{ ok: true; credential: Credential } | AccountFault>;
  /** `only`: only if the account has this token. */
  revoke(
    account: AccountKey,
    only?: { token: string },
  ): Promise<{ ok: true; isRevoked?: boolean | undefined } | AccountFault>;
}

/** The start of a {@link SignInFlow}, which may set additional data for itself. */
export interface FlowStart extends ConnectStart {
  readonly state?: string | undefined;
  readonly redirectUri?: string | undefined;
  /** The method of this try. The next try gets it in `tried`. */
  readonly method?: string | undefined;
  /** A problem that does not stop the sign-in, for the operator's log. */
  readonly warning?: unknown;
}

/** There is no URL, because it would lead to a place that the page has not shown. */
export interface ChangedPlace {
  readonly ok: true;
  readonly url?: undefined;
}

/** The request of the hosted page to a {@link SignInFlow}. */
export interface FlowRequest extends ConnectRequest {
  /** Whether the page has shown this place. The flow asks before it registers a client there. */
  hasShown(place: SignInPlace): Promise<boolean>;
}

/** The result of connecting an account. */
export interface FlowEnd {
  readonly ok: true;
  /** The provider's name for the account. */
  readonly name?: string | undefined;
  /** Its id at the provider, if it is known. */
  readonly accountId?: string | undefined;
  /** The account in a vault. Absent if only the browser that consented could have finished. */
  readonly reference?: string | undefined;
  /** Stores the account. Called only if the request is still open. */
  store(): Promise<void>;
  /**
   * Revokes the granted tokens, unless that may end a connection that the user keeps. Called if the request has ended in
   * the meantime, or if `store` failed.
   */
  undo(): Promise<unknown>;
}

/** The functions with which the page sends a browser away and handles its return. */
export interface SignInFlow {
  place(target: SignInTarget | undefined): Promise<SignInPlace>;
  start(request: FlowRequest): Promise<FlowStart | ChangedPlace | AccountFault>;
  finish(back: ConnectReturn): Promise<FlowEnd | AccountFault>;
  /** Removes the account with this reference, which may belong to another user. A newer account stays. */
  disown?(account: AccountKey, reference: string): Promise<{ ok: true } | AccountFault>;
}

/** Runs a call of a connector, and returns a rejection as a value. */
export async function settled<T extends { ok: true }>(
  call: () => Promise<T | AccountFault>,
): Promise<T | AccountFault> {
  try {
    return await call();
  } catch (error) {
    return { ok: false, reason: "unavailable", error };
  }
}

/** Returns an error code if it is safe to show and log. */
export function codeOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[a-z_]{1,60}$/.test(value) ? value : undefined;
}

/** The error of a fault, for the operator. */
export function errorOf({ error, reason, code }: AccountFault, toolId: string): unknown {
  const answer = code === undefined ? reason : `${reason} (${code})`;
  return error ?? new KitError(`elicit-kit: the connector of "${toolId}" answered "${answer}".`);
}

/** How the page shows a service, for OAuth, API keys and vaults. */
export interface ProviderBase {
  /** The name of the service for users: "Linear". */
  service: string;
  /**
   * The service's icon: a `data:` URL of a square image of at most 64 KiB (PNG, JPEG, GIF, WebP, AVIF or SVG).
   * @default the first letter
   */
  iconDataUrl?: string | undefined;
  /**
   * A text for each scope. They complete a sentence that begins with "Can": `{ "issues:write": "create issues for you"
   * }`. A text, or one for each language of the page. Several scopes may have the same text. A scope without a text is
   * shown unchanged.
   */
  scopeWords?: Readonly<Record<string, LocalText>> | undefined;
}
