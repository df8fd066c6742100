import { type Clock, systemClock } from "./clock.ts";
import { deadline } from "./deadlines.ts";
import { onceRead } from "./once-read.ts";
import { limitLength } from "./read-body.ts";
import { originSet } from "./urls.ts";
import { KitError } from "../contract/kit-error.ts";

/** The limits for an HTTP request to an untrusted address. */
export interface FetchLimits {
  /**
   * The time limit for the whole request with its redirects and its body, in milliseconds.
   * @default 5000
   */
  timeoutMs?: number | undefined;
  /**
   * The largest body of a response, in bytes.
   * @default 262_144
   */
  maxBytes?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** One checked HTTP request. It follows no redirect. */
export interface Hop {
  method: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer> | undefined;
  signal: AbortSignal;
}

export interface FetchGuard extends FetchLimits {
  /** Throws if this URL must not be fetched. Called for the first URL and for every redirect. */
  admit: (url: URL) => void;
  send: (url: URL, hop: Hop) => Promise<Response>;
}

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The headers that another origin gets after a redirect. */
const WITHOUT_CREDENTIALS: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "cache-control",
  "content-language",
  "content-type",
  "mcp-protocol-version",
  "pragma",
  "user-agent",
]);
const KIB = 1024;

/**
 * A `fetch` that checks every URL before it sends anything, redirects included, sends no cookies, and limits time and
 * size. Only GET and HEAD without authorization follow redirects, so a credential is sent only to its intended address.
 */
export function guardFetch({
  admit,
  send,
  timeoutMs = 5000,
  maxBytes = 256 * KIB,
  clock = systemClock,
}: FetchGuard): typeof globalThis.fetch {
  async function follow(request: Request, signal: AbortSignal): Promise<Response> {
    const headers = new Headers(request.headers);
    for (const name of ["cookie", "host", "connection", "content-length"]) headers.delete(name);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const mayFollow = ["GET", "HEAD"].includes(request.method) && !headers.has("authorization");
    let url = new URL(request.url);
    for (let redirects = 0; ; redirects += 1) {
      admit(url);
      const response = await send(url, { method: request.method, headers, body, signal });
      const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
      if (location === null || request.redirect === "manual") {
        return limitLength(response, { service: url.host, mib: maxBytes / (KIB * KIB) });
      }
      await response.body?.cancel();
      if (!mayFollow || request.redirect === "error") {
        throw new KitError(`elicit-kit: ${url.host} answered with a redirect, which is not followed here.`);
      }
      if (redirects === MAX_REDIRECTS) {
        throw new KitError(
          `elicit-kit: ${new URL(request.url).host} answered with more than ${MAX_REDIRECTS} redirects.`,
        );
      }
      if (!URL.canParse(location, url.href)) {
        throw new KitError(`elicit-kit: ${url.host} answered with a redirect that is not a URL.`);
      }
      const next = new URL(location, url);
      // The name of a header does not show whether it contains a credential.
      if (next.origin !== url.origin) keepOnly(headers, WITHOUT_CREDENTIALS);
      url = next;
    }
  }

  return async (input, init) => {
    // The signal is passed separately: a Request with a signal keeps a listener on it.
    const { signal: outer, ...rest } = init ?? {};
    const request = new Request(input, rest);
    const { signal: late, cancel } = deadline(clock, timeoutMs);
    try {
      const signal = AbortSignal.any([late, request.signal, ...(outer ? [outer] : [])]);
      return onceRead(await follow(request, signal), cancel);
    } catch (error) {
      cancel();
      throw error;
    }
  };
}

function keepOnly(headers: Headers, names: ReadonlySet<string>): void {
  const dropped = Array.from(headers.keys()).filter((name) => !names.has(name));
  for (const name of dropped) headers.delete(name);
}

/** Throws unless the URL is https without a user name, or `isPlainHttp` allows its origin without TLS. */
export function requireHttps(url: URL, isPlainHttp: (url: URL) => boolean): void {
  if (url.username !== "" || url.password !== "") {
    throw new KitError(`elicit-kit: a URL on ${url.host} contains a user name, so it is not fetched.`);
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && isPlainHttp(url))) return;
  throw new KitError(
    `elicit-kit: ${url.protocol}//${url.host} is not fetched, because only https is. For development, createGuardedFetch({ allowLoopback: true }) also takes http on this machine.`,
  );
}

/** The options of `createListedFetch`. */
export interface ListedFetchOptions extends FetchLimits {
  /** Origins that may be fetched, such as `https://mcp.example.com`. */
  origins: readonly string[];
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * A `fetch` for platforms that cannot check the address behind a name, such as workers and browsers: it reaches only the
 * listed origins. On Node, use `createGuardedFetch` of `elicit-kit/node`, which needs no list. It has the same limits and
 * rules for redirects.
 */
export function createListedFetch(options: ListedFetchOptions): typeof globalThis.fetch {
  const { fetch = globalThis.fetch, origins, ...limits } = options;
  const listed = originSet(origins, "origins");
  if (listed.size === 0) {
    throw new KitError(
      "elicit-kit: createListedFetch needs the origins that it may fetch, because this platform cannot tell a public address from a private one. List the origins of the MCP servers and of their authorization servers, or use createGuardedFetch of elicit-kit/node.",
    );
  }
  return guardFetch({
    ...limits,
    admit(url) {
      requireHttps(url, ({ origin }) => listed.has(origin));
      if (listed.has(url.origin)) return;
      throw new KitError(
        `elicit-kit: ${url.origin} is not fetched, because it is not in the list of origins. Add it to createListedFetch({ origins }) if you trust it.`,
      );
    },
    send: (url, { method, headers, body, signal }) =>
      fetch(url.href, {
        method,
        headers,
        signal,
        redirect: "manual",
        credentials: "omit",
        ...(body !== undefined && { body }),
      }),
  });
}
