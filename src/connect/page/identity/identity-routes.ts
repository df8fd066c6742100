import type { Context } from "hono";
import { assignedStatement } from "../../../runtime/internal.ts";
import { isElicitationId, newSecret } from "../../../base/ids.ts";
import { readSeal } from "../../../base/seal.ts";
import { ON_PAGE, type PageApp, type PageContext, type PageEnv, startUrl } from "../context.ts";
import { pageRequestOf } from "../page-connector.ts";
import { accountOf } from "./viewer.ts";
import { askThroughWindow, countStranger, stepsFor, unavailable } from "./identity-gate.ts";
import { forgottenPage, laterPage, notYouPage, stillUnknownPage } from "./identity-pages.ts";
import { isSameOrigin, readFields, signedForm } from "../csrf-forms.ts";

/** Handles tickets of the chat, by navigation and from the page's script, and "Not you?" (contract, section 6). */
export function addIdentityRoutes(app: PageApp, context: PageContext): void {
  const { origin, viewers, challenges, elicitations } = context;
  // Used for requests that do not exist, so that checking a ticket takes as long as for others.
  const standInKey = newSecret();

  app.get("/auth/vouched", async (c) => {
    const elicitationId = c.req.query("elicitationId");
    if (!isElicitationId(elicitationId)) return unavailable(c, context, { status: 404 });
    // A session of this origin identifies the user, and a chat cannot override that.
    if ((await viewers.sessionUser(c.req.raw)) !== undefined)
      return c.redirect(startUrl(origin, elicitationId), 303);
    const refused = countStranger(c, context);
    if (refused !== undefined) return refused;
    const error = c.req.query("error");
    if (error !== undefined) return refusedByChat(c, elicitationId, error);

    const dest = c.req.header("sec-fetch-dest") ?? "document";
    const referer = c.req.header("referer");
    const isOurs = originOf(referer) === origin && dest === "document";
    const text = c.req.query("ticket");
    if (isOurs && text !== undefined && (await redeem(c, { kind: "vouch", elicitationId, text }))) {
      return c.redirect(startUrl(origin, elicitationId, "vouched"), 303);
    }
    // The page is reloaded, or opened again from the history.
    const viewer = await viewers.identify(c.req.raw, c.get("secret"), elicitationId);
    if (viewer.kind === "verified") return c.redirect(startUrl(origin, elicitationId), 303);
    // Some browsers never send a referrer. Then only the chat's window can vouch.
    if (referer === undefined) return askThroughWindow(c, context, elicitationId, "no-referrer");
    return c.html(stillUnknownPage(c.get("view"), stepsFor(context, elicitationId)), 403);
  });

  app.post("/auth/vouched", async (c) => {
    const isOurs = isSameOrigin(c.req.raw, origin);
    if (!isOurs || (await viewers.sessionUser(c.req.raw)) !== undefined) return c.body(null, 403);
    const refused = countStranger(c, context);
    if (refused !== undefined) return refused;
    const fields = await readFields(c.req.raw);
    const elicitationId = fields.get("elicitationId");
    const text = fields.get("ticket");
    if (typeof elicitationId !== "string" || typeof text !== "string") return c.body(null, 400);
    const isRedeemed = await redeem(c, { kind: "bind", elicitationId, text });
    return c.body(null, isRedeemed ? 204 : 403);
  });

  app.post("/auth/forget", async (c) => {
    const form = await signedForm(c, context);
    if (form instanceof Response) return form;
    const { elicitationId } = form;
    const viewer = await viewers.identify(c.req.raw, c.get("secret"), elicitationId, true);
    const known = viewer.kind === "verified" ? viewer : undefined;
    const mode = known?.record.request.mode;
    const connector = known && pageRequestOf(context, known)?.connector;
    const answer = form.field("answer");
    if (known !== undefined && answer === undefined) {
      const csrfToken = await viewers.csrfToken(c.get("secret"), elicitationId);
      const backUrl = startUrl(origin, elicitationId);
      const account = accountOf(known.user);
      const page = { elicitationId, csrfToken, account, service: connector?.service, backUrl };
      return c.html(notYouPage(c.get("view"), page));
    }
    // Only for a request for an account, as on the page: a form may wait for another user's decision.
    if (connector !== undefined && answer === "decline") await elicitations.decline(elicitationId, ON_PAGE);
    c.header("set-cookie", viewers.forget(elicitationId), { append: true });
    const { login } = stepsFor(context, elicitationId);
    const view = c.get("view");
    const words = view.words[mode === "form" ? "forgottenAnswer" : "forgotten"];
    return c.html(forgottenPage(view, words, { login }));
  });

  function refusedByChat(c: Context<PageEnv>, elicitationId: string, error: string) {
    for (const setCookie of challenges.clear(c.req.raw, "vouch")) {
      c.header("set-cookie", setCookie, { append: true });
    }
    if (error === "login") return askThroughWindow(c, context, elicitationId, "signed-out");
    if (error === "later") {
      return c.html(laterPage(c.get("view"), stepsFor(context, elicitationId)), 503, { "retry-after": "60" });
    }
    return unavailable(c, context, { status: 404, elicitationId });
  }

  /** Redeems a ticket. From then on, this browser is verified for five minutes. */
  async function redeem(
    c: Context<PageEnv>,
    { kind, elicitationId, text }: { kind: "vouch" | "bind"; elicitationId: string; text: string },
  ): Promise<boolean> {
    const record = await elicitations.get(elicitationId);
    const vouchKey = record?.vouchKey ?? standInKey;
    const ticket = await challenges.redeem(c.req.raw, kind, elicitationId, async (subject) => {
      const statement = { purpose: kind, elicitationId, subject };
      if (record?.assigned !== undefined) return elicitations.users.read(text, assignedStatement(statement));
      const expiresAt = await readSeal(vouchKey, statement, text);
      return expiresAt === undefined ? undefined : { expiresAt, user: undefined };
    });
    if (ticket === undefined || record === undefined) return false;
    const proof = await viewers.prove(c.get("secret"), record, ticket.found.user);
    c.header("set-cookie", ticket.setCookie, { append: true });
    c.header("set-cookie", proof, { append: true });
    return true;
  }
}

function originOf(referer: string | undefined): string | undefined {
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined;
}
