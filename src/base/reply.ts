import type { Problem } from "../contract/contract.ts";
import { isStoreAway } from "./foreign-error.ts";

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

/** A refusal by a route of the contract. */
export function refuse(
  status: keyof typeof TITLES,
  detail: string,
  more: {
    outcome?: Problem["outcome"];
    errors?: Problem["errors"];
    code?: string;
    retryAfter?: number | undefined;
    /** The methods of the path. */
    allow?: string;
  } = {},
): Response {
  const { retryAfter, allow, ...members } = more;
  const body: Problem = { title: TITLES[status], status, detail, ...members };
  return jsonReply(status, body, {
    ...retryHeader(retryAfter),
    ...(allow !== undefined && { allow }),
  });
}

/** A refusal by an endpoint of another protocol, whose clients know no problem+json. */
export function refuseCall(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error }, { status, headers });
}

/** The header that says after how many seconds a client may try again. */
export const retryHeader = (seconds: number | undefined): Readonly<Record<string, string>> =>
  seconds === undefined ? {} : { "retry-after": String(seconds) };

/** The reply to a request whose handling has thrown, in every format. Without `detail`, the server has a fault. */
export function failureOf(error: unknown): {
  readonly status: 500 | 503;
  readonly detail?: string;
  readonly retryAfter?: number;
} {
  if (!isStoreAway(error)) return { status: 500 };
  const detail = "The server cannot use its database now. Try again in a moment.";
  return { status: 503, detail, retryAfter: 2 };
}

/** A reply without a body, also never cached. */
export const emptyReply = (status: 200 | 204) =>
  new Response(null, { status, headers: { "cache-control": "no-store" } });

export const notSignedIn = () => refuse(401, "Sign in, or send the chat's bearer token.");
/** The same reply for an unknown request and for one of another user. */
export const notFound = () =>
  refuse(404, "There is no such elicitation for this user. Check the id, and who is signed in.");
