import { type BearerChallenge, readChallenge } from "../../connect/oauth/challenge.ts";
import type { Credential } from "../../connect/ports/credentials.ts";
import { KitError } from "../../contract/kit-error.ts";
import type { Telemetry } from "../../runtime/index.ts";
import { createCount } from "../../runtime/internal.ts";

/** A call failed because the MCP server or A2A agent requires a credential, refused it, or requires more scopes. */
export class CredentialRefused extends KitError {
  override readonly name = "CredentialRefused";
  readonly challenge: BearerChallenge | undefined;

  constructor(message: string, challenge?: BearerChallenge) {
    super(`elicit-kit: ${message}`);
    this.challenge = challenge;
  }

  /** Whether the credential is valid but lacks scopes for this call (RFC 6750, section 3.1). */
  get needsMoreScopes(): boolean {
    return this.challenge?.error === "insufficient_scope";
  }
}

/** The server's last response to a message of the client. */
export interface RefusalWatch {
  /** Records a response. Only responses to messages count, because a server may refuse the separate stream. */
  see(init: RequestInit | undefined, response: Response): void;
  /** The last response, if it is a refusal that the user can resolve by signing in. */
  refusal(service: string): Promise<CredentialRefused | undefined>;
}

/** The SDK keeps the challenge only for some statuses, so it is recorded as the response arrives. */
export function watchRefusals(): RefusalWatch {
  let last: { status: number; header: string | null } | undefined;
  return {
    see(init, { status, headers }) {
      if (init?.method === "POST") last = { status, header: headers.get("www-authenticate") };
    },
    async refusal(service) {
      return last && refusalOf(service, last);
    },
  };
}

/** Parses a response that is a refusal which the user can resolve by signing in. */
export async function refusalOf(
  service: string,
  { status, header }: { status: number; header: string | null },
): Promise<CredentialRefused | undefined> {
  if (![400, 401, 403].includes(status)) return undefined;
  const challenge = await readChallenge(header);
  const isMendable =
    status === 401 ||
    challenge?.error === "invalid_token" ||
    (status === 403 && challenge?.error === "insufficient_scope");
  return isMendable ? refusalWith(service, challenge) : undefined;
}

/** The refusal in a result: some servers answer with status 200 and the challenge in `_meta`. */
export async function refusalIn(
  { isError, _meta: meta }: { isError?: boolean | undefined; _meta?: Record<string, unknown> | undefined },
  service: string,
): Promise<CredentialRefused | undefined> {
  const value: unknown = isError === true ? meta?.["mcp/www_authenticate"] : undefined;
  const lines: readonly unknown[] = Array.isArray(value) ? value : [value];
  const header = lines.filter((line) => typeof line === "string").join(", ");
  const challenge = header === "" ? undefined : await readChallenge(header);
  return challenge && refusalWith(service, challenge);
}

function refusalWith(service: string, challenge: BearerChallenge | undefined): CredentialRefused {
  const why =
    challenge?.error === "insufficient_scope"
      ? "the credential has too few rights"
      : "the credential is missing or invalid";
  return new CredentialRefused(`${service} refused the call because ${why}.`, challenge);
}

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
