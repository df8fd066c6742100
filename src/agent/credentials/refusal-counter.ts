import type { Telemetry } from "../../runtime/index.ts";
import { createCount } from "../../runtime/internal.ts";
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
  const count = createCount(
    { meter, onError },
    "elicitation.refused_calls",
    "Calls that a server refused because of the credential, by server and reason",
  );
  return (server, credential, refusal) => {
    const reason = refusal.needsMoreScopes ? "scopes" : credential === undefined ? "missing" : "invalid";
    count({ "tool.id": server, "elicitation.refusal": reason });
  };
}
