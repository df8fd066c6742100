import { type Clock, type Credential, type CredentialStore, systemClock } from "../core/index.ts";
import { type OAuthClient, type OAuthProvider, OAuthFailure, createOAuthClient } from "./oauth.ts";
import type { Provider } from "./page-request.ts";

/** A token that ends this soon is not worth a call, when another one can be had. */
const MARGIN_MS = 30_000;

/**
 * A credential store that refreshes what has expired when it is read, and what a server has refused. What the provider
 * will not refresh is forgotten, so that the person is asked to connect again; while a provider cannot be reached,
 * reading rejects and nothing is lost. Nor is it by an error that may be the operator's, such as a client that may no
 * longer refresh: the person is asked to connect again, and until they do the next read tries once more.
 * Concurrent reads share one refresh: a provider that rotates refresh tokens takes a second use of one for theft.
 */
export function withRefresh(
  store: CredentialStore,
  options: {
    /** As for the hosted page. Credentials of tools that have no OAuth provider here are passed on as they are. */
    providers: Readonly<Record<string, Provider>>;
    clock?: Clock | undefined;
    fetch?: typeof globalThis.fetch | undefined;
  },
): CredentialStore {
  const { clock = systemClock, fetch } = options;
  const clients = new Map(
    Object.entries(options.providers)
      .filter((entry): entry is [string, OAuthProvider] => !("nango" in entry[1]))
      .map(([toolId, provider]) => [toolId, createOAuthClient(provider, { clock, fetch })]),
  );
  const refreshing = new Map<string, Promise<Credential | undefined>>();

  function isExpired(credential: Credential): boolean {
    const margin = credential.refreshToken === undefined ? 0 : MARGIN_MS;
    return credential.expiresAt !== undefined && clock.now() >= credential.expiresAt - margin;
  }

  async function refresh(
    client: OAuthClient,
    toolId: string,
    userId: string,
    isStale: (credential: Credential) => boolean,
  ): Promise<Credential | undefined> {
    const old = await store.get(toolId, userId);
    // An earlier refresh may have ended between the look that led here and this one.
    if (old === undefined || !isStale(old)) return old;
    const fresh = await refreshed(client, old);
    if (fresh === "refused") {
      const current = await store.get(toolId, userId);
      return current === undefined || isStale(current) ? undefined : current;
    }
    if (await store.replace(toolId, userId, old, fresh)) return fresh;
    // Disconnected or connected anew meanwhile: that counts. Nobody may keep a token that nobody can use; beside a new
    // connection it stays, since some providers take back all of a person's tokens with one. Else it ends by itself.
    const current = await store.get(toolId, userId);
    if (fresh !== undefined && current === undefined) await client.revoke(fresh).catch(() => {});
    return current;
  }

  async function refreshOnce(
    client: OAuthClient,
    toolId: string,
    userId: string,
    isStale: (credential: Credential) => boolean,
  ): Promise<Credential | undefined> {
    const key = JSON.stringify([toolId, userId]);
    const running = refreshing.get(key) ?? refresh(client, toolId, userId, isStale);
    refreshing.set(key, running);
    try {
      return await running;
    } finally {
      refreshing.delete(key);
    }
  }

  return {
    async get(toolId, userId) {
      const client = clients.get(toolId);
      const stored = await store.get(toolId, userId);
      if (client === undefined || stored === undefined || !isExpired(stored)) return stored;
      return refreshOnce(client, toolId, userId, isExpired);
    },
    set: (toolId, userId, credential) => store.set(toolId, userId, credential),
    delete: (toolId, userId) => store.delete(toolId, userId),
    replace: (toolId, userId, old, next) => store.replace(toolId, userId, old, next),
    async renew(toolId, userId, refused) {
      const client = clients.get(toolId);
      if (client === undefined) return store.renew?.(toolId, userId, refused);
      return refreshOnce(client, toolId, userId, ({ accessToken }) => accessToken === refused.accessToken);
    },
  };
}

/** Errors of the server and not of the token (RFC 6749, 5.2): who connects again would meet them too. */
const NOT_OF_THE_TOKEN: ReadonlySet<string | undefined> = new Set([
  undefined,
  "invalid_client",
  "server_error",
  "temporarily_unavailable",
]);

/** `undefined`: the provider will never refresh it. `refused`: it does not do so now, for whatever reason it has. */
async function refreshed(
  client: OAuthClient,
  { refreshToken }: Credential,
): Promise<Credential | "refused" | undefined> {
  if (refreshToken === undefined) return undefined;
  try {
    return await client.refresh(refreshToken);
  } catch (error) {
    if (!(error instanceof OAuthFailure) || NOT_OF_THE_TOKEN.has(error.code)) throw error;
    return error.code === "invalid_grant" ? undefined : "refused";
  }
}
