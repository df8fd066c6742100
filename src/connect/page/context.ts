import type { Context, Hono } from "hono";
import type { User } from "../../runtime/index.ts";
import type { ElicitationService, ElicitationRecord } from "../../runtime/internal.ts";
import type { CredentialStore } from "../ports/credentials.ts";
import type { Clock } from "../../base/clock.ts";
import type { RateLimit } from "../../base/write-limit.ts";
import type { Challenges } from "./identity/challenges.ts";
import type { Cookies } from "./cookies.ts";
import type { PageImages } from "./layout/images.ts";
import type { PageView } from "./layout/layout.ts";
import type { PageConnectors, PageRequest } from "./page-connector.ts";
import type { Viewers } from "./identity/viewer.ts";
import { isLoopbackHttp } from "../../base/urls.ts";

/** An MCP server, as configured in the agent. */
export interface NamedServer {
  readonly name: string;
  readonly url: string;
  readonly service?: string | undefined;
  readonly several?: boolean | undefined;
}

/**
 * The data that every route has about its request: the browser's secret from its cookie, and the look of pages for the
 * browser.
 */
export interface PageEnv {
  Variables: { secret: string; view: PageView };
}
export type PageApp = Hono<PageEnv>;

/**
 * Goes into the record of a request: the user acted on the page. Only for forms from a user whom the page has
 * identified.
 */
export const ON_PAGE = { through: "page" } as const;

/** Shows the page of a request. `fault`: why the last form of the user failed. */
export type ShowPage = (
  c: Context<PageEnv>,
  request: PageRequest,
  options?: { fault: string },
) => Promise<Response>;

export interface PageContext {
  /** The page's own public origin. */
  origin: string;
  elicitations: ElicitationService;
  credentials: CredentialStore;
  connectors: PageConnectors;
  /** Paths of the icons of services, by tool id. */
  serviceIcons: ReadonlyMap<string, string>;
  images: PageImages;
  viewers: Viewers;
  challenges: Challenges;
  cookies: Cookies;
  /**
   * `views` counts views by verified users, by request and browser. `strangers` counts views by unknown users, by
   * address. `posts` counts submitted forms, by user.
   */
  limits: { views: RateLimit; strangers: RateLimit; posts: RateLimit };
  /** The client's address. Unknown users without one are not counted. */
  anonymousKey: ((request: Request) => string | undefined) | undefined;
  trustedProviderOrigins: ReadonlySet<string>;
  allowedReturnOrigins: ReadonlySet<string>;
  /** The URL of the runtime that vouches for users. */
  vouchUrl: string | undefined;
  /** The URL of the chat, for users who came here another way. */
  chatHome: string | undefined;
  /** Returns the URL of the operator's login, if there is one. */
  login: ((returnTo: string) => string) | undefined;
  /** The MCP servers of a user that have no configured provider. */
  mcpServers: ((user: User) => Promise<readonly NamedServer[]>) | undefined;
  clock: Clock;
  onError: (error: unknown) => void;
}

/** The URL of a request's page. `changed`: its user pressed Start on a page that no longer says what is true. */
export function startUrl(
  origin: string,
  elicitationId: string,
  step?: "vouched" | "login" | "changed",
): string {
  const query = new URLSearchParams({ elicitationId, ...(step !== undefined && { step }) });
  return `${origin}/auth/connect?${query}`;
}

/** The URL to which the user of a request returns from its page. */
export function returnUrlOf(
  { returnUrl }: ElicitationRecord,
  { allowedReturnOrigins, chatHome }: PageContext,
): string | undefined {
  return allowed(returnUrl, allowedReturnOrigins) ?? chatHome;
}

/**
 * Checks where the user may be sent back to: https (http on a loopback address), no user name or password, and an origin
 * that the operator has listed. Returns `undefined` for anything else.
 */
function allowed(wanted: string | undefined, allowedOrigins: ReadonlySet<string>): string | undefined {
  if (wanted === undefined || !URL.canParse(wanted)) return undefined;
  const url = new URL(wanted);
  const isSafe = url.protocol === "https:" || isLoopbackHttp(url);
  if (!isSafe || url.username !== "" || url.password !== "" || !allowedOrigins.has(url.origin))
    return undefined;
  return url.href;
}
