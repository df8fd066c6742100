import type { Clock } from "../base/clock.ts";
import { claimedNameOf } from "../contract/claimed-name.ts";
import type { Credential, CredentialStore } from "./ports/credentials.ts";
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
  const tokenOf = (account: AccountKey, known: Credential, refused?: string) =>
    settled(() => vault.token(named(account, known), { refused }));

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
      const removed = await settled(() => vault.revoke(named(account, known)));
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
          if (old === undefined || old.accessToken === next.accessToken) return;
          // The previously connected account is no longer used. It is harmless if it stays in the vault.
          await settled(() => vault.revoke(named(back.account, old)));
        },
        undo: () => vault.revoke(named(back.account, next)),
      };
    },
  };
}

/** Not the tool's own key, because a credential stored there would be sent to the tool's server. */
const keyOf = (toolId: string): string => `vault:${toolId}`;

function named({ toolId, userId }: AccountKey, { accessToken }: Credential): VaultAccount {
  return { toolId, userId, reference: accessToken };
}
