import type { ElicitationRecord } from "../../runtime/internal.ts";
import type { CredentialStore } from "../ports/credentials.ts";
import { scopesOf } from "./challenge.ts";

/**
 * For `isCompleted` of `createRuntime`: whether the account of a request is connected, for the right server and with the
 * requested scopes. So "I've finished" does not end a request for more scopes before they are granted. A credential
 * without `scope` has none of them. Credentials from the hosted page always contain the granted scopes.
 */
export function isConnected(
  credentials: Pick<CredentialStore, "get">,
): (record: Pick<ElicitationRecord, "tool" | "user" | "signIn">) => Promise<boolean> {
  return async ({ tool, user, signIn }) => {
    const credential = tool && (await credentials.get(tool.id, user.id));
    if (credential === undefined) return false;
    const { binding, scope } = credential;
    if (signIn === undefined) return true;
    // The credential of a configured provider is not bound to a server.
    if (binding !== undefined && binding.serverUrl !== signIn.url) return false;
    const granted = new Set(scopesOf(scope));
    return scopesOf(signIn.scope).every((asked) => granted.has(asked));
  };
}
