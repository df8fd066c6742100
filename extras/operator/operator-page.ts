import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { DecisionLog } from "../audit/log.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { safeLog } from "../../src/base/foreign-error.ts";
import { isElicitationId, newSecret } from "../../src/base/ids.ts";
import { identityOf } from "../../src/base/identity.ts";
import { SECRET_PATTERN, hmac, isEqual } from "../../src/base/seal.ts";
import { isSecureOrigin } from "../../src/base/urls.ts";
import { createCookies } from "../../src/connect/page/cookies.ts";
import { isSameOrigin, readFields } from "../../src/connect/page/csrf-forms.ts";
import { type Brand, accentStyle, brandOf, warnOfBrand } from "../../src/connect/page/layout/brand.ts";
import { createPageImages, type IconName } from "../../src/connect/page/layout/images.ts";
import { digestSource, securityHeaders } from "../../src/connect/page/layout/layout.ts";
import { KitError } from "../../src/contract/kit-error.ts";
import type { ElicitationRecords, ElicitationService, TurnRunner } from "../../src/runtime/internal.ts";
import { type Shell, messageDocument } from "./document.ts";
import type { ShownLimits } from "./limits.ts";
import { readOverview, readRequest } from "./look-up.ts";
import { overviewPage } from "./overview-page.ts";
import { requestPage } from "./request-page.ts";
import { operatorStyle } from "./style.ts";

/** A member of staff who runs the application, as your `authenticate` identifies them. */
export interface Operator {
  /** The decision log stores this id with each request that they withdraw. */
  readonly id: string;
}

/** The options of `createOperatorPage`. */
export interface OperatorPageOptions {
  /** The page's public origin, such as `https://ops.example.com`. Plain http only on a loopback address. */
  origin: string;
  /** Path prefix of the page. @default "/operator" */
  basePath?: string | undefined;
  /**
   * Returns the operator who sent an HTTP request, for example from a session or a header of your proxy. With `null`, the
   * page refuses the HTTP request. Called for every HTTP request. There is no default.
   */
  authenticate: (request: Request) => Operator | null | Promise<Operator | null>;
  /** Pass `runtime.elicitations`. The page uses it to withdraw requests, and to name users by short ids. */
  elicitations: Pick<ElicitationService, "get" | "users" | "withdraw">;
  /** The ports of the runtime. Pass what `createPostgresPorts` returns. */
  ports: OperatorPorts;
  /** `limits` of `createRuntime`, for display. @default its defaults */
  limits?: ShownLimits["limits"];
  /** `notices` of `createRuntime`, for display. @default its defaults */
  notices?: ShownLimits["notices"];
  /** Lets operators withdraw open requests. @default false: the page is read-only */
  allowWithdraw?: boolean | undefined;
  /**
   * Shows questions and the names of users. Answers are never shown.
   * @default false: users appear by short ids
   */
  showContent?: boolean | undefined;
  /** Name, logo and colour, as for the hosted page. */
  brand?: Brand | undefined;
  /** Called with internal errors, for the log. */
  onError: (error: unknown) => void;
}

/** What the page reads. */
interface OperatorPorts {
  records: ElicitationRecords;
  /** Without it, the page shows no processes. */
  runner?: Pick<TurnRunner, "overview"> | undefined;
  /** With it, the page shows the end of the log, whether its chain is intact, and the rows of each request. */
  decisionLog?: DecisionLog | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** The operator page as a handler of HTTP requests. Created by {@link createOperatorPage}. */
export interface OperatorPage {
  /** Handles all paths under `basePath`, for operators only. */
  fetch: (request: Request) => Promise<Response>;
}

const COOKIE = "elicit-operator";
/** The reason on the card of the user, and in the decision log. */
const REASON = "An operator withdrew the question.";

interface OperatorEnv {
  Variables: { operator: Operator; secret: string };
}

/**
 * Creates a page for those who run the application: open and ended requests, turns, processes, limits, notices and the
 * decision log. It is read-only and shows no content. `allowWithdraw` and `showContent` change that.
 *
 * @example
 * const page = createOperatorPage({
 *   ports,
 *   origin: "https://ops.example.com",
 *   authenticate: (request) => staffSessions.operatorOf(request),
 *   elicitations: runtime.elicitations,
 *   onError: console.error,
 * });
 * app.all("/operator/*", (c) => page.fetch(c.req.raw));
 */
export function createOperatorPage(options: OperatorPageOptions): OperatorPage {
  const {
    origin,
    basePath = "/operator",
    elicitations,
    allowWithdraw = false,
    showContent = false,
  } = options;
  ensureOptions(options);
  const { clock = systemClock } = options.ports;
  const onError = safeLog(options.onError);
  const sources = {
    ...options.ports,
    elicitations,
    shownLimits: options,
    clock,
    showContent,
    home: basePath,
  };
  const authenticate = identityOf(async (request) => (await options.authenticate(request)) ?? undefined);
  const cookies = createCookies(new URL(origin));
  const images = createPageImages(`${basePath}/images/`);
  const accent = accentStyle(options.brand?.accent);
  warnOfBrand(accent.warnings);
  const shell: Shell = {
    brand: brandOf(options.brand, images),
    style: operatorStyle(accent.css),
    host: new URL(origin).host,
    home: basePath,
    allowWithdraw,
    showContent,
  };
  let headers: Promise<Readonly<Record<string, string>>> | undefined;

  function message(
    c: Context<OperatorEnv>,
    status: 400 | 403 | 404 | 413 | 500,
    said: { title: string; text: string; mark: IconName },
  ) {
    return c.html(messageDocument(shell, said), status);
  }
  const unknown = (c: Context<OperatorEnv>) =>
    message(c, 404, {
      title: "There is no such page",
      text: "Or no such request, any more.",
      mark: "question",
    });
  const forged = (c: Context<OperatorEnv>) =>
    message(c, 403, { title: "Not done", text: "Load the page again, and try once more.", mark: "alert" });
  /** A token that is valid for this browser, operator and request. */
  const tokenFor = (c: Context<OperatorEnv>, elicitationId: string) =>
    hmac(c.get("secret"), JSON.stringify(["withdraw", c.get("operator").id, elicitationId]));

  const app = new Hono<OperatorEnv>().basePath(basePath);
  app.use(async (c, next) => {
    headers ??= policyOf(shell.style, { hasImages: !images.isEmpty }).then(securityHeaders);
    for (const [name, value] of Object.entries(await headers)) c.header(name, value);
    const operator = await authenticate(c.req.raw);
    if (operator === undefined) {
      return message(c, 403, { title: "For operators", text: "You are not signed in as one.", mark: "lock" });
    }
    c.set("operator", operator);
    const known = cookies.read(c.req.raw, COOKIE);
    const secret = known !== undefined && SECRET_PATTERN.test(known) ? known : newSecret();
    c.set("secret", secret);
    if (secret !== known) c.header("set-cookie", cookies.write(COOKIE, secret));
    return next();
  });

  app.get("/", async (c) => {
    const cursors = { open: cursorOf(c.req.query("open")), ended: cursorOf(c.req.query("ended")) };
    const overview = await readOverview(sources, cursors);
    return c.html(overviewPage(shell, overview));
  });
  app.get("/images/:name", (c) => {
    const image = images.get(new URL(c.req.url).pathname);
    if (image === undefined) return unknown(c);
    c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    return c.body(image.body, 200, { "content-type": image.type });
  });
  app.get("/requests/:id", async (c) => {
    const id = c.req.param("id");
    const found = isElicitationId(id) ? await readRequest(sources, id) : undefined;
    if (found === undefined) return unknown(c);
    const csrfToken = allowWithdraw ? await tokenFor(c, id) : undefined;
    return c.html(requestPage(shell, { ...found, csrfToken }));
  });
  app.post("/requests/:id/withdraw", async (c) => {
    const id = c.req.param("id");
    if (!allowWithdraw || !isElicitationId(id)) return unknown(c);
    if (!isSameOrigin(c.req.raw, origin)) return forged(c);
    const csrf = (await readFields(c.req.raw)).get("csrf");
    if (typeof csrf !== "string" || !isEqual(csrf, await tokenFor(c, id))) return forged(c);
    // If the request had already ended, the page shows its outcome.
    await elicitations.withdraw(id, { reason: REASON, by: c.get("operator").id, through: "operator" });
    return c.redirect(`${basePath}/requests/${id}`, 303);
  });
  app.notFound(unknown);
  app.onError((error, c) => {
    if (error instanceof HTTPException) return forged(c);
    onError(error);
    return message(c, 500, {
      title: "Something went wrong",
      text: "The log of the server says what.",
      mark: "alert",
    });
  });
  return { fetch: async (request) => app.fetch(request) };
}

function cursorOf(id: string | undefined): string | undefined {
  return isElicitationId(id) ? id : undefined;
}

/** A caller in plain JavaScript can forget a required option. */
function ensureOptions({ origin = "", authenticate, ports }: Partial<OperatorPageOptions>): void {
  if (typeof authenticate !== "function") {
    throw new KitError(
      "elicit-kit: createOperatorPage needs authenticate, a function that returns the operator who has sent a request, or null.",
    );
  }
  if (!isSecureOrigin(origin)) {
    throw new KitError(
      `elicit-kit: the origin of an operator page must be an https origin without a path, or http on a loopback address. This is not: ${origin}`,
    );
  }
  if (ports?.records === undefined) {
    throw new KitError(
      "elicit-kit: createOperatorPage needs `ports`, what createPostgresPorts returns. It shows their records.",
    );
  }
  if (ports.records.overview === undefined) {
    throw new KitError(
      "elicit-kit: the records of createOperatorPage have no overview, so it could show nothing. Pass those of createPostgresPorts or createMemoryRecords, or add `overview` to your store.",
    );
  }
}

/** The content security policy: no scripts and no other hosts. */
async function policyOf(style: string, { hasImages }: { hasImages: boolean }): Promise<string> {
  return `default-src 'none'; style-src ${await digestSource(style)};${hasImages ? " img-src 'self';" : ""} form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}
