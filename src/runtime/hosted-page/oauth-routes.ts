import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Credential } from "../core/index.ts";
import { outcomeOf } from "../core/internal.ts";
import type { PageApp, PageContext, PageEnv } from "./context.ts";
import { describeOAuthFailure } from "./oauth.ts";
import { pageUrl } from "./page-routes.ts";
import { unavailablePage } from "./pages.ts";
import { redirectPathOf } from "./redirect-paths.ts";
import type { OAuthConnection } from "./subject.ts";
import { MAX_FORM_BYTES, submissionOf } from "./submission.ts";
import { TRANSACTION_TTL_MS, type Transaction, type Transactions } from "./transactions.ts";
import { isEqual } from "./viewer.ts";

/** The way to a provider of OAuth and back (contract, section 6). */
export function addOAuthRoutes(
  app: PageApp,
  context: PageContext & { transactions: Transactions; redirectPaths: ReadonlySet<string> },
): void {
  const { origin, elicitations, credentials, cookies, transactions, onError } = context;

  app.post("/auth/connect/start", bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    const { record, toolId, connection, user, outcome } = submitted;
    if (connection.kind !== "oauth") return c.html(unavailablePage(), 404);
    const { elicitationId } = record.request;
    if (outcome !== undefined) return c.redirect(pageUrl(origin, elicitationId), 303);
    const { provider, client } = connection;
    const redirectUri = origin + redirectPathOf(provider);
    await elicitations.retry(elicitationId);
    try {
      const { url, state, codeVerifier } = await client.start(redirectUri);
      transactions.put(state, { elicitationId, toolId, userId: user.id, codeVerifier, redirectUri });
      c.header("set-cookie", cookies.write(stateCookie(state), state, TRANSACTION_TTL_MS / 1000), {
        append: true,
      });
      return c.redirect(url.href, 303);
    } catch (error) {
      onError(error);
      await elicitations.fail(elicitationId, describeOAuthFailure(error, provider.service));
      return c.redirect(pageUrl(origin, elicitationId), 303);
    }
  });

  for (const path of context.redirectPaths) app.get(path, (c) => callback(c));

  async function callback(c: Context<PageEnv>): Promise<Response> {
    // Whoever asks for the head only looks, and a state and a code are good for one use.
    if (c.req.method === "HEAD") return c.body(null, 405, { allow: "GET" });
    const parameters = new URL(c.req.url).searchParams;
    const state = parameters.get("state") ?? "";
    const transaction = transactions.take(state);
    if (transaction === undefined) return c.html(unavailablePage(), 400);
    const name = stateCookie(state);
    const sent = cookies.read(c.req.raw, name);
    c.header("set-cookie", cookies.remove(name), { append: true });
    // The browser that comes back must be the one that left, and still be the same person's.
    if (sent === undefined || !isEqual(sent, state)) return c.html(unavailablePage(), 400);
    const subject = await context.findSubject(c.req.raw, c.get("secret"), transaction.elicitationId);
    const viewer = subject?.viewer;
    const connection = subject?.connection;
    if (subject === undefined || viewer?.kind !== "verified" || viewer.user.id !== transaction.userId) {
      return c.html(unavailablePage(), 403);
    }
    if (connection?.kind !== "oauth") return c.html(unavailablePage(), 400);
    if (transaction.redirectUri !== origin + c.req.path) return c.html(unavailablePage(), 400);
    if (outcomeOf(subject.record) === undefined) await finish(connection, transaction, { state, parameters });
    // The page says how it ended, under a URL without the code.
    return c.redirect(pageUrl(origin, transaction.elicitationId), 303);
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
