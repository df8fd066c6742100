import { type CredentialStore, type Revoked, peekAt } from "./ports/credentials.ts";
import { scopesOf } from "./oauth/challenge.ts";
import type { SignInOf } from "./oauth/refresh.ts";
import type { AccountKey, Accounts } from "./ports/connector.ts";

/** The accounts whose tokens and keys are in the credential store. */
export function createStoredAccounts({
  credentials,
  signInOf,
  onError,
}: {
  credentials: CredentialStore;
  signInOf: SignInOf;
  onError: (error: unknown) => void;
}): Accounts {
  return {
    async isConnected({ toolId, userId }) {
      // If the provider refuses a refresh, the account cannot be used, but it is stored and can be removed.
      const found = (await credentials.get(toolId, userId)) ?? (await peekAt(credentials, toolId, userId));
      if (found === undefined) return { ok: true, account: undefined };
      const { account: name, accountId, connectedAt, scope } = found;
      return { ok: true, account: { name, accountId, connectedAt, scopes: scopesOf(scope) } };
    },
    async revoke({ toolId, userId }) {
      const revoked = await removeStored(credentials, { toolId, userId }, signInOf);
      if (revoked.isRevoked) return { ok: true };
      onError(revoked.error);
      return { ok: true, isRevoked: false };
    },
  };
}

/** Deletes a credential, and revokes it at the provider that issued it. */
export async function removeStored(
  store: CredentialStore,
  { toolId, userId }: AccountKey,
  signInOf: SignInOf,
): Promise<Revoked> {
  // Not refreshed first: a provider also revokes a token that has expired.
  const [read] = await Promise.allSettled([peekAt(store, toolId, userId)]);
  // A store that cannot be read may still be able to delete.
  await store.delete(toolId, userId);
  try {
    if (read.status === "rejected") throw read.reason;
    const credential = read.value;
    if (credential !== undefined) await signInOf(toolId, credential)?.revoke(credential);
    return { isRevoked: true };
  } catch (error) {
    return { isRevoked: false, error };
  }
}
