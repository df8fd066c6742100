import type { CredentialStore } from "./ports/credentials.ts";
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
      // Revokes the token at the provider that issued it.
      const signIn = credential && signInOf(toolId, credential);
      if (credential === undefined || signIn === undefined) return { ok: true };
      try {
        await signIn.revoke(credential);
      } catch (error) {
        onError(error);
        return { ok: true, isRevoked: false };
      }
      return { ok: true };
    },
  };
}
