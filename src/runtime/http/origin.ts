import { KitError } from "../../contract/kit-error.ts";
export type OriginCheck = (origin: string) => boolean;

export function originCheck(allowed: readonly string[] | OriginCheck): OriginCheck {
  if (typeof allowed === "function") return allowed;
  for (const origin of allowed) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw new KitError(
      `elicit-kit: allowedOrigins must contain origins without a path, such as "https://chat.example.com". This is not an origin: ${origin}`,
    );
  }
  const origins = new Set(allowed);
  return (origin) => origins.has(origin);
}

/** Whether the URL is plain http on a loopback address, which browsers treat like https. */
export function isLoopbackHttp(url: URL): boolean {
  return url.protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/** Whether `text` is an origin, without a path, whose traffic is safe from the network: https, or loopback. */
export function isSecureOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === text && (url.protocol === "https:" || isLoopbackHttp(url));
}

/**
 * Whether the origin of a write is trusted. A page of another origin cannot send a bearer token without a CORS preflight,
 * but the browser attaches cookies by itself. Without an `Origin` header, `Sec-Fetch-Site` decides; without both, the
 * sender is not a browser.
 */
export function isTrustedWrite(request: Request, isAllowed: OriginCheck): boolean {
  if (/^bearer /i.test(request.headers.get("authorization") ?? "")) return true;
  const origin = request.headers.get("origin");
  if (origin !== null) return isAllowed(origin);
  const site = request.headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}
