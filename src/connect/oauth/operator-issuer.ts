import type { Clock } from "../../base/clock.ts";
import { limitLength } from "../../base/read-body.ts";
import { isLoopbackHttp } from "../../base/urls.ts";
import { KitError } from "../../contract/kit-error.ts";
import { type OAuthClient, createOAuthClient, hostOf } from "./oauth-client.ts";
import { type OAuthHttp, createOAuthHttp } from "./oauth-http.ts";

const MAX_ANSWER_MIB = 1;

/**
 * The connection to an issuer that the operator has configured. Its metadata and its replies are read without redirects,
 * and up to a limit.
 */
export function connectToIssuer(
  issuer: string,
  {
    fetch = globalThis.fetch,
    readsIdToken,
    clock,
  }: { fetch: typeof globalThis.fetch | undefined; readsIdToken: boolean; clock: Clock },
): { http: OAuthHttp; oauth: OAuthClient } {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const allowsLoopback = url !== undefined && isLoopbackHttp(url);
  if (!allowsLoopback && url?.protocol !== "https:") {
    throw new KitError(
      `elicit-kit: an issuer must be https, or http on a loopback address. This is neither: ${issuer}`,
    );
  }
  const limit = { service: hostOf(issuer), mib: MAX_ANSWER_MIB };
  const http = createOAuthHttp(async (input, init) => limitLength(await fetch(input, init), limit), {
    allowsLoopback,
    followsRedirects: false,
    readsIdToken,
    clock,
  });
  return { http, oauth: createOAuthClient({ http, allowsLoopback, clock }) };
}
