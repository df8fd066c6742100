import type { Context } from "hono";
import type { Hono } from "hono/tiny";
import { purposeOf } from "../../contract/contract.ts";
import { acceptedLanguages } from "../../base/accept-language.ts";
import { jsonReply, notFound } from "../../base/reply.ts";
import { readWrite } from "../../runtime/http/answer-routes.ts";
import type { FeatureParts, RouteFeature } from "../../runtime/http/feature.ts";
import type { RouteContext } from "../../runtime/http/route-context.ts";
import type { ElicitationRecord } from "../../runtime/ports/index.ts";

/** The users' accounts, as the store of `withConnectors` has them. */
export interface AccountStore {
  get(toolId: string, userId: string): Promise<StoredAccount | undefined>;
  /** Reads what is stored, without a refresh. */
  peek?(toolId: string, userId: string): Promise<StoredAccount | undefined>;
  delete(toolId: string, userId: string): Promise<void>;
  /** Deletes the account and revokes its tokens at the provider. */
  revoke?(
    toolId: string,
    userId: string,
  ): Promise<{ isRevoked: true } | { isRevoked: false; error: unknown }>;
  /** The granted rights in words. */
  rights?(toolId: string, account: StoredAccount, languages: readonly string[]): readonly string[];
}

interface StoredAccount {
  readonly scope?: string | undefined;
  readonly connectedAt?: number | undefined;
}

/** The option of `createRuntime` for receipts of accounts. */
export interface ReceiptOptions {
  /**
   * The users' accounts: the store of `withConnectors`. The receipt of an account that a request has connected then shows
   * its rights and removes it. Adds `GET /api/elicitations/:id/account` and `POST /api/elicitations/:id/account/remove`.
   * @default undefined: the routes answer 404, and the receipt links to `/auth/accounts` of the hosted page
   */
  accounts?: AccountStore | undefined;
}

/** Opens receipts of accounts. `undefined` without `accounts`. */
export function receiptsFor({ accounts }: ReceiptOptions, parts: FeatureParts): RouteFeature | undefined {
  return accounts && { addRoutes: (app, context) => addAccountRoutes(app, context, accounts, parts) };
}

/** Shows the account that a request has connected, and removes it (contract, section 4). */
function addAccountRoutes(
  app: Hono,
  context: RouteContext,
  accounts: AccountStore,
  { onError }: FeatureParts,
): void {
  const { admission, elicitations } = context;

  /** The id of the account, if this user has connected it with this request. */
  async function accountOf(c: Context, userId: string): Promise<string | undefined> {
    const record = await elicitations.find(c.req.param("id") ?? "", userId);
    return record !== undefined && hasConnected(record) ? record.tool?.id : undefined;
  }

  app.get("/api/elicitations/:id/account", async (c) => {
    const reader = await admission.reader(c.req.raw);
    if (reader instanceof Response) return reader;
    const { id: userId } = reader.user;
    const toolId = await accountOf(c, userId);
    if (toolId === undefined) return notFound();
    const account = await (accounts.peek ?? accounts.get).call(accounts, toolId, userId);
    if (account === undefined) return jsonReply(200, { connected: false });
    const { scope = "", connectedAt } = account;
    const languages = acceptedLanguages(c.req.query("lang") ?? c.req.header("accept-language") ?? null);
    const rights = accounts.rights?.(toolId, account, languages) ?? scope.split(" ").filter(Boolean);
    const since = connectedAt === undefined ? {} : { since: new Date(connectedAt).toISOString() };
    return jsonReply(200, { connected: true, rights, ...since });
  });

  app.post("/api/elicitations/:id/account/remove", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    const toolId = await accountOf(c, write.user.id);
    if (toolId === undefined) return notFound();
    const revoked = await accounts.revoke?.(toolId, write.user.id);
    if (revoked === undefined) await accounts.delete(toolId, write.user.id);
    if (revoked?.isRevoked !== false) return jsonReply(200, { success: true, revoked: true });
    onError(revoked.error);
    return jsonReply(200, { success: true, revoked: false });
  });
}

function hasConnected({ request, status }: ElicitationRecord): boolean {
  return request.mode === "url" && status === "accepted" && purposeOf(request) === "connect";
}
