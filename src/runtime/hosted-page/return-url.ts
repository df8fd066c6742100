import { isLoopbackHttp } from "../core/internal.ts";

/**
 * Where the person may be sent back to: https (http on a loopback address), no user name or password, on an origin that
 * the operator has listed. Anything else is ignored.
 */
export function returnUrlOf(
  wanted: string | undefined,
  allowedOrigins: ReadonlySet<string>,
): string | undefined {
  if (wanted === undefined || !URL.canParse(wanted)) return undefined;
  const url = new URL(wanted);
  const isSafe = url.protocol === "https:" || isLoopbackHttp(url);
  if (!isSafe || url.username !== "" || url.password !== "" || !allowedOrigins.has(url.origin))
    return undefined;
  return url.href;
}
