import type { ElicitationRecord } from "../../runtime/internal.ts";
import { isLoopbackHttp } from "../../base/urls.ts";
import type { PageContext } from "./context.ts";

/** The URL to which the user of a request returns from its page. */
export function returnUrlOf(
  { returnUrl }: ElicitationRecord,
  { allowedReturnOrigins, chatHome }: PageContext,
): string | undefined {
  return allowed(returnUrl, allowedReturnOrigins) ?? chatHome;
}

/**
 * Checks where the user may be sent back to: https (http on a loopback address), no user name or password, and an origin
 * that the operator has listed. Returns `undefined` for anything else.
 */
function allowed(wanted: string | undefined, allowedOrigins: ReadonlySet<string>): string | undefined {
  if (wanted === undefined || !URL.canParse(wanted)) return undefined;
  const url = new URL(wanted);
  const isSafe = url.protocol === "https:" || isLoopbackHttp(url);
  if (!isSafe || url.username !== "" || url.password !== "" || !allowedOrigins.has(url.origin))
    return undefined;
  return url.href;
}
