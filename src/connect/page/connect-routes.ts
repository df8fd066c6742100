import type { Context } from "hono";
import { retryHeader } from "../../base/reply.ts";
import type { ElicitationOutcome } from "../../contract/contract.ts";
import { type SignInTarget, type ToolRef, outcomeOf } from "../../runtime/internal.ts";
import { byAccount } from "../ports/credentials.ts";
import { type ConnectedAccount, errorOf, settled } from "../ports/connector.ts";
import { answerPage } from "./answer/answer-routes.ts";
import {
  ON_PAGE,
  type PageApp,
  type PageContext,
  type PageEnv,
  startUrl,
  type ShowPage,
  returnUrlOf,
} from "./context.ts";
import type { Html } from "./layout/html.ts";
import { admit, unavailable } from "./identity/identity-gate.ts";
import type { PageView } from "./layout/layout.ts";
import { type PageRequest, pageRequestOf } from "./page-connector.ts";
import { type Consent, consentPage, endedPage } from "./connect-page.ts";
import { submissionOf } from "./csrf-forms.ts";
import { lastFailure } from "./sign-in/faults.ts";
import { placeSeal } from "./sign-in/place-seal.ts";
import { accountOf } from "./identity/viewer.ts";
import { timeLeftOf } from "./more-time.ts";
import { localize } from "../../words/page/languages.ts";

const MAX_TOOL_LENGTH = 60;

/**
 * Adds the page of a request, Decline and Remove (contract, section 6). Viewing a page changes nothing. Returns the
 * function that shows the page of a request.
 */
export function addPageRoutes(app: PageApp, context: PageContext): ShowPage {
  const { origin, viewers, limits, elicitations, images, onError } = context;

  // One page for every request, under both paths. The record decides its content.
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
    { fault }: { fault?: string } = {},
  ): Promise<Response> {
    const view = c.get("view");
    const csrfToken = await viewers.csrfToken(c.get("secret"), request.record.request.elicitationId);
    const outcome = outcomeOf(request.record);
    const page =
      outcome === undefined
        ? await consent(c, request, { csrfToken, fault })
        : await ended(view, request, { csrfToken, outcome, fault });
    return c.html(page, fault === undefined ? 200 : 422);
  }

  app.get("/auth/connect/status", async (c) => {
    const elicitationId = c.req.query("elicitationId") ?? "";
    const secret = c.get("secret");
    const viewer = await viewers.identify(c.req.raw, secret, elicitationId, true);
    if (viewer.kind !== "verified") return c.json({ ended: false });
    const allowed = limits.views(`${elicitationId} ${secret} status`);
    if (!allowed.ok) return c.json({ ended: false }, 429, retryHeader(allowed.retryAfter));
    return c.json({ ended: outcomeOf(viewer.record) !== undefined });
  });

  app.post("/auth/connect/decline", async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    await elicitations.decline(submitted.elicitationId, ON_PAGE);
    return c.redirect(startUrl(origin, submitted.elicitationId), 303);
  });

  app.post("/auth/connect/remove", async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    const { connector, toolId, user } = submitted;
    const removed = await connector.revoke({ toolId, userId: user.id });
    if (!removed.ok) throw errorOf(removed, toolId);
    return c.redirect(startUrl(origin, submitted.elicitationId), 303);
  });

  // Browsers request it automatically on a page that may load images, and log an error when it is missing.
  app.get("/favicon.ico", (c) => c.body(null, 204));
  app.get("/auth/images/:number", async (c) => {
    const image = images.get(c.req.path);
    if (image === undefined) return unavailable(c, context, { status: 404 });
    // If an SVG image is opened as a page, its scripts must not run.
    c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    return c.body(image.body, 200, { "content-type": image.type });
  });

  async function consent(
    c: Context<PageEnv>,
    page: PageRequest,
    { csrfToken, fault }: { csrfToken: string; fault: string | undefined },
  ): Promise<Html> {
    const view = c.get("view");
    const { record, connector, user } = page;
    const { request, chatOrigin } = record;
    const { service, scopeWords = {} } = connector;
    const place = (await connector.place?.(record.signIn)) ?? { scopes: [] };
    const { scopes } = place;
    const chat = chatOrigin ?? context.chatHome;
    const wordsFor = (scope: string) => (Object.hasOwn(scopeWords, scope) ? scopeWords[scope] : undefined);
    const permissions = scopes.flatMap((scope) => {
      const text = wordsFor(scope);
      return text === undefined ? [] : localize(text, view.words);
    });
    const failure = lastFailure(record, service, view.words);
    // Reading a remote account would call the vault at every view of the page.
    const connected = connector.isRemote === true ? undefined : await connectedTo(page);
    const unspoken = scopes.filter((scope) => wordsFor(scope) === undefined);
    const held = new Set(connected?.scopes);
    const isMore = scopes.some((scope) => held.has(scope));
    // It is no access to data, and few providers report it.
    held.add("offline_access");
    const shown: Consent = {
      elicitationId: request.elicitationId,
      chatOrigin,
      csrfToken,
      chatHost: chat === undefined ? undefined : new URL(chat).host,
      account: accountOf(user),
      lastError: fault ?? failure?.text,
      isChanged: c.req.query("step") === "changed",
      placeSeal: await placeSeal(c.get("secret"), request.elicitationId, place),
      isCancelled: fault === undefined && failure?.isCancelled === true,
      requester: request.requester?.name,
      service,
      serviceIcon: byAccount(context.serviceIcons, page.toolId),
      permissions: [...new Set(permissions)],
      scopes: isMore ? unspoken.filter((scope) => held.has(scope)) : unspoken,
      moreScopes: isMore ? unspoken.filter((scope) => !held.has(scope)) : [],
      isUnknown:
        byAccount(context.connectors.byTool, page.toolId) === undefined && isNamedByAddress(record.signIn),
      neededFor: record.tool && toolInWords(record.tool),
      reason: request.message,
      rawScopes: scopes,
      ...timeLeftOf(record, context),
      connected,
      providerHost: place.host,
      cutOpener: place.origin === undefined || !context.trustedProviderOrigins.has(place.origin),
    };
    return connector.consent?.(view, shown) ?? consentPage(view, shown);
  }

  async function ended(
    view: PageView,
    page: PageRequest,
    {
      csrfToken,
      outcome,
      fault,
    }: { csrfToken: string; outcome: ElicitationOutcome; fault: string | undefined },
  ): Promise<Html> {
    const { record, connector } = page;
    const { elicitationId } = record.request;
    return endedPage(view, {
      elicitationId,
      chatOrigin: record.chatOrigin,
      isChat: record.surface === "chat",
      csrfToken,
      outcome,
      service: connector.service,
      returnUrl: returnUrlOf(record, context),
      connected: outcome === "accepted" ? await connectedTo(page, "none") : undefined,
      more: connector.accepted?.(view, { elicitationId, csrfToken, fault }),
    });
  }

  /** `absent` is the result if no account is connected. A connection that cannot be read is not shown. */
  async function connectedTo<Absent = undefined>(
    { connector, toolId, user }: PageRequest,
    absent?: Absent,
  ): Promise<ConnectedAccount | Absent | undefined> {
    const found = await settled(() => connector.isConnected({ toolId, userId: user.id }));
    if (found.ok) return found.account ?? absent;
    onError(errorOf(found, toolId));
    return undefined;
  }

  return showRequest;
}

/** The server has no configured name, so its host is used. */
function isNamedByAddress(target: SignInTarget | undefined): boolean {
  return target !== undefined && target.service === new URL(target.url).host;
}

/**
 * The waiting tool in words: `create_issue` is "Create issue". An MCP server may have chosen the name, so it is untrusted,
 * and only its letters and digits are shown.
 */
function toolInWords({ id, name, ownName = name }: ToolRef): string | undefined {
  if (ownName === id) return undefined;
  const words = ownName
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .slice(0, MAX_TOOL_LENGTH);
  return words === "" ? undefined : words.charAt(0).toUpperCase() + words.slice(1);
}
