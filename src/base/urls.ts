import { KitError } from "../contract/kit-error.ts";

export type OriginCheck = (origin: string) => boolean;

const LOCAL_NAME = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether the name always means this machine. `*.localhost` is never resolved elsewhere (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return LOCAL_NAME.test(hostname);
}

/** Returns the origins as a set. Throws if one of them is not an origin. `option` is the name in the error. */
export function originSet(origins: readonly string[], option: string): ReadonlySet<string> {
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw new KitError(
      `elicit-kit: ${option} must contain origins without a path, such as "https://chat.example.com". This is not an origin: ${origin}`,
    );
  }
  return new Set(origins);
}

/** The check for an `allowedOrigins` option. */
export function originCheck(allowed: readonly string[] | OriginCheck): OriginCheck {
  if (typeof allowed === "function") return allowed;
  const origins = originSet(allowed, "allowedOrigins");
  return (origin) => origins.has(origin);
}

/** Whether the URL is plain http on a loopback address, which browsers treat like https. */
export function isLoopbackHttp(url: URL): boolean {
  return url.protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/** The same text without one slash at its end. */
export function withoutSlash(text: string): string {
  return text.replace(/\/$/, "");
}

/** Whether `text` is an origin, without a path, with traffic that the network cannot read: https, or loopback. */
export function isSecureOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === text && (url.protocol === "https:" || isLoopbackHttp(url));
}

/**
 * Returns a check whether HTTP requests may have this host: one of this machine, or an allowed one. With DNS rebinding, a
 * web page whose name resolves to a loopback address could reach local servers. Its HTTP requests still have its own host
 * name.
 */
export function hostCheck(allowed: readonly string[]): (hostname: string) => boolean {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  return (hostname) => isLocalName(hostname) || names.has(hostname);
}

/** The host name to which an HTTP request was sent. `undefined` if its `Host` header is invalid. */
export function hostOf(request: Request): string | undefined {
  const address = `http://${request.headers.get("host") ?? new URL(request.url).host}`;
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/** The URL by which clients know an endpoint. Throws for a URL that no client could call. */
export function endpointUrl(url: string): URL {
  if (URL.canParse(url)) {
    const parsed = new URL(url);
    const isPlain = parsed.username === "" && parsed.search === "" && parsed.hash === "";
    if (/^https?:$/.test(parsed.protocol) && isPlain) return parsed;
  }
  throw new KitError(
    `elicit-kit: url must be the public URL of the endpoint: http or https, and without a query, a fragment or credentials, such as "https://agent.example.com/run/v1/mcp". It is: ${withoutCredentials(url)}`,
  );
}

/** `url` may be any value from a caller in plain JavaScript. */
function withoutCredentials(url: unknown): string {
  return String(url).replace(/^.*@/s, "…@");
}
