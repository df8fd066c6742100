import type { Context } from "hono";
import type { User } from "../../../runtime/index.ts";
import type { PageApp, PageContext, PageEnv } from "../context.ts";
import { countStranger, isForWindow, tooMany, unavailable } from "../identity/identity-gate.ts";
import { forgottenPage, laterPage, toChatPage } from "../identity/identity-pages.ts";
import { PROOF_MS } from "../identity/viewer.ts";
import { unknownOwnerPage } from "./accounts-page.ts";

export const ACCOUNTS_PATH = "/auth/accounts";

const USER_COOKIE = "elicit-user";

/**
 * The user whose accounts the page shows: from the session of this origin, or from the chat that has vouched for this
 * browser.
 */
export async function ownerOf(c: Context<PageEnv>, context: PageContext): Promise<User | undefined> {
  const { cookies, viewers, elicitations, clock } = context;
  const user = await viewers.sessionUser(c.req.raw);
  if (user !== undefined) return user;
  const proof = cookies.read(c.req.raw, USER_COOKIE) ?? "";
  const found = await elicitations.users.read(proof, { purpose: "page", subject: c.get("secret") });
  return found !== undefined && clock.now() < found.expiresAt ? found.user : undefined;
}

/** Lets a known user through. Any other visitor is redirected to the chat, or gets a page with instructions. */
export async function admitOwner(c: Context<PageEnv>, context: PageContext): Promise<User | Response> {
  const { vouchUrl, challenges, limits } = context;
  // A script or a frame could otherwise get a challenge for a user who has not opened the page.
  if (!isForWindow(c.req.raw)) return unavailable(c, context, { status: 403 });
  const user = await ownerOf(c, context);
  if (user !== undefined) {
    const allowed = limits.views(`accounts ${c.get("secret")}`);
    return allowed.ok ? user : tooMany(c, allowed.retryAfter);
  }
  const refused = countStranger(c, context);
  if (refused !== undefined) return refused;
  const { unknownPerson } = c.get("view").words;
  // The chat or the login has just sent the user here. Sending them back would loop forever.
  if (c.req.query("step") !== undefined) return unknownOwner(c, context, unknownPerson.stillUnknown);
  if (vouchUrl === undefined) return unknownOwner(c, context, unknownPerson.signedOut);

  const { challenge, setCookies } = await challenges.issue(c.req.raw, "accounts", "");
  for (const setCookie of setCookies) c.header("set-cookie", setCookie, { append: true });
  const url = `${vouchUrl}/api/accounts/vouch?challenge=${challenge}`;
  // Not a redirect, for the same reason as on the page of a request: this page must be the final referrer.
  c.header("refresh", `0;url=${url}`);
  c.header("referrer-policy", "strict-origin");
  return c.html(toChatPage(c.get("view"), url));
}

/** Handles "Not you?". From then on, only a session of this origin identifies the user of this browser. */
export function forgetOwner(c: Context<PageEnv>, { cookies, login, origin }: PageContext) {
  c.header("set-cookie", cookies.remove(USER_COOKIE), { append: true });
  const view = c.get("view");
  const { title } = view.words.forgotten;
  const text = view.words.accounts.forgotten;
  return c.html(
    forgottenPage(view, { title, text }, { login: login?.(`${origin}${ACCOUNTS_PATH}?step=login`) }),
  );
}

/** Handles the tickets with which the chat sends browsers back. */
export function addOwnerRoutes(app: PageApp, context: PageContext): void {
  const { origin, challenges, viewers, cookies, elicitations, clock } = context;

  app.get(`${ACCOUNTS_PATH}/vouched`, async (c) => {
    // A session of this origin identifies the user, and no chat can override it.
    if ((await viewers.sessionUser(c.req.raw)) !== undefined) return c.redirect(ACCOUNTS_PATH, 303);
    const refused = countStranger(c, context);
    if (refused !== undefined) return refused;
    const error = c.req.query("error");
    if (error !== undefined) return refusedByChat(c, error);

    const dest = c.req.header("sec-fetch-dest") ?? "document";
    const referer = c.req.header("referer") ?? "";
    const isOurs = URL.canParse(referer) && new URL(referer).origin === origin && dest === "document";
    const text = c.req.query("ticket");
    if (isOurs && text !== undefined && (await redeem(c, text))) {
      return c.redirect(`${ACCOUNTS_PATH}?step=vouched`, 303);
    }
    // The page is reloaded, or opened again from the history.
    if ((await ownerOf(c, context)) !== undefined) return c.redirect(ACCOUNTS_PATH, 303);
    return unknownOwner(c, context, c.get("view").words.unknownPerson.stillUnknown);
  });

  function refusedByChat(c: Context<PageEnv>, error: string) {
    for (const setCookie of challenges.clear(c.req.raw, "accounts")) {
      c.header("set-cookie", setCookie, { append: true });
    }
    const view = c.get("view");
    if (error === "later") {
      return c.html(laterPage(view, { tryAgain: ACCOUNTS_PATH }), 503, { "retry-after": "60" });
    }
    return unknownOwner(c, context, view.words.unknownPerson.signedOut);
  }

  /** Redeems a ticket. This browser then belongs to the user for five minutes. */
  async function redeem(c: Context<PageEnv>, text: string): Promise<boolean> {
    const ticket = await challenges.redeem(c.req.raw, "accounts", "", (subject) =>
      elicitations.users.read(text, { purpose: "vouch", subject }),
    );
    if (ticket === undefined) return false;
    const statement = { purpose: "page", subject: c.get("secret") } as const;
    const proof = await elicitations.users.seal(ticket.found.user, statement, clock.now() + PROOF_MS);
    c.header("set-cookie", ticket.setCookie, { append: true });
    c.header("set-cookie", cookies.write(USER_COOKIE, proof, PROOF_MS / 1000), { append: true });
    return true;
  }
}

function unknownOwner(c: Context<PageEnv>, { login, origin }: PageContext, reason: string) {
  const page = unknownOwnerPage(c.get("view"), reason, {
    tryAgain: ACCOUNTS_PATH,
    login: login?.(`${origin}${ACCOUNTS_PATH}?step=login`),
  });
  return c.html(page, 403);
}
