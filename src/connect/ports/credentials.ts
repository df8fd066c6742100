import { isObject } from "../../contract/json.ts";
import type { SignInTarget } from "../../runtime/internal.ts";

/** A credential with which a tool acts for a user. It is never logged, streamed or shown to a model. */
export interface Credential {
  /** The token, or the API key. */
  readonly accessToken: string;
  /**
   * An API key is sent only to servers that are configured to take one, and a token is never sent as a key. @default
   * "token"
   */
  readonly type?: "token" | "api-key" | undefined;
  /** Milliseconds since the epoch. Absent if the provider does not report it. */
  readonly expiresAt?: number | undefined;
  readonly refreshToken?: string | undefined;
  /** The granted scopes, separated by spaces. */
  readonly scope?: string | undefined;
  /** The provider's name for the account, such as an e-mail address. Shown to its user on the hosted page. */
  readonly account?: string | undefined;
  /** Identifies the account at its provider (`sub` of the ID token), because two accounts may have one name. */
  readonly accountId?: string | undefined;
  /**
   * When the user connected it, in milliseconds since the epoch. Absent if code of the application stored it. Without it
   * and `accountId`, a call that waits for its user keeps its first token, because the next may be of another account.
   */
  readonly connectedAt?: number | undefined;
  /** Set if the sign-in was discovered from a server's metadata. The credential is then valid only for that server. */
  readonly binding?: CredentialBinding | undefined;
}

/** The server and the issuer of a credential. It is sent to no other server, and refreshed at no other issuer. */
export interface CredentialBinding {
  /** URL of the MCP server. */
  readonly serverUrl: string;
  /** The authorization server, as its metadata names it. */
  readonly issuer: string;
  /** The resource of the token (RFC 8707). */
  readonly resource: string;
  readonly clientId: string;
  /**
   * Set if the client was registered dynamically: how it authenticates. With it, the token can be refreshed and revoked
   * after another registration has replaced this one.
   */
  readonly registeredClient?: ClientAuthentication | undefined;
}

/** How a client authenticates at the token endpoint of an authorization server. */
export interface ClientAuthentication {
  /** Absent for a public client. Keep it like a password. */
  readonly clientSecret?: string | undefined;
  /** The registered method. Absent: a method that the server supports. */
  readonly authMethod?: "client_secret_basic" | "client_secret_post" | "none" | undefined;
}

/** Whether the tokens of a deleted credential are revoked, too, and why not. */
export type Revoked = { readonly isRevoked: true } | { readonly isRevoked: false; readonly error: unknown };

/** A credential, or who refuses it by policy. `undefined`: only the user can connect it. */
export type Obtained = Credential | { readonly refusedBy: string } | undefined;

/** Stores credentials, one per tool and user. In production, use a store that encrypts at rest. */
export interface CredentialStore {
  /**
   * Resolves with `undefined` only if there is no credential. Rejects if that is unknown, for example while a provider is
   * down.
   */
  get(toolId: string, userId: string): Promise<Credential | undefined>;
  /**
   * Reads what is stored, without a refresh, so the token may have expired. Omit this method in a store whose `get` does
   * not refresh.
   */
  peek?(toolId: string, userId: string): Promise<Credential | undefined>;
  set(toolId: string, userId: string, credential: Credential): Promise<void>;
  delete(toolId: string, userId: string): Promise<void>;
  /**
   * Atomically replaces `old` with `next`, or deletes it if `next` is `undefined`. Returns `false`, and changes nothing,
   * if another credential is stored. So a refresh or a refusal cannot overwrite a connection that the user has changed in
   * the meantime.
   */
  replace(toolId: string, userId: string, old: Credential, next: Credential | undefined): Promise<boolean>;
  /**
   * Refreshes a credential that a server refused before its expiry, without asking the user. Returns `undefined` if it
   * cannot be refreshed. Omit this method in a store that cannot refresh.
   */
  renew?(toolId: string, userId: string, refused: Credential): Promise<Credential | undefined>;
  /**
   * Gets a credential without asking the user, for example from the identity provider of their company, and stores it.
   * `target`: the server and the scopes that a call needs. Omit this method in a store that only users fill.
   */
  obtain?(toolId: string, userId: string, target: SignInTarget): Promise<Obtained>;
  /**
   * Deletes the credential and revokes its tokens at the provider. `isRevoked: false`: it is deleted, but the provider did
   * not answer. Omit this method in a store that cannot revoke.
   */
  revoke?(toolId: string, userId: string): Promise<Revoked>;
  /**
   * The granted rights of a credential for its user, in the best of `languages`: `scopeWords` of its provider. A scope
   * without words is returned unchanged. Omit this method in a store that knows no providers.
   */
  rights?(
    toolId: string,
    credential: Pick<Credential, "scope">,
    languages: readonly string[],
  ): readonly string[];
  /**
   * Runs `work` while no other process runs work for this tool and user, for example with a lock of the database. Used
   * for refreshes, because a provider that rotates refresh tokens treats a second use as theft. Omit it in a store for
   * one process.
   */
  exclusively?<T>(toolId: string, userId: string, work: () => Promise<T>): Promise<T>;
}

/** Reads what is stored, without a refresh. */
export async function peekAt(
  store: CredentialStore,
  toolId: string,
  userId: string,
): Promise<Credential | undefined> {
  return store.peek === undefined ? store.get(toolId, userId) : store.peek(toolId, userId);
}

/** For development: keeps credentials in memory. After a restart, users have to connect again. */
export function createMemoryCredentials(): CredentialStore {
  const stored = new Map<string, Credential>();
  return {
    async get(toolId, userId) {
      return stored.get(keyOf(toolId, userId));
    },
    async set(toolId, userId, credential) {
      stored.set(keyOf(toolId, userId), credential);
    },
    async delete(toolId, userId) {
      stored.delete(keyOf(toolId, userId));
    },
    async replace(toolId, userId, old, next) {
      const key = keyOf(toolId, userId);
      if (!isSameCredential(stored.get(key), old)) return false;
      if (next === undefined) stored.delete(key);
      else stored.set(key, next);
      return true;
    },
  };
}

/** Whether a value from a store is a credential. */
export function isCredential(value: unknown): value is Credential {
  if (!isObject(value) || typeof value["accessToken"] !== "string") return false;
  const isOptional = (name: string, type: "number" | "string") =>
    value[name] === undefined || typeof value[name] === type;
  return (
    isOptional("expiresAt", "number") &&
    isOptional("refreshToken", "string") &&
    isOptional("scope", "string") &&
    isOptional("account", "string") &&
    isOptional("accountId", "string") &&
    isOptional("connectedAt", "number") &&
    [undefined, "token", "api-key"].some((type) => type === value["type"]) &&
    (value["binding"] === undefined || isBinding(value["binding"]))
  );
}

function isBinding(value: unknown): value is CredentialBinding {
  const names = ["serverUrl", "issuer", "resource", "clientId"];
  return (
    isObject(value) &&
    names.every((name) => typeof value[name] === "string") &&
    (value["registeredClient"] === undefined || isClientAuthentication(value["registeredClient"]))
  );
}

function isClientAuthentication(value: unknown): value is ClientAuthentication {
  if (!isObject(value)) return false;
  const { clientSecret, authMethod } = value;
  const methods = [undefined, "client_secret_basic", "client_secret_post", "none"];
  return ["string", "undefined"].includes(typeof clientSecret) && methods.some((one) => one === authMethod);
}

/** Whether a token can be sent in a header (RFC 6749, appendix A.12). Otherwise `fetch` would put it in an error message. */
export function isSendable(token: string): boolean {
  return /^[\x20-\x7e]+$/.test(token);
}

/** Whether two credentials are the same. Compares their tokens, which are unique. */
export function isSameCredential(stored: Credential | undefined, other: Credential): boolean {
  return stored?.accessToken === other.accessToken && stored.refreshToken === other.refreshToken;
}

type AccountName = Pick<Credential, "account" | "accountId">;

/**
 * Whether two credentials are for one account. Two accounts may have one name, so the name only counts if the provider has
 * not identified both.
 */
export function isSameAccount(one: AccountName, other: AccountName): boolean {
  if (one.accountId !== undefined && other.accountId !== undefined) return one.accountId === other.accountId;
  return one.account !== undefined && one.account === other.account;
}

function keyOf(toolId: string, userId: string): string {
  return JSON.stringify([toolId, userId]);
}

/** The largest number of accounts of one service for each user. */
const MAX_ACCOUNTS = 5;
const FURTHER = /\/[2-5]$/;

/**
 * The ids of a user's accounts at a service, which replace the tool id. The first one is the name of the provider, so a
 * single account needs no other id.
 */
export function accountIds(provider: string): readonly string[] {
  return Array.from({ length: MAX_ACCOUNTS }, (_, index) =>
    index === 0 ? provider : `${provider}/${index + 1}`,
  );
}

/** The ids of the other accounts at the same service. */
export function siblingsOf(id: string): readonly string[] {
  return accountIds(providerOf(id)).filter((other) => other !== id);
}

/** Finds the entry for the provider of an account. */
export function byAccount<T>(byProvider: ReadonlyMap<string, T>, id: string): T | undefined {
  return byProvider.get(id) ?? byProvider.get(providerOf(id));
}

/** The name of the provider of an account. */
export function providerOf(id: string): string {
  return id.replace(FURTHER, "");
}
