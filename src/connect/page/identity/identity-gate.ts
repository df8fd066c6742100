import type { Context } from "hono";
import type { User } from "../../../runtime/index.ts";
import { outcomeOf } from "../../../runtime/internal.ts";
import { isElicitationId } from "../../../base/ids.ts";
import { retryHeader } from "../../../base/reply.ts";
import { type PageContext, type PageEnv, startUrl } from "../context.ts";
import {
  type AskingReason,
  type NextSteps,
  askingPage,
  stillUnknownPage,
  toChatPage,
  tooManyPage,
  unavailablePage,
} from "./identity-pages.ts";
import { type Viewer, accountOf } from "./viewer.ts";

type Reply = Response | Promise<Response>;

/**
 * Admits the user of a request to its page. All others get another page: one that redirects to their chat, which vouches
 * for them, or the page of an unknown id (contract, section 6).
 */
export async function admit(
  c: Context<PageEnv>,
  context: PageContext,
): Promise<Extract<Viewer, { kind: "verified" }> | Response> {
  const { viewers, limits, vouchUrl } = context;
  const view = c.get("view");
  const elicitationId = c.req.query("elicitationId");
  if (!isElicitationId(elicitationId)) return unavailable(c, context, { status: 404 });
  const secret = c.get("secret");
  const viewer = await viewers.identify(c.req.raw, secret, elicitationId);
  if (viewer.kind === "verified") {
    const allowed = limits.views(`${elicitationId} ${secret}`);
    return allowed.ok ? viewer : tooMany(c, allowed.retryAfter);
  }
  // Otherwise a script or a frame could fetch a challenge although the user never opened the page.
  if (!isForWindow(c.req.raw)) return unavailable(c, context, { status: 403 });
  const refused = countStranger(c, context);
  if (refused !== undefined) return refused;
  if (viewer.kind === "other") {
    return unavailable(c, context, { status: 404, elicitationId, user: viewer.user });
  }
  // They have just come from the chat or the login. Redirecting them again would never end.
  if (["vouched", "login"].includes(c.req.query("step") ?? "")) {
    return c.html(stillUnknownPage(view, stepsFor(context, elicitationId)), 403);
  }
  if (vouchUrl === undefined) return askThroughWindow(c, context, elicitationId, "no-other-way");

  const { challenge, setCookies } = await context.challenges.issue(c.req.raw, "vouch", elicitationId);
  for (const setCookie of setCookies) c.header("set-cookie", setCookie, { append: true });
  const url = `${vouchUrl}/api/elicitations/${encodeURIComponent(elicitationId)}/vouch?challenge=${challenge}`;
  // Not a redirect: the page must be the initiator of this navigation, so that the browser sends it as the referrer at
  // the end.
  c.header("refresh", `0;url=${url}`);
  c.header("referrer-policy", "strict-origin");
  return c.html(toChatPage(view, url));
}

/** The headers in which browsers say that they load a page before their user has opened it. */
const PURPOSE_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** Whether a browser loads a page that its user may never open, for example for a preview of a link. */
export function isAheadOfUser({ headers }: Request): boolean {
  return PURPOSE_HEADERS.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? ""));
}

/** Whether a browser shows the reply to a user, and does not pass it to a script or a frame. */
export function isForWindow(request: Request): boolean {
  return (request.headers.get("sec-fetch-dest") ?? "document") === "document";
}

/** Asks the chat through the window that opened this one. The page also offers other ways to continue. */
export async function askThroughWindow(
  c: Context<PageEnv>,
  context: PageContext,
  elicitationId: string,
  reason: AskingReason,
): Promise<Response> {
  const { origin, chatHome, challenges, elicitations } = context;
  // Not read from the record, so that the page is the same for an unknown id.
  const chatOrigins = new Set(elicitations.chatOrigins);
  if (chatHome !== undefined) chatOrigins.add(new URL(chatHome).origin);
  let challenge: string | undefined;
  if (chatOrigins.size > 0) {
    const issued = await challenges.issue(c.req.raw, "bind", elicitationId);
    for (const setCookie of issued.setCookies) c.header("set-cookie", setCookie, { append: true });
    challenge = issued.challenge;
  }
  const page = askingPage(c.get("view"), {
    elicitationId,
    chatOrigins: [...chatOrigins].join(" "),
    challenge,
    next: startUrl(origin, elicitationId, "vouched"),
    reason,
    steps: stepsFor(context, elicitationId),
  });
  return c.html(page, reason === "no-referrer" ? 403 : 200);
}

/**
 * The page for a request that does not exist for this browser: it belongs to another user, was deleted, or never existed.
 * With an id, a user who is signed in here with another account may switch accounts.
 */
export async function unavailable(
  c: Context<PageEnv>,
  { login, origin, viewers }: PageContext,
  {
    status,
    elicitationId,
    ...known
  }: { status: 400 | 403 | 404; elicitationId?: string | undefined; user?: User | undefined },
): Promise<Response> {
  const user = known.user ?? (await viewers.sessionUser(c.req.raw));
  const page = unavailablePage(c.get("view"), {
    account: user && accountOf(user),
    login: elicitationId === undefined ? undefined : login?.(startUrl(origin, elicitationId, "login")),
  });
  return c.html(page, status);
}

/**
 * For a verified user who returns from a provider. A chat that vouches through its window does not do so for an ended
 * request, so this browser gets a new proof. The user then sees the outcome, however long they were away.
 */
export async function proveForEnd(
  c: Context<PageEnv>,
  { elicitations, viewers }: PageContext,
  elicitationId: string,
): Promise<void> {
  const record = await elicitations.get(elicitationId);
  if (record === undefined || outcomeOf(record) === undefined) return;
  if ((await viewers.sessionUser(c.req.raw)) !== undefined) return;
  c.header("set-cookie", await viewers.prove(c.get("secret"), record), { append: true });
}

/** The ways in which an unknown user can continue. */
export function stepsFor({ login, origin }: PageContext, elicitationId: string): NextSteps {
  return {
    tryAgain: startUrl(origin, elicitationId),
    login: login?.(startUrl(origin, elicitationId, "login")),
  };
}

/**
 * Counts a view by an unknown user, by address, so that others who have the link cannot lock its user out. Returns the
 * reply if there are too many.
 */
export function countStranger(c: Context<PageEnv>, { anonymousKey, limits }: PageContext): Reply | undefined {
  const address = anonymousKey?.(c.req.raw);
  const allowed = address === undefined ? undefined : limits.strangers(address);
  return allowed?.ok === false ? tooMany(c, allowed.retryAfter) : undefined;
}

export function tooMany(c: Context<PageEnv>, retryAfter: number): Reply {
  return c.html(tooManyPage(c.get("view")), 429, retryHeader(retryAfter));
}
