import type { Hono } from "hono";
import type { Clock, CredentialStore, ElicitationService } from "../core/index.ts";
import type { RateLimit } from "../core/internal.ts";
import type { Challenges } from "./challenges.ts";
import type { Cookies } from "./cookies.ts";
import type { Connection } from "./page-request.ts";
import type { Viewers } from "./viewer.ts";

/** What every route knows of its request: the browser's secret, from its cookie. */
export interface PageEnv {
  Variables: { secret: string };
}
export type PageApp = Hono<PageEnv>;

export interface PageContext {
  /** The page's own public origin. */
  origin: string;
  elicitations: ElicitationService;
  credentials: CredentialStore;
  /** By tool id. */
  connections: ReadonlyMap<string, Connection>;
  viewers: Viewers;
  challenges: Challenges;
  cookies: Cookies;
  /** For views of the person, by request and browser; of everybody else, by address; for posts, by person. */
  limits: { views: RateLimit; strangers: RateLimit; posts: RateLimit };
  /** The client's address. Nobody is counted where it is not known. */
  anonymousKey: ((request: Request) => string | undefined) | undefined;
  trustedProviderOrigins: ReadonlySet<string>;
  allowedReturnOrigins: ReadonlySet<string>;
  /** The runtime that vouches for people. */
  vouchUrl: string | undefined;
  /** Where the chat is, for people who came here another way. */
  chatHome: string | undefined;
  /** Where people sign in to this origin, when the operator has a login. */
  login: ((returnTo: string) => string) | undefined;
  clock: Clock;
  onError: (error: unknown) => void;
}

/** Where the page of a request begins. */
export function startUrl(origin: string, elicitationId: string, step?: "vouched" | "login"): string {
  const query = new URLSearchParams({ elicitationId, ...(step !== undefined && { step }) });
  return `${origin}/auth/connect?${query}`;
}
