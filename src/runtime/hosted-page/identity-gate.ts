import type { Context } from "hono";
import { isElicitationId, outcomeOf } from "../core/internal.ts";
import { type PageContext, type PageEnv, startUrl } from "./context.ts";
import {
  type AskingReason,
  type WaysOn,
  askingPage,
  stillUnknownPage,
  toChatPage,
  tooManyPage,
  unavailablePage,
} from "./identity-pages.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Lets the person of a request through to its page, and shows everybody else what they get instead: the way to their
 * chat, which vouches for them, or the same page as for an unknown id (contract, section 6).
 */
export async function admit(
  c: Context<PageEnv>,
  context: PageContext,
): Promise<Extract<Viewer, { kind: "verified" }> | Response> {
  const { viewers, limits, vouchUrl } = context;
  const elicitationId = c.req.query("elicitationId");
  if (!isElicitationId(elicitationId)) return c.html(unavailablePage(), 404);
  // A script or a frame would get a challenge for somebody who has not opened the page.
  if (!isForWindow(c.req.raw)) return c.html(unavailablePage(), 403);
  const secret = c.get("secret");
  const viewer = await viewers.identify(c.req.raw, secret, elicitationId);
  if (viewer.kind === "verified") {
    const allowed = limits.views(`${elicitationId} ${secret}`);
    return allowed.ok ? viewer : tooMany(c, allowed.retryAfter);
  }
  const busy = countStranger(c, context);
  if (busy !== undefined) return busy;
  if (viewer.kind === "other") return notTheirs(c, context, elicitationId);
  // They have been to the chat, or to the login, a moment ago. To send them again would never end.
  if (c.req.query("step") !== undefined) {
    return c.html(stillUnknownPage(waysOf(context, elicitationId)), 403);
  }
  if (vouchUrl === undefined) return ask(c, context, elicitationId, "no-other-way");

  const { challenge, setCookies } = await context.challenges.issue(c.req.raw, "vouch", elicitationId);
  for (const setCookie of setCookies) c.header("set-cookie", setCookie, { append: true });
  const url = `${vouchUrl}/api/elicitations/${encodeURIComponent(elicitationId)}/vouch?challenge=${challenge}`;
  // Not a redirect: this page begins the way, so it is named as the one that the browser comes from at its end.
  c.header("refresh", `0;url=${url}`);
  c.header("referrer-policy", "strict-origin");
  return c.html(toChatPage(url));
}

function isForWindow(request: Request): boolean {
  return (request.headers.get("sec-fetch-dest") ?? "document") === "document";
}

/** Asks the chat through the window that opened this one, with the other ways beside it. */
export async function ask(
  c: Context<PageEnv>,
  context: PageContext,
  elicitationId: string,
  reason: AskingReason,
): Promise<Response> {
  const { origin, chatHome, challenges, elicitations } = context;
  const record = await elicitations.get(elicitationId);
  const isOpen = record !== undefined && outcomeOf(record) === undefined;
  const home = chatHome === undefined ? undefined : new URL(chatHome).origin;
  const chatOrigin = (isOpen ? record.chatOrigin : undefined) ?? home;
  let challenge: string | undefined;
  if (chatOrigin !== undefined) {
    const issued = await challenges.issue(c.req.raw, "bind", elicitationId);
    for (const setCookie of issued.setCookies) c.header("set-cookie", setCookie, { append: true });
    challenge = issued.challenge;
  }
  return c.html(
    askingPage({
      elicitationId,
      chatOrigin,
      challenge,
      next: startUrl(origin, elicitationId, "vouched"),
      reason,
      ways: waysOf(context, elicitationId),
    }),
    reason === "no-referrer" ? 403 : 200,
  );
}

/** For somebody who is known not to be the person, and for whom the request might as well not exist. */
export function notTheirs(c: Context<PageEnv>, { login, origin }: PageContext, elicitationId: string) {
  return c.html(unavailablePage(login?.(startUrl(origin, elicitationId, "login"))), 404);
}

/**
 * For somebody verified who comes back from a provider: no chat vouches for a request that has ended, and they are to see
 * how it did, however long they were away.
 */
export async function keepForEnd(
  c: Context<PageEnv>,
  { elicitations, viewers }: PageContext,
  elicitationId: string,
): Promise<void> {
  const record = await elicitations.get(elicitationId);
  if (record === undefined || outcomeOf(record) === undefined || (await viewers.hasSession(c.req.raw)))
    return;
  c.header("set-cookie", await viewers.prove(c.get("secret"), record), { append: true });
}

/** What is offered to whom this page does not know. */
export function waysOf({ login, origin, chatHome }: PageContext, elicitationId: string): WaysOn {
  return {
    tryAgain: startUrl(origin, elicitationId),
    login: login?.(startUrl(origin, elicitationId, "login")),
    chatHome,
  };
}

/**
 * Counts a view of somebody unknown, by address: so that strangers who have the link keep nobody else from it. The reply
 * when that is too many.
 */
export function countStranger(
  c: Context<PageEnv>,
  { anonymousKey, limits }: PageContext,
): Response | Promise<Response> | undefined {
  const address = anonymousKey?.(c.req.raw);
  const allowed = address === undefined ? undefined : limits.strangers(address);
  return allowed?.ok === false ? tooMany(c, allowed.retryAfter) : undefined;
}

export function tooMany(c: Context<PageEnv>, retryAfter: number): Response | Promise<Response> {
  return c.html(tooManyPage(), 429, { "retry-after": String(retryAfter) });
}
