import { KitError } from "../../contract/kit-error.ts";
import { type ConnectedAccount, errorOf } from "../ports/connector.ts";
import type { PageContext } from "./context.ts";
import type { PageRequest } from "./page-connector.ts";

/**
 * Returns a function that stores the account of a request. It rejects if the account is an additional one, and another
 * request has connected a different account in the same place since: the chat of that request would act as this one. In a
 * store without `exclusively`, another process may store its account between the check and the storing.
 */
export function storing(
  { credentials }: Pick<PageContext, "credentials">,
  {
    record,
    toolId,
    connector,
  }: Pick<PageRequest, "record" | "toolId"> & { connector: Pick<PageRequest["connector"], "isConnected"> },
  store: () => Promise<void>,
  /** Whether the user has connected this account there already. */
  isSame: (found: ConnectedAccount) => boolean | Promise<boolean> = () => false,
): () => Promise<void> {
  const { tool, user, createdAt } = record;
  let isFree = tool?.isNew !== true;

  async function storeIfFree(): Promise<void> {
    const found = await connector.isConnected({ toolId, userId: user.id });
    if (!found.ok) throw errorOf(found, toolId);
    const { account } = found;
    // One from before cannot be used for the request, for example because its server has another URL now.
    const isTaken = account?.connectedAt !== undefined && account.connectedAt >= createdAt;
    if (isTaken && !(await isSame(account))) {
      throw new KitError(
        `elicit-kit: two requests have connected another account of a user as "${toolId}" at the same time. The second one was not stored, and its request has failed. The user can connect it again.`,
      );
    }
    // The store is tried again after an outage, and may have the account by then.
    isFree = true;
    await store();
  }

  return () => {
    if (isFree) return store();
    // A place of its own: reading an account may refresh it, which locks the account.
    return credentials.exclusively?.(`connect:${toolId}`, user.id, storeIfFree) ?? storeIfFree();
  };
}
