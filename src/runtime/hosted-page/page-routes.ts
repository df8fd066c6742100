import { bodyLimit } from "hono/body-limit";
import type { User } from "../core/index.ts";
import { outcomeOf } from "../core/internal.ts";
import { SCRIPT, STYLE } from "./assets.ts";
import { type PageApp, type PageContext, startUrl } from "./context.ts";
import { admit } from "./identity-gate.ts";
import { unavailablePage } from "./identity-pages.ts";
import { type Connection, type PageRequest, pageRequestOf } from "./page-request.ts";
import { consentPage, endedPage } from "./pages.ts";
import { returnUrlOf } from "./return-url.ts";
import { MAX_FORM_BYTES, submissionOf } from "./submission.ts";

/** What the person of a request sees, and their no (contract, section 6). Looking changes nothing. */
export function addPageRoutes(app: PageApp, context: PageContext): void {
  const { origin, viewers, limits, elicitations } = context;

  app.get("/auth/connect", async (c) => {
    const viewer = await admit(c, context);
    if (viewer instanceof Response) return viewer;
    const request = pageRequestOf(context.connections, viewer);
    if (request === undefined) return c.html(unavailablePage(), 404);
    const { record, connection } = request;
    const { elicitationId } = record.request;
    const outcome = outcomeOf(record);
    if (outcome === undefined) {
      return c.html(await consent(request, await viewers.csrfToken(c.get("secret"), elicitationId)));
    }
    const returnUrl = returnUrlOf(record.returnUrl, context.allowedReturnOrigins) ?? context.chatHome;
    const { chatOrigin } = record;
    const { service } = connection.provider;
    return c.html(endedPage({ elicitationId, chatOrigin, outcome, service, returnUrl }));
  });

  app.get("/auth/connect/status", async (c) => {
    const elicitationId = c.req.query("elicitationId") ?? "";
    const secret = c.get("secret");
    const viewer = await viewers.identify(c.req.raw, secret, elicitationId, true);
    if (viewer.kind !== "verified") return c.json({ ended: false });
    if (!limits.views(`${elicitationId} ${secret} status`).ok) return c.json({ ended: false }, 429);
    return c.json({ ended: outcomeOf(viewer.record) !== undefined });
  });

  app.post("/auth/connect/decline", bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    await elicitations.decline(submitted.elicitationId);
    return c.redirect(startUrl(origin, submitted.elicitationId), 303);
  });

  app.get("/auth/connect.js", (c) =>
    c.body(SCRIPT, 200, { "content-type": "text/javascript; charset=utf-8" }),
  );
  app.get("/auth/connect.css", (c) => c.body(STYLE, 200, { "content-type": "text/css; charset=utf-8" }));

  async function consent({ record, connection, user }: PageRequest, csrfToken: string) {
    const { request, chatOrigin, lastError } = record;
    const { service, scopes = [] } = connection.provider;
    const providerOrigin = await originOf(connection);
    const chat = chatOrigin ?? context.chatHome;
    return consentPage({
      elicitationId: request.elicitationId,
      chatOrigin,
      csrfToken,
      chatHost: chat === undefined ? undefined : new URL(chat).host,
      account: accountOf(user),
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

/** What nobody else can call themselves: a name alone may be anything that somebody has typed. */
function accountOf({ account, name, id }: User): string {
  return account ?? (name === undefined || name === id ? id : `${name} (${id})`);
}

/** Where the person is led to. A provider that cannot be asked now is told apart when the person continues. */
async function originOf(connection: Connection): Promise<string> {
  if (connection.kind === "nango") return new URL(connection.client.host).origin;
  const { client, provider } = connection;
  return client.authorizationOrigin().catch(() => new URL(provider.issuer).origin);
}
