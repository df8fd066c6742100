import type { Clock } from "../../base/clock.ts";
import { MARGIN_MS } from "../../connect/oauth/refresh.ts";
import { type Credential, isSameCredential, isSendable } from "../../connect/ports/credentials.ts";

/** A credential for one call, which may wait for its user longer than the token lives. */
export interface CredentialInUse extends Credential {
  /** Reads the stored credential again, and so refreshes it, if the last one is about to expire. */
  current(): Promise<Credential>;
  /** The tokens that the call has used so far. */
  readonly tokens: readonly string[];
}

/** `read`: reads the stored credential. `latest` returns the last one that the call has used. */
export function useCredential(
  first: Credential,
  read: () => Promise<Credential | undefined>,
  clock: Clock,
): { readonly inUse: CredentialInUse; latest(): Credential } {
  let latest = first;
  const tokens = [first.accessToken];

  async function current(): Promise<Credential> {
    const { expiresAt = Infinity } = latest;
    if (clock.now() < expiresAt - MARGIN_MS) return latest;
    const found = await read();
    if (found === undefined || isSameCredential(found, latest)) return latest;
    if (!isSameAccount(found, latest) || !isSendable(found.accessToken)) return latest;
    tokens.push(found.accessToken);
    latest = found;
    return found;
  }

  return { inUse: { ...first, current, tokens }, latest: () => latest };
}

/**
 * A call does not continue with another account, which the user may have connected meanwhile. If it is not known whose
 * the new token is, the call keeps the old one: the server refuses it, and the call begins again.
 */
function isSameAccount(one: Credential, other: Credential): boolean {
  if (one.accountId !== undefined && other.accountId !== undefined) return one.accountId === other.accountId;
  return one.connectedAt !== undefined && one.connectedAt === other.connectedAt;
}
