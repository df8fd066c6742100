import { hmac } from "../../../base/seal.ts";
import type { SignInPlace } from "../../ports/connector.ts";

/**
 * What the form says of the place that its page has shown. Start sends the user nowhere else: an MCP server may name
 * another sign-in or other scopes at any time.
 */
export function placeSeal(
  secret: string,
  elicitationId: string,
  { origin, host, scopes }: SignInPlace,
): Promise<string> {
  return hmac(secret, JSON.stringify(["place", elicitationId, origin, host, scopes.toSorted()]));
}
