import type { Context } from "hono";
import type { User } from "../../../runtime/index.ts";
import { isEqual } from "../../../base/seal.ts";
import { accountIds, byAccount } from "../../ports/credentials.ts";
import { type AccountKey, errorOf, settled } from "../../ports/connector.ts";
import type { PageConnector } from "../page-connector.ts";
import type { PageApp, PageContext, PageEnv } from "../context.ts";
import { isSameOrigin, readFields } from "../csrf-forms.ts";
import { tooMany, unavailable } from "../identity/identity-gate.ts";
import { accountOf } from "../identity/viewer.ts";
import { ACCOUNTS_PATH, addOwnerRoutes, admitOwner, forgetOwner, ownerOf } from "./account-owner.ts";
import { type AccountRow, type Removal, accountsPage } from "./accounts-page.ts";

/** A service where the user may have accounts. */
interface Place {
  /** The ids of the accounts, of which the first one is the name of the provider. */
  readonly toolIds: readonly string[];
  readonly connector: PageConnector;
  readonly isUnknown: boolean;
}

interface AccountState {
  readonly toolId: string;
  readonly found: Awaited<ReturnType<PageConnector["isConnected"]>>;
}

/** Routes that list the connected accounts of the page's user and remove them. */
export function addAccountsRoutes(app: PageApp, context: PageContext): void {
  const { origin, viewers, limits, connectors, serviceIcons, mcpServers, elicitations, onError } = context;

  app.get(ACCOUNTS_PATH, async (c) => {
    const user = await admitOwner(c, context);
    return user instanceof Response ? user : show(c, user);
  });
  addOwnerRoutes(app, context);

  app.post(`${ACCOUNTS_PATH}/remove`, async (c) => {
    const press = await readPress(c, "account");
    if (press instanceof Response) return press;
    const { user, value } = press;
    const place = (await placesOf(user)).find(({ toolIds }) => toolIds.includes(value));
    if (place === undefined) return unavailable(c, context, { status: 404 });
    return show(c, user, await remove(place.connector, { toolId: value, userId: user.id }));
  });

  app.post(`${ACCOUNTS_PATH}/forget`, async (c) => {
    const press = await readPress(c, "answer");
    if (press instanceof Response) return press;
    await elicitations.remembered?.remove(press.user.id, press.value);
    return show(c, press.user);
  });

  app.post(`${ACCOUNTS_PATH}/not-you`, async (c) => {
    const form = await readForm(c);
    return form instanceof Response ? form : forgetOwner(c, context);
  });

  /** Reads which user clicked a button of the page, and the form field that names the account. */
  async function readPress(
    c: Context<PageEnv>,
    name: "account" | "answer",
  ): Promise<{ user: User; value: string } | Response> {
    const form = await readForm(c);
    if (form instanceof Response) return form;
    const value = form.fields.get(name);
    return typeof value === "string" ? { user: form.user, value } : unavailable(c, context, { status: 400 });
  }

  /** Reads a form of the page, and which user has sent it. */
  async function readForm(c: Context<PageEnv>): Promise<{ user: User; fields: FormData } | Response> {
    if (!isSameOrigin(c.req.raw, origin)) return unavailable(c, context, { status: 403 });
    const user = await ownerOf(c, context);
    // Asks the user's chat again who the user is.
    if (user === undefined) return c.redirect(ACCOUNTS_PATH, 303);
    const fields = await readFields(c.req.raw);
    const csrf = fields.get("csrf");
    if (typeof csrf !== "string") return unavailable(c, context, { status: 400 });
    if (!isEqual(csrf, await tokenFor(c, user))) return unavailable(c, context, { status: 403 });
    const allowed = limits.posts(user.id);
    return allowed.ok ? { user, fields } : tooMany(c, allowed.retryAfter);
  }

  /** Valid for this user only: another user may have signed in since this browser loaded the page. */
  function tokenFor(c: Context<PageEnv>, { id }: User): Promise<string> {
    return viewers.csrfToken(c.get("secret"), `${ACCOUNTS_PATH}\n${id}`);
  }

  async function show(c: Context<PageEnv>, user: User, removal?: Removal): Promise<Response> {
    const places = await placesOf(user);
    const rows = await Promise.all(places.map((place) => rowsOf(place, user)));
    const page = accountsPage(c.get("view"), {
      account: accountOf(user),
      rows: rows.flat(),
      remembered: (await elicitations.remembered?.list(user.id)) ?? [],
      csrfToken: await tokenFor(c, user),
      removal,
    });
    return c.html(page, removal?.result === "not-removed" ? 502 : 200);
  }

  /** A configured provider comes before a discovered one, as on the page of a request. */
  async function placesOf(user: User): Promise<readonly Place[]> {
    const configured = [...connectors.byTool].map(([provider, connector]) => ({
      toolIds: accountIds(provider),
      connector,
      isUnknown: false,
    }));
    const { discovered } = connectors;
    if (discovered === undefined || mcpServers === undefined) return configured;
    // A string that is not a URL has no account, and must not hide the accounts at other servers.
    const own = (await mcpServers(user)).filter(
      ({ name, url }) => !connectors.byTool.has(name) && URL.canParse(url),
    );
    return [
      ...configured,
      ...own.map(({ name, url, service, several = false }) => {
        const { host } = new URL(url);
        const connector = discovered({ url, service: service ?? host });
        const toolIds = several ? accountIds(name) : [name];
        return { toolIds, connector, isUnknown: connector.service === host };
      }),
    ];
  }

  async function rowsOf(place: Place, user: User): Promise<readonly AccountRow[]> {
    const states = await statesOf(place, user);
    // If none of them can be read, it is unknown which ones exist.
    const shown = states.some(({ found }) => found.ok) ? states : states.slice(0, 1);
    return shown.flatMap(({ toolId, found }) => rowOf(place, toolId, found));
  }

  /** No row: the user has no account with this id. */
  function rowOf(
    { connector, isUnknown }: Place,
    toolId: string,
    found: AccountState["found"],
  ): readonly AccountRow[] {
    if (found.ok ? found.account === undefined : found.reason === "not-connected") return [];
    if (!found.ok) onError(errorOf(found, toolId));
    const { name, connectedAt } = (found.ok ? found.account : undefined) ?? {};
    return [
      {
        toolId,
        isUnknown,
        service: connector.service,
        serviceIcon: byAccount(serviceIcons, toolId),
        name,
        connectedAt,
        isChecked: found.ok,
      },
    ];
  }

  async function remove(connector: PageConnector, account: AccountKey): Promise<Removal> {
    const { service } = connector;
    const removed = await settled(() => connector.revoke(account));
    if (removed.ok) {
      return { service, result: removed.isRevoked === false ? "not-revoked" : "removed" };
    }
    if (removed.reason === "not-connected") return { service, result: "removed" };
    onError(errorOf(removed, account.toolId));
    return { service, result: "not-removed" };
  }
}

/** Reads whether each of the accounts is connected. */
async function statesOf(
  { toolIds, connector }: Place,
  { id: userId }: User,
): Promise<readonly AccountState[]> {
  const { list } = connector;
  const listed = list && (await settled(() => list(userId)));
  return Promise.all(
    toolIds.map(async (toolId): Promise<AccountState> => {
      if (listed === undefined) {
        return { toolId, found: await settled(() => connector.isConnected({ toolId, userId })) };
      }
      return { toolId, found: listed.ok ? { ok: true, account: listed.accounts.get(toolId) } : listed };
    }),
  );
}
