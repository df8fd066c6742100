import type { Telemetry } from "../../runtime/index.ts";
import type { Credential } from "../../connect/ports/credentials.ts";
import type { CredentialRefused } from "./refused-call.ts";

/**
 * Counts each call that a server refuses because of the credential (HTTP 401, or its equivalent in a result). With sign-in
 * before the first call, calls without a credential stay at zero.
 */
export function createRefusalCounter(
  meter: Telemetry["meter"],
  onError: (error: unknown) => void,
): (server: string, credential: Credential | undefined, refusal: CredentialRefused) => void {
  const refused = meter?.createCounter("elicitation.refused_calls", {
    description: "Calls that a server refused because of the credential, by server and reason",
  });
  return (server, credential, refusal) => {
    const reason = refusal.needsMoreScopes ? "scopes" : credential === undefined ? "missing" : "invalid";
    // A meter that fails must not fail the call.
    new Promise<void>((resolve) => {
      refused?.add(1, { "tool.id": server, "elicitation.refusal": reason });
      resolve();
    }).catch(onError);
  };
}
