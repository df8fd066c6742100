import { refuseCall } from "./reply.ts";
import { type OriginCheck, hostCheck, hostOf, originCheck } from "./urls.ts";

/** What pages of other origins may send and read: lists in the syntax of the headers. */
interface Shared {
  readonly methods: string;
  /** Headers that a page may send. */
  readonly sent: string;
  /** Headers that a page may read. */
  readonly read: string;
}

/** The rules for pages of other origins: which may call an endpoint, and with which headers. */
export interface CrossOriginRules extends Shared {
  /** Origins of web pages, besides the endpoint's own. HTTP requests of other pages get 403. Programs send no origin. */
  readonly allowedOrigins: readonly string[] | OriginCheck;
  /**
   * The host names of the endpoint, besides those of this machine. An HTTP request for another host gets 403, which
   * prevents DNS rebinding. Absent: every host.
   */
  readonly hosts?: readonly string[] | undefined;
}

/**
 * For an endpoint that takes tokens: only pages of allowed origins may call it and read its replies. Others are refused
 * before anything runs.
 */
export function crossOrigin<More extends readonly unknown[]>(
  { allowedOrigins, hosts, methods, sent, read }: CrossOriginRules,
  serve: (request: Request, ...more: More) => Promise<Response>,
): (request: Request, ...more: More) => Promise<Response> {
  const isAllowed = originCheck(allowedOrigins);
  const isAllowedHost = hosts && hostCheck(hosts);
  return async (request, ...more) => {
    if (isAllowedHost?.(hostOf(request) ?? "") === false)
      return refuseCall(403, "This host name is not allowed. The operator can add it to allowedHosts.");
    const origin = request.headers.get("origin");
    const isPreflight = request.method === "OPTIONS";
    if (origin === null) return isPreflight ? preflight() : serve(request, ...more);
    // Browsers set this header, and pages cannot change it. The endpoint may not know its own origin behind a proxy.
    const isOwn = request.headers.get("sec-fetch-site") === "same-origin";
    if (!isOwn && !isAllowed(origin)) return new Response(null, { status: 403 });
    return withHeaders(isPreflight ? preflight() : await serve(request, ...more), "origin", {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": sent,
      "access-control-expose-headers": read,
    });
  };
}

/**
 * For routes that take the cookies of the user: a page of another origin gets the reply, and its browser hides it. What
 * changes something is refused by `src/runtime/http/admission.ts`, which says why.
 */
export function crossOriginWithCookies({
  isAllowed,
  methods,
  sent,
  read,
  maxAgeS,
}: Shared & {
  readonly isAllowed: OriginCheck;
  /** How long a browser keeps the reply to a preflight request. */
  readonly maxAgeS: number;
}): (request: Request, origin: string, serve: () => Promise<Response>) => Promise<Response> {
  return async (request, origin, serve) => {
    const headers = {
      ...(isAllowed(origin) && { "access-control-allow-origin": origin }),
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": read,
    };
    if (request.method !== "OPTIONS") return withHeaders(await serve(), "Origin", headers);
    return withHeaders(preflight(), "Origin, Access-Control-Request-Headers", {
      ...headers,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": sent,
      "access-control-max-age": String(maxAgeS),
    });
  };
}

const preflight = () => new Response(null, { status: 204 });

/** A copy of a reply with more headers. Those of a reply from elsewhere cannot be changed. */
function withHeaders(
  { body, status, statusText, headers: own }: Response,
  vary: string,
  more: Readonly<Record<string, string>>,
): Response {
  const headers = new Headers(own);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  headers.append("vary", vary);
  return new Response(body, { status, statusText, headers });
}
