import type { Hono } from "hono";
import type { Clock, CredentialStore, ElicitationService } from "../core/index.ts";
import type { RateLimit } from "../core/internal.ts";
import type { Cookies } from "./cookies.ts";
import type { FindSubject } from "./subject.ts";
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
  findSubject: FindSubject;
  viewers: Viewers;
  cookies: Cookies;
  /** For pages, by request; for posts, by person. */
  limits: { pages: RateLimit; posts: RateLimit };
  trustedProviderOrigins: ReadonlySet<string>;
  allowedReturnOrigins: ReadonlySet<string>;
  /** Where people sign in to this origin, when the operator has a login. */
  login: ((returnTo: string) => string) | undefined;
  clock: Clock;
  onError: (error: unknown) => void;
}
