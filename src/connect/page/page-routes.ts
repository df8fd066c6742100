import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ElicitationOutcome } from "../../contract/contract.ts";
import type { ToolRef } from "../../runtime/index.ts";
import { outcomeOf } from "../../runtime/internal.ts";
import { type KeyForm, keyPage, replaceKey } from "../api-key/api-key-page.ts";
import { readConnected, removeConnected } from "./connected-account.ts";
import { answerPage } from "./answer/answer-routes.ts";
import { type PageApp, type PageContext, type PageEnv, startUrl } from "./context.ts";
import type { Html } from "./layout/html.ts";
import { admit, unavailable } from "./identity/identity-gate.ts";
import type { PageView } from "./layout/layout.ts";
import { type ApiKeyConnection, type Connection, type PageRequest, pageRequestOf } from "./page-request.ts";
import { type Consent, consentPage, endedPage } from "./pages.ts";
import { returnUrlOf } from "./return-url.ts";
import { SCRIPT } from "./script.ts";
import { MAX_FORM_BYTES, submissionOf } from "./csrf-forms.ts";
import { accountOf } from "./identity/viewer.ts";
import { localize } from "../../words/page/languages.ts";

const MAX_TOOL_LENGTH = 60;

/** Shows the page of a request. `keyFault`: why the API key was not taken that the person has just sent. */
export type ShowPage = (
  c: Context<PageEnv>,
  request: PageRequest,
  options?: { keyFault: string },
) => Promise<Response>;

/**
 * What the person of a request sees, Decline and Remove (contract, section 6). Viewing a page changes nothing. Returns how
 * the page of a request is shown.
 */
export function addPageRoutes(app: PageApp, context: PageContext): ShowPage {
  const { origin, viewers, limits, elicitations, images, onError } = context;
  const formLimit = bodyLimit({ maxSize: MAX_FORM_BYTES });

  // One page for every request, under both paths: what it shows depends on the record.
  app.get("/auth/connect", (c) => show(c));
  app.get("/auth/answer", (c) => show(c));

  async function show(c: Context<PageEnv>): Promise<Response> {
    const viewer = await admit(c, context);
    if (viewer instanceof Response) return viewer;
    const view = c.get("view");
    const csrfToken = await viewers.csrfToken(c.get("secret"), viewer.record.request.elicitationId);
    const form = await answerPage(view, context, viewer, { csrfToken });
    if (form !== undefined) return c.html(form);
    const request = pageRequestOf(context, viewer);
    if (request === undefined) return unavailable(c, context, { status: 404 });
    return showRequest(c, request);
  }

  async function showRequest(
    c: Context<PageEnv>,
    request: PageRequest,
    { keyFault }: { keyFault?: string } = {},
  ): Promise<Response> {
    const view = c.get("view");
    const csrfToken = await viewers.csrfToken(c.get("secret"), request.record.request.elicitationId);
    const outcome = outcomeOf(request.record);
    const page =
      outcome === undefined
        ? await consent(view, request, { csrfToken, keyFault })
        : await ended(view, request, { csrfToken, outcome, keyFault });
    return c.html(page, keyFault === undefined ? 200 : 422);
  }

  app.get("/auth/connect/status", async (c) => {
    const elicitationId = c.req.query("elicitationId") ?? "";
    const secret = c.get("secret");
    const viewer = await viewers.identify(c.req.raw, secret, elicitationId, true);
    if (viewer.kind !== "verified") return c.json({ ended: false });
    const allowed = limits.views(`${elicitationId} ${secret} status`);
    if (!allowed.ok) return c.json({ ended: false }, 429, { "retry-after": String(allowed.retryAfter) });
    return c.json({ ended: outcomeOf(viewer.record) !== undefined });
  });

  app.post("/auth/connect/decline", formLimit, async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    await elicitations.decline(submitted.elicitationId);
    return c.redirect(startUrl(origin, submitted.elicitationId), 303);
  });

  app.post("/auth/connect/remove", formLimit, async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    await removeConnected(submitted, context);
    return c.redirect(startUrl(origin, submitted.elicitationId), 303);
  });

  app.get("/auth/connect.js", (c) =>
    c.body(SCRIPT, 200, { "content-type": "text/javascript; charset=utf-8" }),
  );
  app.get("/auth/connect.css", (c) =>
    c.body(context.style, 200, { "content-type": "text/css; charset=utf-8" }),
  );
  // Browsers ask for it by themselves on a page that may load images, and tell the console when it is missing.
  app.get("/favicon.ico", (c) => c.body(null, 204));
  app.get("/auth/images/:number", async (c) => {
    const image = images.get(c.req.path);
    if (image === undefined) return unavailable(c, context, { status: 404 });
    // For an SVG image that is opened as a page of its own.
    c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    return c.body(image.body, 200, { "content-type": image.type });
  });

  async function consent(
    view: PageView,
    page: PageRequest,
    { csrfToken, keyFault }: { csrfToken: string; keyFault: string | undefined },
  ): Promise<Html> {
    const { record, connection, user } = page;
    const { request, chatOrigin, lastError } = record;
    const { service, scopeWords = {} } = connection.provider;
    const { origin: providerOrigin, scopes } = await placeOf(connection);
    const chat = chatOrigin ?? context.chatHome;
    const wordsFor = (scope: string) => (Object.hasOwn(scopeWords, scope) ? scopeWords[scope] : undefined);
    const permissions = scopes.flatMap((scope) => {
      const text = wordsFor(scope);
      return text === undefined ? [] : localize(text, view.words);
    });
    // Nango would have to be called for it by every view.
    const connected = connection.kind === "nango" ? undefined : await connectedTo(page);
    const unspoken = scopes.filter((scope) => wordsFor(scope) === undefined);
    const hasAlready = (scope: string) => connected?.scopes.includes(scope) === true;
    const isMore = scopes.some(hasAlready);
    const shown: Consent = {
      elicitationId: request.elicitationId,
      chatOrigin,
      csrfToken,
      chatHost: chat === undefined ? undefined : new URL(chat).host,
      account: accountOf(user),
      lastError,
      requester: request.requester?.name,
      service,
      serviceIcon: context.serviceIcons.get(page.toolId),
      permissions: [...new Set(permissions)],
      scopes: isMore ? unspoken.filter(hasAlready) : unspoken,
      moreScopes: isMore ? unspoken.filter((scope) => !hasAlready(scope)) : [],
      neededFor: record.tool && toolInWords(record.tool),
      connected,
      isNango: connection.kind === "nango",
      providerHost:
        connection.kind === "nango" || providerOrigin === undefined
          ? undefined
          : new URL(providerOrigin).host,
      cutOpener: providerOrigin === undefined || !context.trustedProviderOrigins.has(providerOrigin),
    };
    if (connection.kind !== "api-key") return consentPage(view, shown);
    const isReplacing = shown.connected !== undefined;
    return keyPage(view, shown, {
      ...keyFormOf(page, connection, csrfToken),
      isReplacing,
      fault: keyFault ?? lastError,
    });
  }

  async function ended(
    view: PageView,
    page: PageRequest,
    {
      csrfToken,
      outcome,
      keyFault,
    }: { csrfToken: string; outcome: ElicitationOutcome; keyFault: string | undefined },
  ): Promise<Html> {
    const { record, connection } = page;
    return endedPage(view, {
      elicitationId: record.request.elicitationId,
      chatOrigin: record.chatOrigin,
      csrfToken,
      outcome,
      service: connection.provider.service,
      returnUrl: returnUrlOf(record.returnUrl, context.allowedReturnOrigins) ?? context.chatHome,
      connected: outcome === "accepted" ? await connectedTo(page, "none") : undefined,
      ...(connection.kind === "api-key" && {
        keyForm: replaceKey(view, { ...keyFormOf(page, connection, csrfToken), fault: keyFault }),
      }),
    });
  }

  /** `absent`: the result if nothing is connected. A connection that cannot be read is left out of the page. */
  async function connectedTo<Absent = undefined>(page: PageRequest, absent?: Absent) {
    try {
      return (await readConnected(page, context)) ?? absent;
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  return showRequest;
}

/** The tool that waits: `tracker_create_issue` of the tracker is "Create issue". A server has named it. */
function toolInWords({ id, name }: ToolRef): string | undefined {
  if (name === id) return undefined;
  const own = name.startsWith(`${id}_`) ? name.slice(id.length + 1) : name;
  const words = own
    .replaceAll(/[\p{C}\s_-]+/gu, " ")
    .trim()
    .slice(0, MAX_TOOL_LENGTH);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function keyFormOf(
  { record }: PageRequest,
  { provider }: ApiKeyConnection,
  csrfToken: string,
): Pick<KeyForm, "elicitationId" | "csrfToken" | "service" | "keyUrl"> {
  const { service, apiKey } = provider;
  return { elicitationId: record.request.elicitationId, csrfToken, service, keyUrl: apiKey.keyUrl };
}

/**
 * Where the person signs in, and what is asked for there. If the provider cannot be reached now, they learn it when they
 * continue.
 */
async function placeOf(
  connection: Connection,
): Promise<{ origin: string | undefined; scopes: readonly string[] }> {
  if (connection.kind === "api-key") return { origin: undefined, scopes: [] };
  if (connection.kind === "nango")
    return {
      origin: new URL(connection.client.host).origin,
      scopes: connection.provider.scopes ?? [],
    };
  if (connection.kind === "oauth") {
    const { client, provider, scopes } = connection;
    const origin = await client.authorizationOrigin().catch(() => new URL(provider.issuer).origin);
    return { origin, scopes };
  }
  const { scopes } = connection.provider;
  const plan = await connection.signIn.discover(connection.target).catch(() => undefined);
  if (plan === undefined) return { origin: undefined, scopes };
  return { origin: new URL(plan.server.authorization_endpoint).origin, scopes: plan.scopes };
}
