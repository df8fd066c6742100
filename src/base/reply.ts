import type { Problem } from "../contract/contract.ts";

/** A JSON reply that is never cached. Refusals are problem+json (RFC 9457). */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const type = status < 400 ? "application/json" : "application/problem+json";
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": type, "cache-control": "no-store", ...headers },
  });
}

const TITLES = {
  400: "Bad request",
  401: "Not signed in",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  410: "Expired",
  413: "Too large",
  415: "Unsupported media type",
  429: "Too many requests",
  500: "Server error",
  503: "Not available",
} as const;

export function refuse(
  status: keyof typeof TITLES,
  detail: string,
  more: {
    outcome?: Problem["outcome"];
    errors?: Problem["errors"];
    code?: string;
    retryAfter?: number;
    /** The methods of the path. */
    allow?: string;
  } = {},
): Response {
  const { retryAfter, allow, ...members } = more;
  const body: Problem = { title: TITLES[status], status, detail, ...members };
  return jsonReply(status, body, {
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    ...(allow !== undefined && { allow }),
  });
}

/** A reply without a body, also never cached. */
export const emptyReply = (status: 200 | 204) =>
  new Response(null, { status, headers: { "cache-control": "no-store" } });

export const notSignedIn = () => refuse(401, "Sign in, or send the chat's bearer token.");
/** The same reply for an unknown request and for one of another user. */
export const notFound = () =>
  refuse(404, "There is no such elicitation for this user. Check the id, and who is signed in.");
