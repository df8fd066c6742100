import type { CredentialStore, ElicitationRecord } from "../core/index.ts";
import { scopesOf } from "./challenge.ts";

/**
 * For `isCompleted` of `createRuntime`: whether the account that a request asks for is connected, for the server and with
 * the rights that it asks for. So "I've finished" ends no request for more rights before they were granted.
 */
export function isConnected(
  credentials: Pick<CredentialStore, "get">,
): (record: Pick<ElicitationRecord, "tool" | "user" | "signIn">) => Promise<boolean> {
  return async ({ tool, user, signIn }) => {
    const credential = tool && (await credentials.get(tool.id, user.id));
    if (credential === undefined) return false;
    const { binding, scope } = credential;
    // The credential of a configured provider, whose scopes are not those of the server.
    if (signIn === undefined || binding === undefined) return true;
    const granted = new Set(scopesOf(scope));
    return binding.serverUrl === signIn.url && scopesOf(signIn.scope).every((asked) => granted.has(asked));
  };
}
