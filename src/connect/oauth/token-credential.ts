import type { TokenEndpointResponse } from "oauth4webapi";
import type { Credential } from "../../runtime/index.ts";
import { isSendable } from "../../runtime/internal.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The latest time that a `Date` can represent. */
const LAST_DATE_MS = 8.64e15;

/** The credential in an answer of a token endpoint. `asked`: the scopes of the request, separated by spaces. */
export function credentialOf(
  {
    access_token: accessToken,
    expires_in: seconds,
    refresh_token: refreshToken,
    scope,
  }: TokenEndpointResponse,
  asked: string | undefined,
  now: number,
): Credential {
  if (!isSendable(accessToken)) throw new KitError("elicit-kit: its access token is missing or malformed");
  // A server may omit the scope if it grants exactly what was requested (RFC 6749, section 5.1).
  const granted = typeof scope === "string" ? scope : asked;
  return {
    accessToken,
    ...(seconds !== undefined && seconds > 0 && { expiresAt: Math.min(now + seconds * 1000, LAST_DATE_MS) }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(granted !== undefined && granted !== "" && { scope: granted }),
  };
}
