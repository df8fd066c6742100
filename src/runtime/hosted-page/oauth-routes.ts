import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Credential } from "../core/index.ts";
import { isEqual, outcomeOf } from "../core/internal.ts";
import { type PageApp, type PageContext, type PageEnv, startUrl } from "./context.ts";
import { keepForEnd } from "./identity-gate.ts";
import { unavailablePage } from "./identity-pages.ts";
import { describeOAuthFailure } from "./oauth.ts";
import { type OAuthConnection, pageRequestOf } from "./page-request.ts";
import { redirectPathOf } from "./redirect-paths.ts";
import { MAX_FORM_BYTES, submissionOf } from "./submission.ts";
import { TRANSACTION_TTL_MS, type Transaction, type Transactions } from "./transactions.ts";

/** The way to a provider of OAuth and back (contract, section 6). */
export function addOAuthRoutes(
  app: PageApp,
  context: PageContext & { transactions: Transactions; redirectPaths: ReadonlySet<string> },
): void {
  const { origin, elicitations, credentials, viewers, cookies, clock, transactions, onError } = context;

  app.post("/auth/connect/start", bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    const { elicitationId, toolId, connection, user, outcome } = submitted;
    if (connection.kind !== "oauth") return c.html(unavailablePage(), 404);
    if (outcome !== undefined) return c.redirect(startUrl(origin, elicitationId), 303);
    const { provider, client } = connection;
    const redirectUri = origin + redirectPathOf(provider);
    await elicitations.retry(elicitationId);
    try {
      const { url, state, codeVerifier } = await client.start(redirectUri);
      await transactions.put(state, {
        elicitationId,
        toolId,
        userId: user.id,
        codeVerifier,
        redirectUri,
        expiresAt: clock.now() + TRANSACTION_TTL_MS,
      });
      c.header("set-cookie", cookies.write(stateCookie(state), state, TRANSACTION_TTL_MS / 1000), {
        append: true,
      });
      return c.redirect(url.href, 303);
    } catch (error) {
      onError(error);
      await elicitations.fail(elicitationId, describeOAuthFailure(error, provider.service));
      return c.redirect(startUrl(origin, elicitationId), 303);
    }
  });

  for (const path of context.redirectPaths) app.get(path, (c) => callback(c));

  async function callback(c: Context<PageEnv>): Promise<Response> {
    const parameters = new URL(c.req.url).searchParams;
    const state = parameters.get("state") ?? "";
    const transaction = state === "" ? undefined : await transactions.take(state);
    if (transaction === undefined) return c.html(unavailablePage(), 400);
    const name = stateCookie(state);
    const sent = cookies.read(c.req.raw, name);
    c.header("set-cookie", cookies.remove(name), { append: true });
    // The browser that comes back must be the one that left, and still be the same person's.
    const isInTime = clock.now() < transaction.expiresAt;
    if (sent === undefined || !isEqual(sent, state) || !isInTime) return c.html(unavailablePage(), 400);
    const { elicitationId, userId, redirectUri } = transaction;
    const viewer = await viewers.identify(c.req.raw, c.get("secret"), elicitationId, true);
    if (viewer.kind !== "verified" || viewer.user.id !== userId) return c.html(unavailablePage(), 403);
    const connection = pageRequestOf(context.connections, viewer)?.connection;
    if (connection?.kind !== "oauth") return c.html(unavailablePage(), 400);
    if (redirectUri !== origin + c.req.path) return c.html(unavailablePage(), 400);
    if (outcomeOf(viewer.record) === undefined) await finish(connection, transaction, { state, parameters });
    await keepForEnd(c, context, elicitationId);
    // The page says how it ended, under a URL without the code.
    return c.redirect(startUrl(origin, elicitationId), 303);
  }

  async function finish(
    { client, provider }: OAuthConnection,
    { elicitationId, toolId, userId, codeVerifier, redirectUri }: Transaction,
    returned: { state: string; parameters: URLSearchParams },
  ): Promise<void> {
    let credential: Credential;
    try {
      credential = await client.finish(redirectUri, { ...returned, codeVerifier });
    } catch (error) {
      onError(error);
      await elicitations.fail(elicitationId, describeOAuthFailure(error, provider.service));
      return;
    }
    const isKept = await elicitations
      .complete(elicitationId, () => credentials.set(toolId, userId, credential))
      .catch((error: unknown) => {
        onError(error);
        return false;
      });
    // Withdrawn or expired while the person was away, or not stored: nobody may keep what nobody can use.
    if (!isKept) await client.revoke(credential).catch(onError);
  }
}

/** Several trips may be under way in one browser, each with its own cookie. */
function stateCookie(state: string): string {
  return `elicit-oauth-${state.slice(0, 8)}`;
}
