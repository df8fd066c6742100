import { type Credential, type CredentialStore, peekAt } from "../ports/credentials.ts";
import type { Clock } from "../../base/clock.ts";
import type { SignIn } from "./oauth-client.ts";
import { SignInError, UNKNOWN_CLIENT } from "./sign-in-error.ts";

/**
 * Finds the sign-in that obtained a credential. A stored credential may be older than the current configuration of its
 * tool.
 */
export type SignInOf = (toolId: string, credential: Credential) => SignIn | undefined;

/** A credential store whose tokens are fresh. */
export type FreshStore = CredentialStore & Required<Pick<CredentialStore, "exclusively">>;

/** A token that expires this soon is refreshed before use. */
export const MARGIN_MS = 30_000;

/**
 * A credential store that refreshes a token when an expired one is read, and when a server has refused it.
 *
 * A token that was refreshed in the last 30 seconds is kept until it expires, even if a server refuses it. Without this
 * rule, a server whose tokens live for a second, or that refuses every token, would cause a refresh for every read.
 *
 * Concurrent reads share one refresh, because a provider that rotates refresh tokens treats a second use as theft.
 */
export function withFreshTokens(store: CredentialStore, signInOf: SignInOf, clock: Clock): FreshStore {
  const refreshing = new Map<string, Promise<Credential | undefined>>();
  const recent = createRecentTokens(clock);

  const exclusively = store.exclusively?.bind(store) ?? inThisProcess();

  function isExpired(credential: Credential): boolean {
    // A new token is used until it expires. Otherwise a token that lives shorter than the margin would never be used.
    const isLast = credential.refreshToken === undefined || recent.has(credential);
    const margin = isLast ? 0 : MARGIN_MS;
    return clock.now() >= (credential.expiresAt ?? Infinity) - margin;
  }

  /** What is stored, unless it is the stale credential that the caller has read. */
  async function otherThan(
    isStale: (credential: Credential) => boolean,
    toolId: string,
    userId: string,
  ): Promise<Credential | undefined> {
    const current = await store.get(toolId, userId);
    return current === undefined || isStale(current) ? undefined : current;
  }

  async function refresh(
    toolId: string,
    userId: string,
    isStale: (credential: Credential) => boolean,
  ): Promise<Credential | undefined> {
    const old = await store.get(toolId, userId);
    // Another refresh may have ended since the caller read the credential.
    if (old === undefined || !isStale(old)) return old;
    const signIn = signInOf(toolId, old);
    if (signIn === undefined) return old;
    let fresh = await refreshed(old, signIn);
    // Microsoft wants the granted scopes again if the server is its own client (AADSTS90009).
    if (fresh === "refused" && old.scope !== undefined) fresh = await refreshed(old, signIn, old.scope);
    if (fresh === "refused") return otherThan(isStale, toolId, userId);
    if (fresh !== undefined) recent.add(fresh);
    if (await store.replace(toolId, userId, old, fresh)) return fresh;
    // The user has disconnected or reconnected in the meantime, which takes precedence. After a disconnect, the new token
    // is revoked, because it is unused. After a reconnection, it is left to expire, because some providers revoke all
    // tokens of a user together.
    const current = await store.get(toolId, userId);
    if (fresh !== undefined && current === undefined) await signIn.revoke(fresh).catch(() => {});
    return current;
  }

  async function refreshOnce(
    toolId: string,
    userId: string,
    isStale: (credential: Credential) => boolean,
  ): Promise<Credential | undefined> {
    const key = JSON.stringify([toolId, userId]);
    const running =
      refreshing.get(key) ?? exclusively(toolId, userId, () => refresh(toolId, userId, isStale));
    refreshing.set(key, running);
    try {
      return await running;
    } finally {
      refreshing.delete(key);
    }
  }

  return {
    async get(toolId, userId) {
      const stored = await store.get(toolId, userId);
      if (stored === undefined || !isExpired(stored)) return stored;
      // Without a sign-in nothing can refresh it, and no other process need wait.
      return signInOf(toolId, stored) === undefined ? stored : refreshOnce(toolId, userId, isExpired);
    },
    peek: (toolId, userId) => peekAt(store, toolId, userId),
    set: (toolId, userId, credential) => store.set(toolId, userId, credential),
    delete: (toolId, userId) => store.delete(toolId, userId),
    replace: (toolId, userId, old, next) => store.replace(toolId, userId, old, next),
    exclusively,
    async renew(toolId, userId, refused) {
      if (signInOf(toolId, refused) === undefined) return store.renew?.(toolId, userId, refused);
      const isRefused = ({ accessToken }: Credential) => accessToken === refused.accessToken;
      if (!recent.has(refused) || isExpired(refused)) return refreshOnce(toolId, userId, isRefused);
      // A refresh has just made this refused token, so another refresh would not help.
      return otherThan(isRefused, toolId, userId);
    },
  };
}

/** Runs work for one tool and user one after the other, in a store for one process. */
function inThisProcess(): FreshStore["exclusively"] {
  const last = new Map<string, Promise<unknown>>();
  return async (toolId, userId, work) => {
    const key = JSON.stringify([toolId, userId]);
    const mine = last.get(key)?.then(work, work) ?? work();
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/** The tokens from refreshes in the last {@link MARGIN_MS}. */
function createRecentTokens(clock: Clock) {
  const madeAt = new Map<string, number>();
  const isRecent = (at = -Infinity) => clock.now() < at + MARGIN_MS;
  return {
    has: ({ accessToken }: Credential) => isRecent(madeAt.get(accessToken)),
    add({ accessToken }: Credential): void {
      for (const [token, at] of madeAt) if (!isRecent(at)) madeAt.delete(token);
      madeAt.set(accessToken, clock.now());
    },
  };
}

/**
 * The codes for a refresh token that no server will take again: RFC 6749, 5.2; GitHub; Slack; and those that ask for the
 * user themselves: OpenID Connect Core, 3.1.2.6; Microsoft.
 */
const GONE: ReadonlySet<string | undefined> = new Set([
  "invalid_grant",
  "bad_refresh_token",
  "invalid_refresh_token",
  "token_expired",
  "token_revoked",
  "interaction_required",
  "login_required",
  "consent_required",
]);

/** Errors of the server or its client, not of the token (RFC 6749, 5.2; GitHub; Slack). Connecting again would not help. */
const NOT_OF_THE_TOKEN: ReadonlySet<string | undefined> = new Set([
  undefined,
  ...UNKNOWN_CLIENT,
  "server_error",
  "temporarily_unavailable",
  "internal_error",
  "fatal_error",
  "ratelimited",
  "rate_limited",
  "service_unavailable",
]);

type Refreshed = Credential | "refused" | undefined;

/** `undefined`: the provider will never refresh this token. `refused`: it refused for another reason. */
async function refreshed(old: Credential, signIn: SignIn, again?: string): Promise<Refreshed> {
  const { refreshToken, account, accountId, connectedAt } = old;
  if (refreshToken === undefined) return undefined;
  try {
    // A provider does not repeat the account.
    return { account, accountId, connectedAt, ...(await signIn.refresh(old, again)) };
  } catch (error) {
    if (!(error instanceof SignInError) || NOT_OF_THE_TOKEN.has(error.code)) throw error;
    return GONE.has(error.code) ? undefined : "refused";
  }
}
