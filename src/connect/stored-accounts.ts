import type { Credential, CredentialStore, Revoked } from "./ports/credentials.ts";
import { scopesOf } from "./oauth/challenge.ts";
import type { SignInOf } from "./oauth/refresh.ts";
import type { Accounts } from "./ports/connector.ts";

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
      const found = await credentials.get(toolId, userId);
      if (found === undefined) return { ok: true, account: undefined };
      const { account: name, connectedAt, scope } = found;
      return { ok: true, account: { name, connectedAt, scopes: scopesOf(scope) } };
    },
    async revoke({ toolId, userId }, only) {
      // If a store cannot be read, for example during a token refresh, it may still be able to delete.
      const credential = await credentials.get(toolId, userId).catch(onError);
      if (only !== undefined && credential?.accessToken !== only.token) return { ok: true };
      await credentials.delete(toolId, userId);
      const revoked = await revokeDeleted(toolId, credential ?? undefined, signInOf);
      if (revoked.isRevoked) return { ok: true };
      onError(revoked.error);
      return { ok: true, isRevoked: false };
    },
  };
}

/** Revokes a credential that is no longer stored at the provider that issued it. */
export async function revokeDeleted(
  toolId: string,
  credential: Credential | undefined,
  signInOf: SignInOf,
): Promise<Revoked> {
  try {
    if (credential !== undefined) await signInOf(toolId, credential)?.revoke(credential);
    return { isRevoked: true };
  } catch (error) {
    return { isRevoked: false, error };
  }
}
