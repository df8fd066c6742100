import { Hono } from "hono";
import {
  type Clock,
  type CredentialStore,
  type ElicitationService,
  type User,
  systemClock,
} from "../core/index.ts";
import { createRateLimit, isLoopbackHttp, isSecureOrigin, safeLog } from "../core/internal.ts";
import { createChallenges } from "./challenges.ts";
import type { PageContext, PageEnv } from "./context.ts";
import { createCookies } from "./cookies.ts";
import { unavailablePage } from "./identity-pages.ts";
import { addIdentityRoutes } from "./identity-routes.ts";
import { warnOfDeadLinks } from "./link-warning.ts";
import { createNangoClient } from "./nango.ts";
import { addNangoRoutes } from "./nango-routes.ts";
import { createOAuthClient } from "./oauth.ts";
import { addOAuthRoutes } from "./oauth-routes.ts";
import type { Connection, Provider } from "./page-request.ts";
import { addPageRoutes } from "./page-routes.ts";
import { redirectPathsOf } from "./redirect-paths.ts";
import { type Transactions, createMemoryTransactions } from "./transactions.ts";
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
   * The runtime that vouches for people, by its public address with its `basePath`: `https://chat.example.com/run`. A
   * browser is sent there to learn whose chat session is in it, and comes back; so the page works in any window: a new
   * tab, the same tab, a copied link, a link in a mail. Needs `hostedPage` of `createRuntime`, and a chat session that is
   * a cookie of that address. Https, or http on a loopback address.
   *
   * Without it people are known by `session`, or by the window of the chat that opened the page.
   */
  vouch?: { readonly url: string } | undefined;
  /**
   * Where the chat is: `https://chat.example.com`. Linked from pages that cannot tell who somebody is, and from the last
   * page when the request has no `returnUrl` that is allowed.
   */
  chatHome?: string | undefined;
  /**
   * Who is signed in to this origin, if it has sessions of its own. Who is signed in here as somebody else sees the page
   * of an unknown request, and no chat can vouch against that.
   */
  session?: ((request: Request) => User | undefined | Promise<User | undefined>) | undefined;
  /**
   * Makes the URL of the operator's login, which comes back to `returnTo`. Offered on pages that cannot tell who somebody
   * is. Only with `session`.
   */
  login?: ((returnTo: string) => string) | undefined;
  /**
   * Forms a person may send per minute. Their views of one request, in one browser, are held to ten times as many, and so
   * are the views of people who are not known, by address.
   * @default 20
   */
  postsPerMinute?: number | undefined;
  /**
   * What views of people who are not known are counted by: the client's address, as your own proxy tells it. Without
   * this function, and where it returns `undefined`, they are not counted.
   */
  anonymousKey?: ((request: Request) => string | undefined) | undefined;
  /**
   * Where trips to a provider are kept until the browser comes back. Give all processes that serve the page one store.
   * @default createMemoryTransactions()
   */
  transactions?: Transactions | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /** For calls to providers. @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Gets what went wrong, for the log. Of a provider's errors it gets the code; as of the runtime's `onError`, errors of
   * other code come without their words.
   */
  onError: (error: unknown) => void;
}

/** The hosted page as a handler of requests. Made by `createHostedPage`; serve it on an origin of its own. */
export interface HostedPage {
  /** Answers `/auth/connect…` and the redirect paths of the providers. */
  fetch: (request: Request) => Promise<Response>;
}

/** The page where a person connects an account (contract, section 6). */
export function createHostedPage(options: HostedPageOptions): HostedPage {
  const { elicitations, credentials, login, clock = systemClock, fetch } = options;
  const onError = safeLog(options.onError);
  if (!isSecureOrigin(options.origin)) {
    throw new Error(
      `elicit-kit: the origin of a hosted page must be an https origin without a path, or http on a loopback address. This is not: ${options.origin}`,
    );
  }
  const url = new URL(options.origin);
  const vouchUrl = secureUrl("vouch.url", options.vouch?.url);
  const chatHome = secureUrl("chatHome", options.chatHome);
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
  const viewers = createViewers({ elicitations, cookies, clock, session: options.session });
  const postsPerMinute = options.postsPerMinute ?? 20;
  const context: PageContext = {
    origin: options.origin,
    elicitations,
    credentials,
    connections,
    viewers,
    challenges: createChallenges({ cookies, clock }),
    cookies,
    login,
    vouchUrl: vouchUrl?.replace(/\/+$/, ""),
    chatHome,
    clock,
    onError,
    limits: {
      views: createRateLimit({ clock, perMinute: postsPerMinute * 10 }),
      strangers: createRateLimit({ clock, perMinute: postsPerMinute * 10 }),
      posts: createRateLimit({ clock, perMinute: postsPerMinute }),
    },
    anonymousKey: options.anonymousKey,
    trustedProviderOrigins: new Set(options.trustedProviderOrigins),
    allowedReturnOrigins: new Set(options.allowedReturnOrigins),
  };

  if (vouchUrl === undefined && options.session === undefined) warnOfDeadLinks();

  const app = new Hono<PageEnv>();
  const headers = securityHeaders([...connections.values()]);
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    // Link checkers only look, and a state, a code and a ticket are good for one use.
    if (c.req.method === "HEAD") return c.body(null, 405, { allow: "GET, POST" });
    const { secret, setCookie } = viewers.secretOf(c.req.raw);
    c.set("secret", secret);
    if (setCookie !== undefined) c.header("set-cookie", setCookie, { append: true });
    return next();
  });
  addPageRoutes(app, context);
  addIdentityRoutes(app, context);
  const redirectPaths = redirectPathsOf(connections);
  const transactions = options.transactions ?? createMemoryTransactions({ clock });
  addOAuthRoutes(app, { ...context, transactions, redirectPaths });
  if (options.nangoFrontend !== undefined) {
    addNangoRoutes(app, { ...context, frontend: options.nangoFrontend });
  }
  app.notFound((c) => c.html(unavailablePage(), 404));
  app.onError((error, c) => {
    onError(error);
    return c.html(unavailablePage(), 500);
  });
  return { fetch: async (request) => app.fetch(request) };
}

/** Checks an address that browsers are sent to. */
function secureUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (URL.canParse(text)) {
    const url = new URL(text);
    const isPlain = url.search === "" && url.hash === "" && url.username === "" && url.password === "";
    if (isPlain && isSecureOrigin(url.origin)) return url.href;
  }
  throw new Error(
    `elicit-kit: ${name} of a hosted page must be an https URL without a query, or http on a loopback address. This is not: ${text}`,
  );
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
