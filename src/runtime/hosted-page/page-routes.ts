import type { Context } from "hono";
import { outcomeOf } from "../core/record.ts";
import { SCRIPT, STYLE } from "./assets.ts";
import type { PageApp, PageContext, PageEnv } from "./context.ts";
import { bindingPage, consentPage, endedPage, tooManyPage, unavailablePage } from "./pages.ts";
import { returnUrlOf } from "./return-url.ts";
import type { Subject } from "./subject.ts";

/** What people see (contract, section 6). Looking changes nothing. */
export function addPageRoutes(app: PageApp, context: PageContext): void {
  const { origin, viewers, limits } = context;

  app.get("/auth/connect", async (c) => {
    const elicitationId = c.req.query("elicitationId");
    const secret = c.get("secret");
    const subject = await context.findSubject(c.req.raw, secret, elicitationId);
    if (subject === undefined) return c.html(unavailablePage(), 404);
    const { record, viewer } = subject;
    if (!limits.pages(record.request.elicitationId).ok) return c.html(tooManyPage(), 429);
    const outcome = outcomeOf(record);

    if (viewer.kind === "unverified") {
      if (outcome !== undefined) return c.html(unavailablePage(), 404);
      if (context.login !== undefined)
        return c.redirect(context.login(pageUrl(origin, record.request.elicitationId)), 303);
      return binding(c, subject, viewer.challenge);
    }
    const { chatOrigin, request } = record;
    const { elicitationId: id } = request;
    if (outcome === undefined) {
      return c.html(
        await consent(subject, viewer.user.name ?? viewer.user.id, await viewers.csrfToken(secret, id)),
      );
    }
    const returnUrl = returnUrlOf(record.returnUrl, context.allowedReturnOrigins);
    return c.html(
      endedPage({ elicitationId: id, chatOrigin, outcome, service: subject.provider.service, returnUrl }),
    );
  });

  app.get("/auth/connect/status", async (c) => {
    const subject = await context.findSubject(c.req.raw, c.get("secret"), c.req.query("elicitationId"));
    if (subject !== undefined && !limits.pages(`${subject.record.request.elicitationId} status`).ok) {
      return c.json({ ready: false }, 429);
    }
    return c.json({ ready: subject?.viewer.kind === "verified" });
  });

  app.get("/auth/connect.js", (c) =>
    c.body(SCRIPT, 200, { "content-type": "text/javascript; charset=utf-8" }),
  );
  app.get("/auth/connect.css", (c) => c.body(STYLE, 200, { "content-type": "text/css; charset=utf-8" }));

  async function consent({ record, provider, client }: Subject, userName: string, csrfToken: string) {
    // A provider that cannot be asked now is told apart when the person continues.
    const providerOrigin = await client.authorizationOrigin().catch(() => new URL(provider.issuer).origin);
    const { request, chatOrigin, lastError } = record;
    return consentPage({
      elicitationId: request.elicitationId,
      chatOrigin,
      csrfToken,
      userName,
      lastError,
      requester: request.requester?.name ?? "The assistant",
      service: provider.service,
      providerHost: new URL(providerOrigin).host,
      scopes: provider.scopes,
      cutOpener: !context.trustedProviderOrigins.has(providerOrigin),
    });
  }
}

export function pageUrl(origin: string, elicitationId: string): string {
  return `${origin}/auth/connect?elicitationId=${encodeURIComponent(elicitationId)}`;
}

function binding(c: Context<PageEnv>, { record }: Subject, challenge: string) {
  const { chatOrigin, request } = record;
  // Without a chat to ask, nobody can vouch for anybody.
  if (chatOrigin === undefined) return c.html(unavailablePage(), 404);
  return c.html(bindingPage({ elicitationId: request.elicitationId, chatOrigin, challenge }));
}
