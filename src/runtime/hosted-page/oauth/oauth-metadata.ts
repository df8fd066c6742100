import * as oauth from "oauth4webapi";
import type { Clock } from "../../core/index.ts";
import { isLoopbackHttp } from "../../core/internal.ts";
import { isSafeEndpoint } from "../../sign-in/authorization-server.ts";
import { KitError } from "../../../protocol/kit-error.ts";

const METADATA_TTL_MS = 60 * 60 * 1000;

type HttpOptions = NonNullable<Parameters<typeof oauth.discoveryRequest>[1]>;

/**
 * Reads a provider's metadata from the well-known places (OpenID Connect, RFC 8414), at most once an hour. Rejects if an
 * endpoint is not safe to send people or secrets to.
 */
export function createMetadata(
  issuer: URL,
  { http, clock }: { http: HttpOptions; clock: Clock },
): () => Promise<oauth.AuthorizationServer> {
  let last: { readAt: number; server: Promise<oauth.AuthorizationServer> } | undefined;

  async function read(): Promise<oauth.AuthorizationServer> {
    const oidc = await oauth.discoveryRequest(issuer, { ...http, algorithm: "oidc" });
    if (oidc.ok) return checked(await oauth.processDiscoveryResponse(issuer, oidc));
    await oidc.body?.cancel();
    const oauth2 = await oauth.discoveryRequest(issuer, { ...http, algorithm: "oauth2" });
    return checked(await oauth.processDiscoveryResponse(issuer, oauth2));
  }

  function checked(server: oauth.AuthorizationServer): oauth.AuthorizationServer {
    for (const name of ["authorization", "token", "revocation"] as const) {
      const endpoint = server[`${name}_endpoint`];
      if (endpoint !== undefined && !isSafeEndpoint(endpoint, isLoopbackHttp(issuer))) {
        throw new KitError(
          `elicit-kit: its ${name} endpoint is not an https URL without user name and fragment`,
        );
      }
    }
    return server;
  }

  return () => {
    if (last !== undefined && clock.now() - last.readAt < METADATA_TTL_MS) return last.server;
    const reading = { readAt: clock.now(), server: read() };
    last = reading;
    reading.server.catch(() => {
      if (last === reading) last = undefined;
    });
    return reading.server;
  };
}
