import { Hono } from "hono";
import {
  type Clock,
  type CredentialStore,
  type ElicitationService,
  type User,
  systemClock,
} from "../core/index.ts";
import { createRateLimit } from "../core/internal.ts";
import type { PageContext, PageEnv } from "./context.ts";
import { createCookies } from "./cookies.ts";
import { createNangoClient } from "./nango.ts";
import { addNangoRoutes } from "./nango-routes.ts";
import { createOAuthClient } from "./oauth.ts";
import { isLoopbackHttp } from "./oauth-metadata.ts";
import { addOAuthRoutes } from "./oauth-routes.ts";
import { addPageRoutes } from "./page-routes.ts";
import { unavailablePage } from "./pages.ts";
import { redirectPathsOf } from "./redirect-paths.ts";
import { type Connection, type Provider, createSubjects } from "./subject.ts";
import { createTransactions } from "./transactions.ts";
import { createViewers } from "./viewer.ts";

/** What `createHostedPage` takes. */
export interface HostedPageOptions {
  /**
   * The page's public origin, such as `https://auth.example.com`: another one than the chat's, or the chat could read
   * the page. Plain http only on a loopback address.
   */
  origin: string;
  elicitations: ElicitationService;
  /** Where what people connect is stored, by tool and person. */
  credentials: CredentialStore;
  /** By tool id: the `tool.id` of the question, which for the agent is the name of the MCP server. */
  providers: Readonly<Record<string, Provider>>;
  /**
   * The modules of `@nangohq/frontend`, which the page serves to itself: `await readNangoFrontend()` of
   * `elicit-kit/runtime/node`. Needed when a provider is Nango's.
   */
  nangoFrontend?: Readonly<Record<string, string>> | undefined;
  /** Origins of chats that may be linked to at the end (`returnUrl` of a chat request). */
  allowedReturnOrigins?: readonly string[] | undefined;
  /** Origins of sign-in pages that may keep a handle on the chat's window. For all others it is cut before leaving. */
  trustedProviderOrigins?: readonly string[] | undefined;
  /**
   * Who is signed in to this origin, if it has sessions of its own. When nobody is, the chat is asked to vouch for the
   * person (contract, section 6), or, with `login`, they sign in first.
   */
  session?: ((request: Request) => User | undefined | Promise<User | undefined>) | undefined;
  /** Makes the URL of the operator's login, which comes back to `returnTo`. Only with `session`. */
  login?: ((returnTo: string) => string) | undefined;
  /**
   * Forms a person may send per minute. Views of one request are held to ten times as many.
   * @default 20
   */
  postsPerMinute?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /** For calls to providers. @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
  /** Gets what went wrong, for the log. Errors of providers are stripped of everything they carry but their message. */
  onError: (error: unknown) => void;
}

/** The hosted page as a handler of requests. Made by `createHostedPage`; serve it on an origin of its own. */
export interface HostedPage {
  /** Answers `/auth/connect…` and the redirect paths of the providers. */
  fetch: (request: Request) => Promise<Response>;
}

/** The page where a person connects an account (contract, section 6). */
export function createHostedPage(options: HostedPageOptions): HostedPage {
  const { elicitations, credentials, login, clock = systemClock, fetch, onError } = options;
  const url = new URL(options.origin);
  if (url.origin !== options.origin || (url.protocol !== "https:" && !isLoopbackHttp(url))) {
    throw new Error(
      `elicit-kit: the origin of a hosted page must be an https origin without a path, or http on a loopback address. This is not: ${options.origin}`,
    );
  }
  if (login !== undefined && options.session === undefined) {
    throw new Error(
      "elicit-kit: a hosted page with a login needs a session, or nobody would ever be signed in.",
    );
  }
  const connections = new Map(
    Object.entries(options.providers).map(([toolId, provider]) => [toolId, connectionOf(provider)]),
  );
  function connectionOf(provider: Provider): Connection {
    if (!("nango" in provider)) {
      return { kind: "oauth", provider, client: createOAuthClient(provider, { clock, fetch }) };
    }
    if (options.nangoFrontend === undefined) {
      throw new Error(
        "elicit-kit: a hosted page with a Nango provider needs nangoFrontend: await readNangoFrontend() of elicit-kit/runtime/node.",
      );
    }
    return { kind: "nango", provider, client: createNangoClient(provider, { clock, fetch }) };
  }
  const cookies = createCookies(url);
  const viewers = createViewers({ cookies, session: options.session });
  const postsPerMinute = options.postsPerMinute ?? 20;
  const context: PageContext = {
    origin: options.origin,
    elicitations,
    credentials,
    viewers,
    cookies,
    login,
    clock,
    onError,
    findSubject: createSubjects({ elicitations, connections, viewers }),
    limits: {
      pages: createRateLimit({ clock, perMinute: postsPerMinute * 10 }),
      posts: createRateLimit({ clock, perMinute: postsPerMinute }),
    },
    trustedProviderOrigins: new Set(options.trustedProviderOrigins),
    allowedReturnOrigins: new Set(options.allowedReturnOrigins),
  };

  const app = new Hono<PageEnv>();
  const headers = securityHeaders([...connections.values()]);
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const { secret, setCookie } = viewers.secretOf(c.req.raw);
    c.set("secret", secret);
    if (setCookie !== undefined) c.header("set-cookie", setCookie, { append: true });
    await next();
  });
  addPageRoutes(app, context);
  const redirectPaths = redirectPathsOf(connections);
  addOAuthRoutes(app, { ...context, transactions: createTransactions(clock), redirectPaths });
  if (options.nangoFrontend !== undefined) {
    addNangoRoutes(app, { ...context, connections, frontend: options.nangoFrontend });
  }
  app.notFound((c) => c.html(unavailablePage(), 404));
  app.onError((error, c) => {
    onError(error);
    return c.html(unavailablePage(), 500);
  });
  return { fetch: async (request) => app.fetch(request) };
}

/**
 * No inline code, no frames, no caches, no referrer. Forms may lead to any https page, because Chromium holds every
 * redirect after a form to `form-action`, and a provider may send the person through sign-in pages on many origins.
 */
function securityHeaders(connections: readonly Connection[]): Readonly<Record<string, string>> {
  const loopback = connections
    .flatMap((one) => (one.kind === "oauth" ? new URL(one.provider.issuer) : []))
    .filter(isLoopbackHttp);
  const formAction = ["'self'", "https:", ...new Set(loopback.map(({ origin }) => origin))].join(" ");
  const nango = connections.flatMap((one) => (one.kind === "nango" ? new URL(one.client.host).origin : []));
  const connect = ["'self'", ...new Set(nango.flatMap((host) => [host, host.replace("http", "ws")]))].join(
    " ",
  );
  return {
    "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${connect}; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}
