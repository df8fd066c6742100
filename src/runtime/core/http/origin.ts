export type OriginCheck = (origin: string) => boolean;

export function originCheck(allowed: readonly string[] | OriginCheck): OriginCheck {
  if (typeof allowed === "function") return allowed;
  for (const origin of allowed) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw new Error(
      `elicit-kit: allowedOrigins must hold origins such as "https://chat.example.com", without a path; this is not one: ${origin}`,
    );
  }
  const origins = new Set(allowed);
  return (origin) => origins.has(origin);
}

/** Plain http on an address of this machine: what browsers treat like https. */
export function isLoopbackHttp(url: URL): boolean {
  return url.protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/** Whether `text` is an origin, without a path, whose pages nobody on the way can read or change. */
export function isSecureOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === text && (url.protocol === "https:" || isLoopbackHttp(url));
}

/**
 * Whether a write may come from where it comes from. A bearer token cannot be sent by a page of another origin without
 * asking first (CORS); what a browser adds by itself, such as a cookie, can. Without an `Origin` header,
 * `Sec-Fetch-Site` decides; without either, no browser has sent it.
 */
export function isTrustedWrite(request: Request, isAllowed: OriginCheck): boolean {
  if (/^bearer /i.test(request.headers.get("authorization") ?? "")) return true;
  const origin = request.headers.get("origin");
  if (origin !== null) return isAllowed(origin);
  const site = request.headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}
