import { type OriginCheck, hostCheck, hostOf, originCheck } from "../../base/urls.ts";

/** Which pages of other origins may call an endpoint, and with what. */
export interface CrossOriginRules {
  /** Origins of web pages, besides the endpoint's own. Requests of other pages get 403; programs send no origin. */
  readonly allowedOrigins: readonly string[] | OriginCheck;
  /**
   * Host names that the endpoint is reached by, besides those of this machine. A request for another host gets 403: a page
   * of that host has made its name point here (DNS rebinding). Absent: every host.
   */
  readonly hosts?: readonly string[] | undefined;
  readonly methods: string;
  /** Headers that a page may send. */
  readonly sent: string;
  /** Headers that a page may read. */
  readonly read: string;
}

/** Wraps an endpoint that authenticates by tokens: only pages of allowed origins may call it and read its replies. */
export function crossOrigin<More extends readonly unknown[]>(
  { allowedOrigins, hosts, methods, sent, read }: CrossOriginRules,
  serve: (request: Request, ...more: More) => Promise<Response>,
): (request: Request, ...more: More) => Promise<Response> {
  const isAllowed = originCheck(allowedOrigins);
  const isAllowedHost = hosts && hostCheck(hosts);
  return async (request, ...more) => {
    if (isAllowedHost?.(hostOf(request) ?? "") === false) {
      const error = "This host name is not allowed. The operator can add it to allowedHosts.";
      return Response.json({ error }, { status: 403 });
    }
    const origin = request.headers.get("origin");
    if (origin === null) {
      return request.method === "OPTIONS" ? new Response(null, { status: 204 }) : serve(request, ...more);
    }
    // Browsers write this header, and no page can change it. The endpoint does not know its own origin: a proxy may hide it.
    const isOwn = request.headers.get("sec-fetch-site") === "same-origin";
    if (!isOwn && !isAllowed(origin)) return new Response(null, { status: 403 });
    const isPreflight = request.method === "OPTIONS";
    const response = isPreflight ? new Response(null, { status: 204 }) : await serve(request, ...more);
    const headers = new Headers(response.headers);
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-allow-methods", methods);
    headers.set("access-control-allow-headers", sent);
    headers.set("access-control-expose-headers", read);
    headers.append("vary", "origin");
    return new Response(response.body, { status: response.status, headers });
  };
}
