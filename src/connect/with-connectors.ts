import { type Clock, systemClock } from "../base/clock.ts";
import { KitError } from "../contract/kit-error.ts";
import {
  type Credential,
  type CredentialStore,
  isSameCredential,
  peekAt,
  byAccount,
} from "./ports/credentials.ts";
import { createNangoAccounts } from "./nango/nango-accounts.ts";
import { createNangoClient, type NangoProvider } from "./nango/nango.ts";
import { createConfiguredSignIn } from "./oauth/configured-sign-in.ts";
import type { SignInTarget } from "../runtime/internal.ts";
import type { McpSignIn } from "./oauth/mcp-sign-in.ts";
import type { SignIn } from "./oauth/oauth-client.ts";
import { withFreshTokens, type SignInOf } from "./oauth/refresh.ts";
import { type VaultAccounts, errorOf, settled, type Connector } from "./ports/connector.ts";
import { scopesOf } from "./oauth/challenge.ts";
import { localize, wordsFor } from "../words/page/languages.ts";
import { removeStored } from "./stored-accounts.ts";
import { createVaultAccounts } from "./vault-accounts.ts";
import type { ApiKeyProvider } from "./api-key/api-key.ts";
import type { OAuthProvider } from "./oauth/oauth-provider.ts";

/**
 * A credential store for all kinds of connections. OAuth tokens are in `store`. They are refreshed when an expired one is
 * read, and when a server has refused one. API keys are in `store`, too. Nango and other vaults keep their own tokens,
 * and are called for each.
 *
 * - The provider says that the refresh token is invalid: the credential is deleted, so the user is asked to connect
 *   again.
 * - The provider refuses for another reason, which may be the operator's mistake: nothing is deleted. The user is asked
 *   to connect again, and the next read tries once more.
 * - The provider or the vault cannot be reached: reading rejects, and nothing is deleted.
 */
export function withConnectors(
  store: CredentialStore,
  options: {
    /** The same as for the hosted page. Credentials of other tools are in `store` and not refreshed. */
    providers: Readonly<Record<string, Provider>>;
    /** The same as for the hosted page. Refreshes accounts at servers that were discovered. */
    mcpSignIn?: McpSignIn | undefined;
    /** @default systemClock */
    clock?: Clock | undefined;
    /** For calls to providers. @default globalThis.fetch */
    fetch?: typeof globalThis.fetch | undefined;
  },
): CredentialStore {
  const { clock = systemClock, fetch, providers, mcpSignIn } = options;
  const signIns = new Map<string, SignIn>();
  const configured = new Map(Object.entries(providers));
  const vaults = new Map<string, CredentialStore>();
  for (const [toolId, provider] of configured) {
    if (isOAuth(provider)) signIns.set(toolId, createConfiguredSignIn(provider, { clock, fetch }));
    else if (isNango(provider)) {
      vaults.set(toolId, storeOf(createNangoAccounts(createNangoClient(provider, { clock, fetch }))));
    } else if (isVault(provider)) vaults.set(toolId, storeOf(createVaultAccounts(provider, store, clock)));
  }
  const signInOf = signInsOf(signIns, mcpSignIn);
  const kept = withFreshTokens(store, signInOf, clock);
  const storeFor = (toolId: string) => byAccount(vaults, toolId) ?? kept;

  return {
    get: (toolId, userId) => storeFor(toolId).get(toolId, userId),
    peek: (toolId, userId) => peekAt(storeFor(toolId), toolId, userId),
    set: (toolId, userId, credential) => storeFor(toolId).set(toolId, userId, credential),
    delete: (toolId, userId) => storeFor(toolId).delete(toolId, userId),
    replace: (toolId, userId, old, next) => storeFor(toolId).replace(toolId, userId, old, next),
    async revoke(toolId, userId) {
      const vault = byAccount(vaults, toolId);
      if (vault === undefined) return removeStored(store, { toolId, userId }, signInOf);
      await vault.delete(toolId, userId);
      return { isRevoked: true };
    },
    renew: async (toolId, userId, refused) => storeFor(toolId).renew?.(toolId, userId, refused),
    rights(toolId, { scope }, languages) {
      const { scopeWords = {} } = byAccount(configured, toolId) ?? {};
      const words = wordsFor(languages);
      const rights = scopesOf(scope).map((one) => {
        const text = Object.hasOwn(scopeWords, one) ? scopeWords[one] : undefined;
        return text === undefined ? one : localize(text, words);
      });
      return [...new Set(rights)];
    },
    async obtain(toolId, userId, target) {
      if (byAccount(configured, toolId) !== undefined) return undefined;
      return kept.exclusively(toolId, userId, async () => {
        // Another call of the user may have obtained it meanwhile.
        const stored = await store.get(toolId, userId);
        if (stored !== undefined && covers(stored, target, clock.now())) return stored;
        const obtained = await mcpSignIn?.obtain?.(target, userId);
        if (obtained === undefined || "refusedBy" in obtained) return obtained;
        const credential = { ...obtained, connectedAt: clock.now() };
        // A grant of fewer scopes must not replace what the user has allowed.
        if (!covers(credential, target, clock.now())) return undefined;
        await store.set(toolId, userId, credential);
        return credential;
      });
    },
    exclusively: kept.exclusively,
  };
}

/** Whether a stored credential is valid for a call to `target`. */
function covers({ expiresAt, scope, binding }: Credential, target: SignInTarget, now: number): boolean {
  const granted = new Set(scopesOf(scope));
  return (
    binding?.serverUrl === target.url &&
    (expiresAt === undefined || now < expiresAt) &&
    scopesOf(target.scope).every((needed) => granted.has(needed))
  );
}

/** A vault as a credential store. It accepts no credentials, because it creates them itself. */
function storeOf(vault: VaultAccounts): CredentialStore {
  async function read(toolId: string, userId: string, refused?: string): Promise<Credential | undefined> {
    const found = await settled(() => vault.token({ toolId, userId }, { refused }));
    if (found.ok) return found.credential;
    if (found.reason === "unavailable") throw errorOf(found, toolId);
    return undefined;
  }

  async function remove(toolId: string, userId: string, only?: { token: string }): Promise<void> {
    const removed = await settled(() => vault.revoke({ toolId, userId }, only));
    if (!removed.ok) throw errorOf(removed, toolId);
  }

  return {
    get: (toolId, userId) => read(toolId, userId),
    set: (toolId) => Promise.reject(cannotStore(toolId)),
    delete: (toolId, userId) => remove(toolId, userId),
    async replace(toolId, userId, old, next) {
      if (next !== undefined) throw cannotStore(toolId);
      if (!isSameCredential(await read(toolId, userId), old)) return false;
      await remove(toolId, userId, { token: old.accessToken });
      return true;
    },
    renew: (toolId, userId, refused) => read(toolId, userId, refused.accessToken),
  };
}

function cannotStore(toolId: string): KitError {
  return new KitError(
    `elicit-kit: the credentials of "${toolId}" are kept in a vault, so they cannot be set here. Connect the account on the hosted page.`,
  );
}

/** How one tool is connected: with OAuth, an API key, Nango, or a {@link Connector} of another vault. */
export type Provider = OAuthProvider | ApiKeyProvider | NangoProvider | Connector;

/** The options of every part that reads `providers`. */
export interface ProviderOptions {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch | undefined;
}

export const isApiKey = (provider: Provider): provider is ApiKeyProvider => "apiKey" in provider;
export const isNango = (provider: Provider): provider is NangoProvider => "nango" in provider;
export const isVault = (provider: Provider): provider is Connector => "finish" in provider;
const isOAuth = (provider: Provider): provider is OAuthProvider => "issuer" in provider;

/** Finds the sign-in of a stored credential. `configured`: by tool. */
export function signInsOf(
  configured: ReadonlyMap<string, SignIn>,
  mcpSignIn: McpSignIn | undefined,
): SignInOf {
  return (toolId, { type, binding }) => {
    if (type === "api-key") return undefined;
    return binding === undefined ? byAccount(configured, toolId) : mcpSignIn;
  };
}
