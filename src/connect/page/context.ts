import type { Context, Hono } from "hono";
import type { User } from "../../runtime/index.ts";
import type { ElicitationService } from "../../runtime/internal.ts";
import type { CredentialStore } from "../ports/credentials.ts";
import type { Clock } from "../../base/clock.ts";
import type { RateLimit } from "../../base/write-limit.ts";
import type { Challenges } from "./identity/challenges.ts";
import type { Cookies } from "./cookies.ts";
import type { PageImages } from "./layout/images.ts";
import type { PageView } from "./layout/layout.ts";
import type { PageConnectors, PageRequest } from "./page-connector.ts";
import type { Viewers } from "./identity/viewer.ts";

/** An MCP server, as the agent knows it. */
export interface NamedServer {
  readonly name: string;
  readonly url: string;
  readonly service?: string | undefined;
}

/** What every route knows of its request: the browser's secret, from its cookie, and how pages look to the browser. */
export interface PageEnv {
  Variables: { secret: string; view: PageView };
}
export type PageApp = Hono<PageEnv>;

/** For the record: the user did it here. Only for what the user whom the page knows has sent. */
export const ON_PAGE = { through: "page" } as const;

/** Shows the page of a request. `fault`: why nothing came of the form that the user has just sent. */
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
  /** `views` of the verified user, by request and browser; `strangers`, by address; `posts`, by user. */
  limits: { views: RateLimit; strangers: RateLimit; posts: RateLimit };
  /** The client's address. Strangers without one are not counted. */
  anonymousKey: ((request: Request) => string | undefined) | undefined;
  trustedProviderOrigins: ReadonlySet<string>;
  allowedReturnOrigins: ReadonlySet<string>;
  /** The runtime that vouches for people. */
  vouchUrl: string | undefined;
  /** Where the chat is, for people who came here another way. */
  chatHome: string | undefined;
  /** Where people sign in to this origin, when the operator has a login. */
  login: ((returnTo: string) => string) | undefined;
  /** The MCP servers of a user that no provider is configured for. */
  mcpServers: ((user: User) => Promise<readonly NamedServer[]>) | undefined;
  clock: Clock;
  onError: (error: unknown) => void;
}

/** URL of the page of a request. */
export function startUrl(origin: string, elicitationId: string, step?: "vouched" | "login"): string {
  const query = new URLSearchParams({ elicitationId, ...(step !== undefined && { step }) });
  return `${origin}/auth/connect?${query}`;
}
