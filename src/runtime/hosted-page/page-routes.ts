import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { outcomeOf } from "../core/internal.ts";
import { SCRIPT, STYLE } from "./assets.ts";
import type { PageApp, PageContext, PageEnv } from "./context.ts";
import { bindingPage, consentPage, endedPage, tooManyPage, unavailablePage } from "./pages.ts";
import { returnUrlOf } from "./return-url.ts";
import type { Connection, Subject } from "./subject.ts";
import { MAX_FORM_BYTES, submissionOf } from "./submission.ts";

/** What people see, and their no (contract, section 6). Looking changes nothing. */
export function addPageRoutes(app: PageApp, context: PageContext): void {
  const { origin, viewers, limits, elicitations } = context;

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
      endedPage({
        elicitationId: id,
        chatOrigin,
        outcome,
        service: subject.connection.provider.service,
        returnUrl,
      }),
    );
  });

  app.get("/auth/connect/status", async (c) => {
    const subject = await context.findSubject(c.req.raw, c.get("secret"), c.req.query("elicitationId"));
    if (subject !== undefined && !limits.pages(`${subject.record.request.elicitationId} status`).ok) {
      return c.json({ ready: false }, 429);
    }
    if (subject?.viewer.kind !== "verified") return c.json({ ready: false });
    return c.json({ ready: true, ended: outcomeOf(subject.record) !== undefined });
  });

  app.post("/auth/connect/decline", bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    const { elicitationId } = submitted.record.request;
    await elicitations.decline(elicitationId);
    return c.redirect(pageUrl(origin, elicitationId), 303);
  });

  app.get("/auth/connect.js", (c) =>
    c.body(SCRIPT, 200, { "content-type": "text/javascript; charset=utf-8" }),
  );
  app.get("/auth/connect.css", (c) => c.body(STYLE, 200, { "content-type": "text/css; charset=utf-8" }));

  async function consent({ record, connection }: Subject, userName: string, csrfToken: string) {
    const { request, chatOrigin, lastError } = record;
    const { service, scopes = [] } = connection.provider;
    const providerOrigin = await originOf(connection);
    return consentPage({
      elicitationId: request.elicitationId,
      chatOrigin,
      csrfToken,
      userName,
      lastError,
      requester: request.requester?.name ?? "The assistant",
      service,
      scopes,
      isNango: connection.kind === "nango",
      providerHost: connection.kind === "nango" ? undefined : new URL(providerOrigin).host,
      cutOpener: !context.trustedProviderOrigins.has(providerOrigin),
    });
  }
}

/** Where the person is led to. A provider that cannot be asked now is told apart when the person continues. */
async function originOf(connection: Connection): Promise<string> {
  if (connection.kind === "nango") return new URL(connection.client.host).origin;
  const { client, provider } = connection;
  return client.authorizationOrigin().catch(() => new URL(provider.issuer).origin);
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
