import type { Clock } from "../base/clock.ts";
import { claimedNameOf } from "../contract/claimed-name.ts";
import { type Credential, type CredentialStore, siblingsOf } from "./ports/credentials.ts";
import { scopesOf } from "./oauth/challenge.ts";
import {
  type AccountKey,
  type Connector,
  type SignInFlow,
  type VaultAccount,
  type VaultAccounts,
  settled,
} from "./ports/connector.ts";

/** The accounts of a vault. The credential store stores which account belongs to a user, under a separate key. */
export function createVaultAccounts(
  vault: Connector,
  credentials: CredentialStore,
  clock: Clock,
): VaultAccounts & SignInFlow {
  const kept = ({ toolId, userId }: AccountKey) => credentials.get(keyOf(toolId), userId);

  async function tokenOf(account: AccountKey, known: Credential, refused?: string) {
    const found = await settled(() => vault.token(named(account, known), { refused }));
    const { connectedAt } = known;
    return found.ok ? { ...found, credential: { ...found.credential, connectedAt } } : found;
  }

  /** A vault may keep one account for a user, however often they sign in. */
  async function revokeUnused(
    { toolId, userId }: AccountKey,
    account: Credential,
    ids: readonly string[] = [toolId, ...siblingsOf(toolId)],
  ): ReturnType<Connector["revoke"]> {
    const used = await Promise.all(ids.map((id) => kept({ toolId: id, userId })));
    if (used.some((one) => one?.accessToken === account.accessToken)) return { ok: true };
    return vault.revoke(named({ toolId, userId }, account));
  }

  return {
    async token(account, { refused } = { refused: undefined }) {
      const known = await kept(account);
      return known === undefined ? { ok: false, reason: "not-connected" } : tokenOf(account, known, refused);
    },
    async isConnected(account) {
      const known = await kept(account);
      if (known === undefined) return { ok: true, account: undefined };
      const found = await tokenOf(account, known);
      if (!found.ok) return found.reason === "not-connected" ? { ok: true, account: undefined } : found;
      const { account: name, scope } = found.credential;
      const { connectedAt } = known;
      return { ok: true, account: { name: claimedNameOf(name), connectedAt, scopes: scopesOf(scope) } };
    },
    async revoke(account, only) {
      const known = await kept(account);
      if (known === undefined) return { ok: true };
      if (only !== undefined) {
        const found = await tokenOf(account, known);
        // The user has connected another account since that token was read.
        if (!found.ok || found.credential.accessToken !== only.token) return { ok: true };
      }
      const removed = await settled(() => revokeUnused(account, known, siblingsOf(account.toolId)));
      if (removed.ok) await credentials.replace(keyOf(account.toolId), account.userId, known, undefined);
      return removed;
    },
    async disown(account, reference) {
      const known = await kept(account);
      if (known?.accessToken === reference) {
        await credentials.replace(keyOf(account.toolId), account.userId, known, undefined);
      }
      return settled(() => vault.revoke({ ...account, reference }));
    },
    place: async (target) => (await vault.place?.(target)) ?? { scopes: [] },
    start: (request) => vault.start(request),
    async finish(back) {
      const { toolId, userId } = back.account;
      const ended = await vault.finish(back);
      if (!ended.ok) return ended;
      const next: Credential = { accessToken: ended.reference, connectedAt: clock.now() };
      return {
        ok: true,
        name: ended.name,
        reference: ended.reference,
        async store() {
          const old = await kept(back.account);
          await credentials.set(keyOf(toolId), userId, next);
          // It is harmless if the previously connected account stays in the vault.
          if (old !== undefined) await revokeUnused(back.account, old).catch(() => undefined);
        },
        undo: () => revokeUnused(back.account, next),
      };
    },
  };
}

/** Not the tool's own key, because a credential stored there would be sent to the tool's server. */
const keyOf = (toolId: string): string => `vault:${toolId}`;

function named({ toolId, userId }: AccountKey, { accessToken }: Credential): VaultAccount {
  return { toolId, userId, reference: accessToken };
}
