import { KitError } from "../../contract/kit-error.ts";
import type { User } from "../../runtime/index.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import { accountIds, providerOf, type CredentialStore } from "../ports/credentials.ts";
import { isLoopbackHttp } from "../../base/urls.ts";
import { keyPage, replaceKey } from "../api-key/api-key-page.ts";
import { addApiKeyRoutes } from "../api-key/api-key-routes.ts";
import { type ApiKeyProvider, checkKeyUrl } from "../api-key/api-key.ts";
import { createNangoAccounts } from "../nango/nango-accounts.ts";
import { nangoPage, type NangoIntegration, addNangoRoutes } from "../nango/nango-routes.ts";
import { createNangoClient } from "../nango/nango.ts";
import { scopesOf } from "../oauth/challenge.ts";
import { isSameIssuer } from "../oauth/authorization-server.ts";
import { createConfiguredSignIn, scopesAt } from "../oauth/configured-sign-in.ts";
import type { OAuthProvider } from "../oauth/oauth-provider.ts";
import type { McpSignIn } from "../oauth/mcp-sign-in.ts";
import type { SignIn } from "../oauth/oauth-client.ts";
import { type ClientAtIssuer, createOAuthFlow } from "../oauth/oauth-flow.ts";
import { redirectPathsOf } from "../oauth/redirect-paths.ts";
import type { Transactions } from "../ports/transactions.ts";
import {
  type Provider,
  type ProviderOptions,
  isApiKey,
  isNango,
  isVault,
  signInsOf,
} from "../with-connectors.ts";
import { createStoredAccounts } from "../stored-accounts.ts";
import { createVaultAccounts } from "../vault-accounts.ts";
import type { PageApp, PageContext, ShowPage } from "./context.ts";
import type { PageConnector, PageConnectors } from "./page-connector.ts";
import { addSignInRoutes } from "./sign-in/sign-in-routes.ts";

/** The connectors of a page, and the data that they need from it. */
export interface Connectors extends PageConnectors {
  /** Adds the routes that the connectors need. */
  addRoutes(app: PageApp, context: PageContext, show: ShowPage): void;
  /** The https origins that forms may lead to, the origins that scripts may call, and additional scripts. */
  readonly sources: {
    readonly forms: readonly string[];
    readonly connects: readonly string[];
    readonly scripts: readonly string[];
  };
}

interface ConnectorsOptions extends ProviderOptions {
  readonly providers: Readonly<Record<string, Provider>>;
  readonly mcpSignIn: McpSignIn | undefined;
  readonly mcpServers: PageContext["mcpServers"];
  readonly nangoFrontend: Readonly<Record<string, string>> | undefined;
  readonly credentials: CredentialStore;
  readonly transactions: Transactions;
  readonly origin: string;
  readonly onError: (error: unknown) => void;
}

export function createConnectors(options: ConnectorsOptions): Connectors {
  const { providers, mcpSignIn, nangoFrontend: frontend, credentials, transactions, onError } = options;
  const { clock, mcpServers } = options;
  const signIns = new Map<string, SignIn>();
  const accounts = createStoredAccounts({ credentials, signInOf: signInsOf(signIns, mcpSignIn), onError });
  const oauth = new Map<string, OAuthProvider>();
  const keys = new Map<string, ApiKeyProvider>();
  const integrations = new Map<string, NangoIntegration>();
  const byTool = new Map<string, PageConnector>();

  for (const [toolId, provider] of Object.entries(providers)) {
    const other = providerOf(toolId);
    if (other !== toolId && Object.hasOwn(providers, other)) {
      throw new KitError(
        `elicit-kit: a user's further accounts at "${other}" have the name of the provider "${toolId}". Name it otherwise.`,
      );
    }
    byTool.set(toolId, connectorOf(toolId, provider));
  }

  function connectorOf(toolId: string, provider: Provider): PageConnector {
    if (isApiKey(provider)) {
      checkKeyUrl(provider);
      keys.set(toolId, provider);
      return {
        ...provider,
        ...accounts,
        consent: (view, consent) => keyPage(view, consent, provider),
        accepted: (view, request) => replaceKey(view, request, provider),
      };
    }
    if (isNango(provider)) {
      if (frontend === undefined) {
        throw new KitError(
          "elicit-kit: a hosted page with a Nango provider needs nangoFrontend: await readNangoFrontend() of elicit-kit/node.",
        );
      }
      const client = createNangoClient(provider, options);
      integrations.set(toolId, { provider, client });
      const { origin } = new URL(client.host);
      return {
        ...provider,
        ...createNangoAccounts(client),
        isRemote: true,
        place: async () => ({ origin, scopes: provider.scopes ?? [] }),
        consent: nangoPage,
      };
    }
    if (isVault(provider)) {
      const { service, iconDataUrl, scopeWords } = provider;
      const vault = createVaultAccounts(provider, credentials, clock);
      return { service, iconDataUrl, scopeWords, isRemote: true, ...vault };
    }
    const signIn = createConfiguredSignIn(provider, options);
    signIns.set(toolId, signIn);
    oauth.set(toolId, provider);
    const { origin, host } = new URL(provider.issuer);
    const offline = (target: SignInTarget | undefined) => ({
      origin,
      host,
      scopes: scopesAt(provider, target),
    });
    const { service } = provider;
    const sameGrant = (_: ClientAtIssuer, user: User) => accountsAt(provider, user);
    const flow = createOAuthFlow({ service, signIn, offline, sameGrant, credentials, clock });
    return { ...provider, ...accounts, ...flow };
  }

  /** Some authorization servers, such as Google's, revoke all that a user has allowed one client. */
  async function accountsAt({ issuer, clientId }: ClientAtIssuer, user: User): Promise<readonly string[]> {
    const configured = [...oauth].filter(
      ([, other]) => other.clientId === clientId && isSameIssuer(other.issuer, issuer),
    );
    const own = (await mcpServers?.(user))?.filter(({ name }) => !byTool.has(name)) ?? [];
    return [...configured.map(([id]) => id), ...own.map(({ name }) => name)].flatMap(accountIds);
  }

  const redirectPaths = redirectPathsOf(oauth);
  const leavesAnywhere = mcpSignIn !== undefined || Object.values(providers).some(isVault);
  const issuers = [...oauth.values()].map(({ issuer }) => new URL(issuer));
  const hosts = [...integrations.values()].map(({ client }) => new URL(client.host).origin);
  return {
    byTool,
    discovered:
      mcpSignIn &&
      ((target) => {
        const scopes = scopesOf(target.scope);
        const { service } = target;
        const offline = () => ({ scopes });
        const shared = { service, offline, sameGrant: accountsAt, credentials, clock };
        return { service, ...accounts, ...createOAuthFlow({ ...shared, signIn: mcpSignIn }) };
      }),
    addRoutes(app, context, show) {
      addApiKeyRoutes(app, context, { keys, show });
      addSignInRoutes(app, context, { transactions, redirectPaths, mcpSignIn });
      if (frontend !== undefined) addNangoRoutes(app, context, { integrations, frontend });
    },
    sources: {
      forms: [
        ...issuers.filter(isLoopbackHttp).map(({ origin }) => origin),
        // A page on a developer's machine may sign in there.
        ...(leavesAnywhere && isLoopbackHttp(new URL(options.origin))
          ? ["http://localhost:*", "http://127.0.0.1:*"]
          : []),
      ],
      scripts: frontend === undefined ? [] : ["'self'"],
      connects: hosts.flatMap((host) => [host, host.replace("http", "ws")]),
    },
  };
}
