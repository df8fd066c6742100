import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Credential } from "../../runtime/index.ts";
import { outcomeOf } from "../../runtime/internal.ts";
import { isEqual } from "../../base/seal.ts";
import type { SignInTrip } from "../discovery/mcp-sign-in.ts";
import { CALLBACK_PATH } from "../discovery/sign-in-paths.ts";
import { SignInError } from "../discovery/sign-in-error.ts";
import { type PageApp, type PageContext, type PageEnv, startUrl } from "../page/context.ts";
import { proveForEnd, unavailable } from "../page/identity/identity-gate.ts";
import { type OAuthClient, describeOAuthFailure } from "./oauth.ts";
import {
  type Connection,
  type McpConnection,
  type OAuthConnection,
  pageRequestOf,
} from "../page/page-request.ts";
import { redirectPathOf } from "./redirect-paths.ts";
import { MAX_FORM_BYTES, submissionOf } from "../page/csrf-forms.ts";
import { TRANSACTION_TTL_MS, type Transaction, type Transactions } from "../page/transactions.ts";
import { createTriedMethods } from "./tried-methods.ts";
import type { PageWords } from "../../words/page/page-words.ts";

/** Where the browser goes, and what the callback has to match. */
interface Leaving {
  url: URL;
  state: string;
  trip: Pick<Transaction, "codeVerifier" | "redirectUri" | "scopes" | "trip">;
}

/** Sends the person to an OAuth provider, and takes them back (contract, section 6). */
export function addOAuthRoutes(
  app: PageApp,
  context: PageContext & { transactions: Transactions; redirectPaths: ReadonlySet<string> },
): void {
  const { origin, elicitations, credentials, viewers, cookies, clock, transactions, onError } = context;
  const triedMethods = createTriedMethods(cookies);

  app.post("/auth/connect/start", bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    const { elicitationId, toolId, connection, user, outcome } = submitted;
    if (connection.kind !== "oauth" && connection.kind !== "mcp")
      return unavailable(c, context, { status: 404 });
    if (outcome !== undefined) return c.redirect(startUrl(origin, elicitationId), 303);
    await elicitations.retry(elicitationId);
    try {
      const { url, state, trip } =
        connection.kind === "oauth"
          ? await leaveTo(connection)
          : await leaveToDiscovered(c, connection, elicitationId);
      await transactions.put(state, {
        elicitationId,
        toolId,
        userId: user.id,
        ...trip,
        expiresAt: clock.now() + TRANSACTION_TTL_MS,
      });
      c.header("set-cookie", cookies.write(stateCookie(state), state, TRANSACTION_TTL_MS / 1000), {
        append: true,
      });
      return c.redirect(url.href, 303);
    } catch (error) {
      onError(error);
      await elicitations.fail(
        elicitationId,
        describeOAuthFailure(error, connection.provider.service, c.get("view").words),
      );
      return c.redirect(startUrl(origin, elicitationId), 303);
    }
  });

  async function leaveTo({ client, provider, scopes }: OAuthConnection): Promise<Leaving> {
    const redirectUri = origin + redirectPathOf(provider);
    const { url, state, codeVerifier } = await client.start(redirectUri, scopes);
    return { url, state, trip: { codeVerifier, redirectUri, scopes } };
  }

  async function leaveToDiscovered(
    c: Context<PageEnv>,
    { signIn, target }: McpConnection,
    elicitationId: string,
  ): Promise<Leaving> {
    const tried = triedMethods.read(c.req.raw, elicitationId);
    const { url, state, method, trip } = await signIn.start(await signIn.discover(target), tried);
    if (method === "metadata-document" && tried.has(method)) onError(unreadDocument(trip));
    c.header("set-cookie", triedMethods.add(tried, method, elicitationId), { append: true });
    const { codeVerifier, redirectUri } = trip;
    return { url, state, trip: { codeVerifier, redirectUri, trip } };
  }

  for (const path of context.redirectPaths) app.get(path, (c) => callback(c));
  if (context.mcpSignIn !== undefined) app.get(`${CALLBACK_PATH}:hash`, (c) => callback(c));

  async function callback(c: Context<PageEnv>): Promise<Response> {
    const parameters = new URL(c.req.url).searchParams;
    const state = parameters.get("state") ?? "";
    const transaction = state === "" ? undefined : await transactions.take(state);
    if (transaction === undefined) return unavailable(c, context, { status: 400 });
    const name = stateCookie(state);
    const sent = cookies.read(c.req.raw, name);
    c.header("set-cookie", cookies.remove(name), { append: true });
    // The browser that comes back must be the one that left, and still be the same person's.
    const isInTime = clock.now() < transaction.expiresAt;
    if (sent === undefined || !isEqual(sent, state) || !isInTime)
      return unavailable(c, context, { status: 400 });
    const { elicitationId, userId, redirectUri } = transaction;
    const viewer = await viewers.identify(c.req.raw, c.get("secret"), elicitationId, true);
    if (viewer.kind !== "verified" || viewer.user.id !== userId)
      return unavailable(c, context, { status: 403 });
    const connection = pageRequestOf(context, viewer)?.connection;
    if (connection === undefined || redirectUri !== origin + c.req.path)
      return unavailable(c, context, { status: 400 });
    c.header("set-cookie", triedMethods.clear(elicitationId), { append: true });
    const { words } = c.get("view");
    if (outcomeOf(viewer.record) === undefined) {
      const returned = { state, parameters };
      if (!(await finish(connection, transaction, returned, words))) {
        return unavailable(c, context, { status: 400 });
      }
    }
    await proveForEnd(c, context, elicitationId);
    // Show the result under a URL without the code.
    return c.redirect(startUrl(origin, elicitationId), 303);
  }

  /** Returns `false` if the trip was not made for this kind of connection. */
  async function finish(
    connection: Connection,
    { elicitationId, toolId, userId, codeVerifier, redirectUri, scopes = [], trip }: Transaction,
    { state, parameters }: { state: string; parameters: URLSearchParams },
    words: PageWords,
  ): Promise<boolean> {
    let exchange: Promise<Credential>;
    let revoke: (credential: Credential) => Promise<void>;
    if (connection.kind === "oauth" && trip === undefined) {
      const { client } = connection;
      exchange = client
        .finish(redirectUri, { state, parameters, codeVerifier })
        // What a provider grants as asked, it need not repeat (RFC 6749, section 5.1).
        .then((credential) => withName(client, { scope: scopes.join(" "), ...credential }));
      revoke = (credential) => client.revoke(credential);
    } else if (connection.kind === "mcp" && trip !== undefined) {
      const { signIn } = connection;
      exchange = signIn.finish(trip, state, parameters);
      revoke = (credential) => signIn.revoke(credential);
    } else {
      return false;
    }
    let credential: Credential;
    try {
      credential = await exchange;
    } catch (error) {
      onError(error);
      await elicitations.fail(elicitationId, describeOAuthFailure(error, connection.provider.service, words));
      return true;
    }
    let isStored = false;
    async function store(): Promise<void> {
      await credentials.set(toolId, userId, credential);
      isStored = true;
    }
    // Rejects also if only the waiting turn could not be told.
    await elicitations.complete(elicitationId, store).catch(onError);
    // Withdrawn or expired while the person was away, or not stored. Do not leave a token behind that nobody can use.
    if (!isStored) await revoke(credential).catch(onError);
    return true;
  }

  async function withName(client: OAuthClient, credential: Credential): Promise<Credential> {
    try {
      return await client.withAccountName(credential);
    } catch (error) {
      onError(error);
      return credential;
    }
  }
}

/** The person comes back to the page without having been sent back, and there is no other way to try. */
function unreadDocument({ service, server, client }: SignInTrip): SignInError {
  return new SignInError(
    `a person left for ${server.issuer}, to sign in to ${service}, and did not come back. If it cannot read the client id metadata document of this page, ${client.clientId}, make the page public on https, or register a client there by hand.`,
  );
}

/** Several sign-ins may be under way in one browser, each with its own cookie. */
function stateCookie(state: string): string {
  return `elicit-oauth-${state.slice(0, 8)}`;
}
