import { KitError } from "../contract/kit-error.ts";

export type OriginCheck = (origin: string) => boolean;

const LOCAL_NAME = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether only this machine answers to the name. `*.localhost` never leaves it (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return LOCAL_NAME.test(hostname);
}

/** Throws unless all of them are origins. `option` names them in the error. */
export function originSet(origins: readonly string[], option: string): ReadonlySet<string> {
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw new KitError(
      `elicit-kit: ${option} must contain origins without a path, such as "https://chat.example.com". This is not an origin: ${origin}`,
    );
  }
  return new Set(origins);
}

/** The check of an option `allowedOrigins`. */
export function originCheck(allowed: readonly string[] | OriginCheck): OriginCheck {
  if (typeof allowed === "function") return allowed;
  const origins = originSet(allowed, "allowedOrigins");
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
 * Whether requests may name this host: one of this machine, or an allowed one. A web page whose name resolves to a loopback
 * address reaches local servers past the same-origin policy (DNS rebinding); its requests still carry its own name.
 */
export function hostCheck(allowed: readonly string[]): (hostname: string) => boolean {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  return (hostname) => isLocalName(hostname) || names.has(hostname);
}

/** The host name that a request was sent to. `undefined`: its `Host` header is not one. */
export function hostOf(request: Request): string | undefined {
  const address = `http://${request.headers.get("host") ?? new URL(request.url).host}`;
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/** The URL that clients know an endpoint by. Throws for one that no client could call. */
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

/** `url` may be anything that a caller in plain JavaScript passes. */
function withoutCredentials(url: unknown): string {
  return String(url).replace(/^.*@/s, "…@");
}
