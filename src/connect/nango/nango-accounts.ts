import type { Credential } from "../ports/credentials.ts";
import type { AccountKey, ConnectedAccount, VaultAccounts } from "../ports/connector.ts";
import { type NangoClient, NangoFailure } from "./nango.ts";

/**
 * Manages the accounts of a Nango integration. Nango keeps and refreshes their tokens. Only connections that the hosted
 * page has confirmed for this user and tool are used.
 */
export function createNangoAccounts(client: NangoClient): VaultAccounts {
  /** Newest first. Only the first is used: the user has replaced the others, maybe by another account. */
  async function confirmed({ toolId, userId }: AccountKey) {
    return (await client.listByUser(userId)).filter(({ confirmedFor }) => confirmedFor === toolId);
  }

  /** By tool id. */
  async function connectedOf(userId: string): Promise<ReadonlyMap<string, ConnectedAccount>> {
    const accounts = new Map<string, ConnectedAccount>();
    for (const { confirmedFor, createdAt } of await client.listByUser(userId)) {
      // Of several connections for a tool, the newest is used, and it comes first.
      if (confirmedFor === undefined || accounts.has(confirmedFor)) continue;
      accounts.set(confirmedFor, { connectedAt: createdAt, scopes: [] });
    }
    return accounts;
  }

  async function credentialOf(id: string, forceRefresh: boolean): Promise<Credential | undefined> {
    try {
      return await client.credential(id, { forceRefresh });
    } catch (error) {
      // Nango can no longer refresh it, so the user has to connect again.
      if (error instanceof NangoFailure && error.code === "invalid_credentials") return undefined;
      throw error;
    }
  }

  async function read(account: AccountKey, forceRefresh: boolean): Promise<Credential | undefined> {
    const [newest] = await confirmed(account);
    const credential = newest && (await credentialOf(newest.id, forceRefresh));
    return credential && { ...credential, connectedAt: newest?.createdAt };
  }

  return {
    async token(account, { refused } = { refused: undefined }) {
      let credential = await read(account, false);
      if (credential !== undefined && credential.accessToken === refused)
        credential = await read(account, true);
      return credential === undefined || credential.accessToken === refused
        ? { ok: false, reason: "not-connected" }
        : { ok: true, credential };
    },
    async isConnected({ toolId, userId }) {
      return { ok: true, account: (await connectedOf(userId)).get(toolId) };
    },
    list: async (userId) => ({ ok: true, accounts: await connectedOf(userId) }),
    async revoke(account, only) {
      const connections = await confirmed(account);
      const [newest] = connections;
      if (newest !== undefined && only !== undefined) {
        const used = await credentialOf(newest.id, false);
        if (used?.accessToken !== only.token) return { ok: true };
      }
      // Deleted by id, so that a connection that was made in the meantime stays. The newest is the last, because without it
      // another would be used.
      for (const { id } of connections.toReversed()) await client.remove(id);
      return { ok: true };
    },
  };
}
