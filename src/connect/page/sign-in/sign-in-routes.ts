import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isEqual } from "../../../base/seal.ts";
import { newSecret } from "../../../base/ids.ts";
import { outcomeOf } from "../../../runtime/internal.ts";
import { CALLBACK_PATH, DOCUMENT_PATH } from "../../oauth/sign-in-paths.ts";
import type { McpSignIn } from "../../oauth/mcp-sign-in.ts";
import { type AccountFault, type FlowEnd, errorOf, settled } from "../../ports/connector.ts";
import { TRANSACTION_TTL_MS, type Transactions } from "../../ports/transactions.ts";
import { ON_PAGE, type PageApp, type PageContext, type PageEnv, startUrl } from "../context.ts";
import { type Submission, submissionOf } from "../csrf-forms.ts";
import { MAX_FORM_BYTES } from "../form-guard.ts";
import { proveForEnd, unavailable } from "../identity/identity-gate.ts";
import { pageRequestOf } from "../page-connector.ts";
import { recordFault } from "./faults.ts";
import { createTriedMethods } from "./tried-methods.ts";

/** The path to which browsers return if the connector has no path of its own. */
const RETURN_PATH = "/auth/connect/return";

/** Redirects the user to the sign-in, and handles their return (contract, section 6). */
export function addSignInRoutes(
  app: PageApp,
  context: PageContext,
  {
    transactions,
    redirectPaths,
    mcpSignIn,
  }: { transactions: Transactions; redirectPaths: ReadonlySet<string>; mcpSignIn: McpSignIn | undefined },
): void {
  const { origin, elicitations, viewers, cookies, clock, onError } = context;
  const triedMethods = createTriedMethods(cookies);

  app.post("/auth/connect/start", bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    const { elicitationId, toolId, connector, record, user, outcome } = submitted;
    if (connector.start === undefined) return unavailable(c, context, { status: 404 });
    if (outcome !== undefined) return c.redirect(startUrl(origin, elicitationId), 303);
    await elicitations.retry(elicitationId, ON_PAGE);
    const tried = triedMethods.read(c.req.raw, elicitationId);
    const asked = { state: newSecret(), redirectUri: origin + RETURN_PATH };
    const account = { toolId, userId: user.id };
    const request = { ...asked, account, user, target: record.signIn, origin, tried };
    const { start } = connector;
    const started = await settled(() => start(request));
    if (!started.ok) {
      await fail(c, submitted, started);
      return c.redirect(startUrl(origin, elicitationId), 303);
    }
    const { state = asked.state, redirectUri = asked.redirectUri, url, data, method, warning } = started;
    if (warning !== undefined) onError(warning);
    const expiresAt = clock.now() + TRANSACTION_TTL_MS;
    await transactions.put(state, { elicitationId, ...account, redirectUri, data, expiresAt });
    const setCookies = [
      cookies.write(stateCookie(state), state, TRANSACTION_TTL_MS / 1000),
      ...(method === undefined ? [] : [triedMethods.add(tried, method, elicitationId)]),
    ];
    for (const setCookie of setCookies) c.header("set-cookie", setCookie, { append: true });
    return c.redirect(url, 303);
  });

  for (const path of new Set([...redirectPaths, RETURN_PATH])) app.get(path, (c) => comeBack(c));
  if (mcpSignIn !== undefined) {
    app.get(`${CALLBACK_PATH}:hash`, (c) => comeBack(c));
    // For authorization servers, which read the description of this client here.
    app.get(`${DOCUMENT_PATH}:hash`, (c): Response | Promise<Response> => {
      const document = mcpSignIn.clientDocument(c.req.path);
      return document === undefined ? unavailable(c, context, { status: 404 }) : c.json(document);
    });
  }

  async function comeBack(c: Context<PageEnv>): Promise<Response> {
    const parameters = new URL(c.req.url).searchParams;
    const state = parameters.get("state") ?? "";
    const transaction = state === "" ? undefined : await transactions.take(state);
    if (transaction === undefined) return unavailable(c, context, { status: 400 });
    const name = stateCookie(state);
    const sent = cookies.read(c.req.raw, name);
    c.header("set-cookie", cookies.remove(name), { append: true });
    // The browser that returns must be the one that left, and still belong to the same user.
    const isInTime = clock.now() < transaction.expiresAt;
    if (sent === undefined || !isEqual(sent, state) || !isInTime)
      return unavailable(c, context, { status: 400 });
    const { elicitationId, toolId, userId, redirectUri, data } = transaction;
    const viewer = await viewers.identify(c.req.raw, c.get("secret"), elicitationId, true);
    if (viewer.kind !== "verified" || viewer.user.id !== userId)
      return unavailable(c, context, { status: 403 });
    const connector = pageRequestOf(context, viewer)?.connector;
    if (connector?.finish === undefined || redirectUri !== origin + c.req.path)
      return unavailable(c, context, { status: 400 });
    c.header("set-cookie", triedMethods.clear(elicitationId), { append: true });
    if (outcomeOf(viewer.record) === undefined) {
      const { finish } = connector;
      const account = { toolId, userId };
      const ended = await settled(() =>
        finish({ account, user: viewer.user, data, state, redirectUri, parameters }),
      );
      if (ended.ok) await complete(elicitationId, ended);
      else await fail(c, { elicitationId, toolId, connector }, ended);
    }
    await proveForEnd(c, context, elicitationId);
    // Show the result under a URL without the code.
    return c.redirect(startUrl(origin, elicitationId), 303);
  }

  async function complete(elicitationId: string, { name, store, undo }: FlowEnd): Promise<void> {
    let isStored = false;
    // Also rejects if only the waiting turn could not be notified.
    await elicitations
      .complete(
        elicitationId,
        async () => {
          await store();
          isStored = true;
        },
        { account: name, ...ON_PAGE },
      )
      .catch(onError);
    // The request was withdrawn or expired while the user was away, or the token was not stored. Do not leave an unused
    // token behind.
    if (!isStored) await undo().catch(onError);
  }

  async function fail(
    c: Context<PageEnv>,
    { elicitationId, toolId, connector }: Pick<Submission, "elicitationId" | "toolId" | "connector">,
    fault: AccountFault,
  ): Promise<void> {
    onError(errorOf(fault, toolId));
    const { service } = connector;
    await recordFault(context, elicitationId, { fault, service, words: c.get("view").words });
  }
}

/** Several sign-ins may be in progress in one browser, each with its own cookie. */
function stateCookie(state: string): string {
  return `elicit-oauth-${state.slice(0, 8)}`;
}
