import type { Context } from "hono";
import { isEqual } from "../../../base/seal.ts";
import { newSecret } from "../../../base/ids.ts";
import { outcomeOf } from "../../../runtime/internal.ts";
import { KitError } from "../../../contract/kit-error.ts";
import { byAccount, isSameAccount } from "../../ports/credentials.ts";
import { CALLBACK_PATH, DOCUMENT_PATH } from "../../oauth/bound-clients.ts";
import type { McpSignIn } from "../../oauth/mcp-sign-in.ts";
import {
  type AccountFault,
  type FlowEnd,
  type SignInPlace,
  errorOf,
  settled,
} from "../../ports/connector.ts";
import { TRANSACTION_TTL_MS, type Transaction, type Transactions } from "../../ports/transactions.ts";
import { ON_PAGE, type PageApp, type PageContext, type PageEnv, startUrl } from "../context.ts";
import { type Submission, submissionOf } from "../csrf-forms.ts";
import { proveForEnd, unavailable } from "../identity/identity-gate.ts";
import { type PageRequest, pageRequestOf } from "../page-connector.ts";
import { storing } from "../store-account.ts";
import { askedOwnersPage } from "../identity/identity-pages.ts";
import { recordFault } from "./faults.ts";
import { placeSeal } from "./place-seal.ts";
import type { Cookies } from "../cookies.ts";

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

  app.post("/auth/connect/start", async (c) => {
    const submitted = await submissionOf(c, context);
    if (submitted instanceof Response) return submitted;
    const { elicitationId, toolId, connector, record, user, outcome, field } = submitted;
    if (connector.start === undefined) return unavailable(c, context, { status: 404 });
    if (outcome !== undefined) return c.redirect(startUrl(origin, elicitationId), 303);
    await elicitations.retry(elicitationId, ON_PAGE);
    const tried = triedMethods.read(c.req.raw, elicitationId);
    const asked = { state: newSecret(), redirectUri: origin + RETURN_PATH };
    const account = { toolId, userId: user.id };
    const hasShown = async (place: SignInPlace) =>
      isEqual(field("place") ?? "", await placeSeal(c.get("secret"), elicitationId, place));
    const request = { ...asked, account, user, target: record.signIn, origin, tried, hasShown };
    const { start } = connector;
    const started = await settled(() => start(request));
    if (!started.ok) {
      await fail(c, submitted, started);
      return c.redirect(startUrl(origin, elicitationId), 303);
    }
    if (started.url === undefined) return c.redirect(startUrl(origin, elicitationId, "changed"), 303);
    const { state = asked.state, redirectUri = asked.redirectUri, url, data, method, warning } = started;
    if (warning !== undefined) onError(warning);
    const expiresAt = clock.now() + TRANSACTION_TTL_MS;
    const known = { elicitationId, ...account, redirectUri, expiresAt };
    if (connector.disown !== undefined) await transactions.put(aloneKey(state), { ...known, data: null });
    await transactions.put(state, { ...known, data });
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
    if (state === "" && parameters.get("setup_action") === "request")
      return c.html(askedOwnersPage(c.get("view")));
    if (!maySpend(c, state)) return unavailable(c, context, { status: 400 });
    const transaction = state === "" ? undefined : await transactions.take(state);
    if (transaction === undefined) return comeBackAgain(c, state);
    // The browser that returns must be the one that left, and still belong to the same user.
    if (!hasLeft(c, state) || clock.now() >= transaction.expiresAt)
      return unavailable(c, context, { status: 400 });
    const used = { ...transaction, data: null };
    // Only for reloads. The state is spent, so the sign-in must continue.
    await transactions.put(againKey(state), used).catch(onError);
    const { elicitationId, toolId, userId, redirectUri, data } = transaction;
    const viewer = await viewers.identify(c.req.raw, c.get("secret"), elicitationId, true);
    if (viewer.kind !== "verified" || viewer.user.id !== userId)
      return unavailable(c, context, { status: 403 });
    const request = pageRequestOf(context, viewer);
    const connector = request?.connector;
    if (request === undefined || connector?.finish === undefined || redirectUri !== origin + c.req.path)
      return unavailable(c, context, { status: 400 });
    c.header("set-cookie", triedMethods.clear(elicitationId), { append: true });
    if (outcomeOf(viewer.record) === undefined) {
      const { finish } = connector;
      const account = { toolId, userId };
      const ended = await settled(() =>
        finish({ account, user: viewer.user, data, state, redirectUri, parameters }),
      );
      if (ended.ok) {
        await complete(request, ended);
        await watchForOthers(state, used, ended.reference);
      } else await fail(c, { elicitationId, toolId, connector }, ended);
    }
    await proveForEnd(c, context, elicitationId);
    // Show the result under a URL without the code.
    return c.redirect(startUrl(origin, elicitationId), 303);
  }

  /**
   * Security products fetch the addresses that a browser visits. They send neither its cookies nor the headers of a
   * navigation, and must not end the sign-in. Another browser does end it. At a vault without a code, every return of an
   * unknown browser ends it, because the account then belongs to the wrong user.
   */
  function maySpend(c: Context<PageEnv>, state: string): boolean {
    const isNavigation = c.req.header("sec-fetch-dest") === "document";
    return hasLeft(c, state) || isNavigation || c.req.path === RETURN_PATH;
  }

  function hasLeft(c: Context<PageEnv>, state: string): boolean {
    const sent = cookies.read(c.req.raw, stateCookie(state));
    return sent !== undefined && isEqual(sent, state);
  }

  /**
   * The callback is opened again: reloaded, or fetched ahead. The browser that has left sees the page of its request,
   * which says what is true. Another browser may have consented at a vault, for an account that the first one has got.
   */
  async function comeBackAgain(c: Context<PageEnv>, state: string): Promise<Response> {
    const isOurs = hasLeft(c, state);
    const used = isOurs ? await transactions.take(againKey(state)) : await takeAccount(state);
    if (used === undefined || clock.now() >= used.expiresAt || used.redirectUri !== origin + c.req.path) {
      return unavailable(c, context, { status: 400 });
    }
    if (!isOurs) {
      await disown(used);
      return unavailable(c, context, { status: 400 });
    }
    await transactions.put(againKey(state), used);
    return c.redirect(startUrl(origin, used.elicitationId), 303);
  }

  /**
   * Remembers the account of a vault for {@link comeBackAgain}. Another browser may have come back meanwhile, or comes
   * right now. It takes the entry that says that this one is alone, and then the account. So it finds the account, or this
   * browser misses that entry. Neither puts an entry back, because the other one could look in between.
   */
  async function watchForOthers(state: string, used: Transaction, reference: string | undefined) {
    if (reference === undefined) return;
    await transactions.put(accountKey(state), { ...used, data: reference });
    if ((await transactions.take(aloneKey(state))) !== undefined) return;
    const account = await transactions.take(accountKey(state));
    if (account !== undefined) await disown(account);
  }

  /** For a browser that has not left: its sender no longer counts as alone, and loses the account that is stored. */
  async function takeAccount(state: string): Promise<Transaction | undefined> {
    if (state === "") return undefined;
    await transactions.take(aloneKey(state));
    return transactions.take(accountKey(state));
  }

  async function disown({ toolId, userId, data }: Transaction): Promise<void> {
    const reference = String(data);
    const connector = byAccount(context.connectors.byTool, toolId);
    const removed = await connector?.disown?.({ toolId, userId }, reference);
    const done = removed?.ok === true ? "was removed" : "could not be removed in the vault";
    onError(
      new KitError(
        `elicit-kit: a second browser came back from one sign-in of "${toolId}", so its account ${done}: the link may have been forwarded. The user can connect again.`,
      ),
    );
  }

  async function complete(request: PageRequest, { name, accountId, store, undo }: FlowEnd): Promise<void> {
    const { elicitationId } = request.record.request;
    const stored = storing(context, request, store, (found) =>
      isSameAccount({ account: name, accountId }, { account: found.name, accountId: found.accountId }),
    );
    let isStored = false;
    // Also rejects if only the waiting turn could not be notified.
    await elicitations
      .complete(
        elicitationId,
        async () => {
          await stored();
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
    // A refusal of the user is an answer, not an error.
    if (fault.reason !== "denied") onError(errorOf(fault, toolId));
    const { service } = connector;
    await recordFault(context, elicitationId, { fault, service, words: c.get("view").words });
  }
}

// Besides its own entry, a state has these until it expires.

/** For reloads by the browser that has left. */
const againKey = (state: string) => `again.${state}`;

/** There until another browser returns, or the account of a vault is stored. */
const aloneKey = (state: string) => `alone.${state}`;

/** The account of a vault, until another browser returns. */
const accountKey = (state: string) => `account.${state}`;

/** Several sign-ins may be in progress in one browser, each with its own cookie. */
function stateCookie(state: string): string {
  return `elicit-oauth-${state.slice(0, 8)}`;
}

const METHOD = /^[a-z-]{1,40}$/;

/**
 * The methods of sign-ins from which a browser did not return. An authorization server that refuses a client shows its
 * own error page, and no error reaches us, so the next Connect uses another method. Kept in a cookie, because it only
 * decides which method comes next.
 */
export interface TriedMethods {
  read(request: Request, elicitationId: string): ReadonlySet<string>;
  /** The `Set-Cookie` header that adds a method. */
  add(tried: ReadonlySet<string>, method: string, elicitationId: string): string;
  /** The `Set-Cookie` header after the browser has returned. */
  clear(elicitationId: string): string;
}

function createTriedMethods(cookies: Cookies): TriedMethods {
  return {
    read(request, elicitationId) {
      const listed = (cookies.read(request, nameOf(elicitationId)) ?? "").split(".");
      return new Set(listed.filter((method) => METHOD.test(method)));
    },
    add: (tried, method, elicitationId) =>
      cookies.write(
        nameOf(elicitationId),
        [...new Set([...tried, method])].join("."),
        TRANSACTION_TTL_MS / 1000,
      ),
    clear: (elicitationId) => cookies.remove(nameOf(elicitationId)),
  };
}

function nameOf(elicitationId: string): string {
  return `elicit-tried-${elicitationId.slice(0, 22)}`;
}
