import { safeLog } from "../../base/foreign-error.ts";
import { failureOf, retryHeader } from "../../base/reply.ts";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { User } from "../../runtime/index.ts";
import type { ElicitationService } from "../../runtime/internal.ts";
import type { CredentialStore } from "../ports/credentials.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { createRateLimit } from "../../base/write-limit.ts";
import { isSecureOrigin } from "../../base/urls.ts";
import type { McpSignIn } from "../oauth/mcp-sign-in.ts";
import { addAccountsRoutes } from "./accounts/accounts-routes.ts";
import { createChallenges } from "./identity/challenges.ts";
import type { PageContext, PageEnv } from "./context.ts";
import { createCookies, lookOf } from "./cookies.ts";
import { addAnswerRoutes } from "./answer/answer-routes.ts";
import { addAssigneeRoutes } from "./answer/assignee-routes.ts";
import { addExtendRoute } from "./extend-route.ts";
import { type Brand, accentStyle, brandOf, warnOfBrand, warnOfDeadLinks } from "./layout/brand.ts";
import { isAheadOfUser, unavailable } from "./identity/identity-gate.ts";
import { brokenPage } from "./identity/identity-pages.ts";
import { addIdentityRoutes } from "./identity/identity-routes.ts";
import { createPageImages } from "./layout/images.ts";
import type { Provider } from "../with-connectors.ts";
import { type Connectors, createConnectors } from "./connectors.ts";
import { addPageRoutes } from "./connect-routes.ts";
import { SCRIPT } from "./script.ts";
import { styleOf, digestSource, securityHeaders } from "./layout/layout.ts";
import { type Transactions, createMemoryTransactions } from "../ports/transactions.ts";
import { createViewers } from "./identity/viewer.ts";
import { catalogueFor, wordsFor } from "../../words/page/languages.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The options of `createHostedPage`. */
export interface HostedPageOptions {
  /**
   * The page's public origin, such as `https://auth.example.com`. It must differ from the chat's, because the chat could
   * otherwise read the page. Plain http only on a loopback address.
   */
  origin: string;
  elicitations: ElicitationService;
  /** Stores the users' credentials, by tool and user. The page shows connected accounts from here, and removes them. */
  credentials: CredentialStore;
  /**
   * For MCP servers without an entry in `providers`: finds the sign-in of a server from its own metadata. Create it with
   * `createMcpSignIn` and the origin of this page, and pass the same one to `withConnectors`.
   */
  mcpSignIn?: McpSignIn | undefined;
  /**
   * The MCP servers of a user without an entry in `providers`, like `mcpServers` of `createAgentTurn`. `/auth/accounts`
   * lists their accounts, too. Requires `mcpSignIn`.
   */
  mcpServers?:
    | ((user: User) => Promise<
        readonly {
          readonly name: string;
          readonly url: string;
          readonly service?: string | undefined;
          readonly several?: boolean | undefined;
        }[]
      >)
    | undefined;
  /** By tool id: the `tool.id` of the question, which for the agent is the name of the MCP server. */
  providers: Readonly<Record<string, Provider>>;
  /**
   * The modules of `@nangohq/frontend`, which the page serves itself: `await readNangoFrontend()` of `elicit-kit/node`.
   * Required for Nango providers.
   */
  nangoFrontend?: Readonly<Record<string, string>> | undefined;
  /** The operator's name, logo and colour, for every page. Without it, a page shows its host. */
  brand?: Brand | undefined;
  /** Origins of chats to which the last page may link (`returnUrl` of a chat request). */
  allowedReturnOrigins?: readonly string[] | undefined;
  /**
   * Origins of sign-in pages that may keep `window.opener`, the chat's window. It is cut before redirecting to all
   * others.
   */
  trustedProviderOrigins?: readonly string[] | undefined;
  /**
   * The public address of the runtime that vouches for users, with its `basePath`: `https://chat.example.com/run`. The
   * page redirects the browser there to find out which user its chat session belongs to, and the browser comes back. So
   * the page works in any window: a new tab, the same tab, a copied link, a link in a mail. Needs `hostedPage` of
   * `createRuntime`, and a chat session that is a cookie of that address. Https, or http on a loopback address.
   *
   * Without it, users are identified by `session`, or through the window of the chat that opened the page.
   */
  vouch?: { readonly url: string } | undefined;
  /**
   * The URL of the chat: `https://chat.example.com`. "Back to your chat" on every page links to it, unless the request
   * has an allowed `returnUrl`. Without it, error pages have no link back. Required if `allowedOrigins` of
   * `createRuntime` is a function and users are identified through the chat's window, because the page then asks only
   * this chat.
   */
  chatHome?: string | undefined;
  /**
   * Returns the user who is signed in to this origin, if it has its own sessions. A user who is signed in here with
   * another account sees the page of an unknown request, and a chat cannot override that.
   */
  session?: ((request: Request) => User | undefined | Promise<User | undefined>) | undefined;
  /**
   * Returns the URL of the operator's login, which must return to `returnTo`. Offered on pages that cannot identify the
   * user, and to switch accounts. Only with `session`.
   */
  login?: ((returnTo: string) => string) | undefined;
  /** How much the page accepts from a user. */
  limits?: PageLimits | undefined;
  /**
   * Stores sign-ins at a provider until the browser returns. Processes that serve the same page must share one store.
   * @default createMemoryTransactions()
   */
  transactions?: Transactions | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /** For calls to providers. @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Called with internal errors, for the log. Errors of a provider have its error code. As for `onError` of the runtime,
   * errors of third-party code have no message.
   */
  onError: (error: unknown) => void;
}

/** How much a hosted page accepts from a user. */
interface PageLimits {
  /**
   * The number of forms that a user may send per minute. Ten times as many views are allowed: for one request in one
   * browser, and for unknown users from one address.
   * @default 20
   */
  postsPerMinute?: number | undefined;
  /**
   * The key for rate-limiting views of unknown users: the client's address, as your own proxy reports it. Views without a
   * key are not limited.
   */
  anonymousKey?: ((request: Request) => string | undefined) | undefined;
}

/** The hosted page as a handler of HTTP requests. Created by `createHostedPage`. Serve it on a separate origin. */
export interface HostedPage {
  /** Handles `/auth/connect…`, `/auth/accounts…` and the redirect paths of the providers. */
  fetch: (request: Request) => Promise<Response>;
}

/**
 * Creates the page where a user connects an account (contract, section 6). Serve its `fetch` on a separate origin.
 *
 * @example
 * const page = createHostedPage({
 *   origin: "https://auth.example.com",
 *   vouch: { url: "https://chat.example.com/run" },
 *   elicitations: runtime.elicitations,
 *   credentials: withConnectors(stored, { providers }),
 *   providers,
 *   onError: console.error,
 * });
 * await serve({ fetch: page.fetch, port: 4000 });
 */
export function createHostedPage(options: HostedPageOptions): HostedPage {
  const { elicitations, credentials, login, clock = systemClock, fetch } = options;
  const onError = safeLog(options.onError);
  if (!isSecureOrigin(options.origin)) {
    throw new KitError(
      `elicit-kit: the origin of a hosted page must be an https origin without a path, or http on a loopback address. This is not: ${options.origin}`,
    );
  }
  const url = new URL(options.origin);
  const vouchUrl = secureUrl("vouch.url", options.vouch?.url);
  const chatHome = secureUrl("chatHome", options.chatHome);
  if (login !== undefined && options.session === undefined) {
    throw new KitError(
      "elicit-kit: a hosted page with a login needs a session: without it, the page cannot tell who has signed in.",
    );
  }
  const connectors = createConnectors({
    ...options,
    mcpSignIn: options.mcpSignIn,
    mcpServers: options.mcpServers,
    nangoFrontend: options.nangoFrontend,
    transactions: options.transactions ?? createMemoryTransactions({ clock }),
    fetch,
    clock,
    onError,
  });
  const images = createPageImages();
  const brand = brandOf(options.brand, images);
  const accent = accentStyle(options.brand?.accent);
  const serviceIcons = new Map<string, string>();
  for (const [toolId, { iconDataUrl }] of Object.entries(options.providers)) {
    if (iconDataUrl === undefined) continue;
    serviceIcons.set(toolId, images.add(iconDataUrl, `providers.${toolId}.iconDataUrl`));
  }
  const cookies = createCookies(url);
  const viewers = createViewers({ elicitations, cookies, clock, session: options.session });
  const { postsPerMinute = 20, anonymousKey } = options.limits ?? {};
  const context: PageContext = {
    origin: options.origin,
    elicitations,
    credentials,
    connectors,
    serviceIcons,
    images,
    viewers,
    challenges: createChallenges({ cookies, clock }),
    cookies,
    login,
    vouchUrl: vouchUrl?.replace(/\/+$/, ""),
    chatHome,
    mcpServers: options.mcpServers,
    clock,
    onError,
    limits: {
      views: createRateLimit({ clock, perMinute: postsPerMinute * 10 }),
      strangers: createRateLimit({ clock, perMinute: postsPerMinute * 10 }),
      posts: createRateLimit({ clock, perMinute: postsPerMinute }),
    },
    anonymousKey,
    trustedProviderOrigins: new Set(options.trustedProviderOrigins),
    allowedReturnOrigins: new Set(options.allowedReturnOrigins),
  };

  if (vouchUrl === undefined && options.session === undefined) warnOfDeadLinks();
  warnOfBrand(accent.warnings);

  const app = new Hono<PageEnv>();
  const style = styleOf(accent.css);
  let headers: Promise<Readonly<Record<string, string>>> | undefined;
  app.use(async (c, next) => {
    headers ??= policyOf(connectors.sources, { style, hasImages: !images.isEmpty }).then(securityHeaders);
    for (const [name, value] of Object.entries(await headers)) c.header(name, value);
    // Neither a link checker nor a browser ahead of its user may use up a state, a code or a ticket.
    if (c.req.method === "HEAD") return c.body(null, 405, { allow: "GET, POST" });
    if (isAheadOfUser(c.req.raw)) return c.body(null, 503);
    const { secret, setCookie } = viewers.secretOf(c.req.raw);
    c.set("secret", secret);
    const look = lookOf(c.req.raw, cookies);
    const words = wordsFor(look.languages);
    const view = { words, catalogue: catalogueFor(words), brand, style, host: url.host, chatHome };
    c.set("view", { ...view, theme: look.theme });
    for (const header of [setCookie, look.setCookie])
      if (header !== undefined) c.header("set-cookie", header, { append: true });
    return next();
  });
  connectors.addRoutes(app, context, addPageRoutes(app, context));
  addAnswerRoutes(app, context);
  addAssigneeRoutes(app, context);
  addExtendRoute(app, context);
  addIdentityRoutes(app, context);
  addAccountsRoutes(app, context);
  app.notFound((c) => unavailable(c, context, { status: 404 }));
  app.onError((error, c) => {
    // The form is too large. This is not a fault of the server, so it is not logged.
    if (error instanceof HTTPException) return c.html(brokenPage(c.get("view")), error.status);
    onError(error);
    const { status, retryAfter } = failureOf(error);
    return c.html(brokenPage(c.get("view")), status, retryHeader(retryAfter));
  });
  return { fetch: async (request) => app.fetch(request) };
}

/** Checks an option with an address to which browsers are redirected. */
function secureUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (URL.canParse(text)) {
    const url = new URL(text);
    const isPlain = url.search === "" && url.hash === "" && url.username === "" && url.password === "";
    if (isPlain && isSecureOrigin(url.origin)) return url.href;
  }
  throw new KitError(
    `elicit-kit: ${name} of a hosted page must be an https URL without a query, or http on a loopback address. This is not: ${text}`,
  );
}

/**
 * Only the page's own code runs. Forms may lead to any https page: Chromium applies `form-action` to every redirect after
 * a form, and a provider may redirect the user through sign-in pages on several origins.
 */
async function policyOf(
  { forms, connects, scripts }: Connectors["sources"],
  { style, hasImages }: { style: string; hasImages: boolean },
): Promise<string> {
  const formAction = [...new Set(["'self'", "https:", ...forms])].join(" ");
  const connect = [...new Set(["'self'", ...connects])].join(" ");
  return `default-src 'none'; script-src ${[await digestSource(SCRIPT), ...scripts].join(" ")}; style-src ${await digestSource(style)};${hasImages ? " img-src 'self';" : ""} connect-src ${connect}; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
}
