import * as oauth from "oauth4webapi";
import { timeout } from "../../base/deadlines.ts";
import type { Clock } from "../../base/clock.ts";
import { isObject } from "../../contract/json.ts";
import { KitError } from "../../contract/kit-error.ts";
import { parseJson } from "../../contract/parse-json.ts";

/** A request of `oauth4webapi`. */
interface OAuthRequest {
  method: string;
  headers: Record<string, string>;
  redirect: "manual";
  body?: BodyInit | null | undefined;
  signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 10_000;

/** The connection of `oauth4webapi` to authorization servers. */
export interface OAuthHttp {
  [oauth.allowInsecureRequests]: boolean;
  [oauth.customFetch]: (url: string, request: OAuthRequest) => Promise<Response>;
  signal: () => AbortSignal;
}

/** The options of {@link createOAuthHttp}. */
export interface OAuthHttpOptions {
  allowsLoopback: boolean;
  /** Whether redirects of metadata are followed. Only for a guarded `fetch`, which checks every redirect. */
  followsRedirects: boolean;
  /** Whether the ID token is used. An unused one must not fail the sign-in. */
  readsIdToken: boolean;
  /** For the time limit of each request. */
  clock: Clock;
}

/**
 * Makes requests with the operator's `fetch`, and corrects replies of existing servers that `oauth4webapi` refuses: a
 * registration with status 200 or without the expiry of its secret, a token with status 201, `null` or an empty text
 * instead of an absent member, a number as text, an absent token type, an error with status 200 or in capitals, a refresh that
 * is refused without a code, another content type, an unused ID token, a challenge beside an error of the token endpoint. An unknown token type
 * stays: such a token must not be sent as a bearer token.
 */
export function createOAuthHttp(
  fetch: typeof globalThis.fetch,
  { allowsLoopback, followsRedirects, readsIdToken, clock }: OAuthHttpOptions,
): OAuthHttp {
  return {
    [oauth.allowInsecureRequests]: allowsLoopback,
    signal: () => timeout(clock, TIMEOUT_MS),
    async [oauth.customFetch](url, { method, headers, redirect, body, signal }) {
      const response = await fetch(url, {
        method,
        headers,
        // Redirects are fine, because the metadata must name the right issuer.
        redirect: method === "GET" && followsRedirects ? "follow" : redirect,
        ...(body != null && { body }),
        signal: signal ?? null,
      });
      const isRefresh = body instanceof URLSearchParams && body.get("grant_type") === "refresh_token";
      return method === "POST" ? mended(response, { readsIdToken, isRefresh }) : response;
    },
  };
}

/** There is no document at an address. */
export class NoDocument extends KitError {}

/** Asks for a document of metadata. */
export async function askFor(place: string, http: OAuthHttp): Promise<Response> {
  if (!URL.canParse(place)) throw new KitError("elicit-kit: the address of its metadata is not a URL");
  return http[oauth.customFetch](place, {
    method: "GET",
    headers: { accept: "application/json" },
    redirect: "manual",
    signal: http.signal(),
  });
}

/** Reads the JSON of a document of metadata. */
export async function readJson(response: Response): Promise<unknown> {
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 404) throw new NoDocument("elicit-kit: it answered with status 404");
    throw new KitError(`elicit-kit: it answered with status ${response.status}`);
  }
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new KitError("elicit-kit: it is not JSON");
  }
}

async function mended(
  response: Response,
  { readsIdToken, isRefresh }: { readsIdToken: boolean; isRefresh: boolean },
): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.delete("www-authenticate");
  const text = await response.text();
  const { status } = response;
  const body = parseJson(text);
  // A reply with status 204 may have no body, not even an empty one.
  if (!isObject(body)) return new Response(text === "" ? null : text, { status, headers });
  headers.set("content-type", "application/json");
  const rest = Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value !== null && value !== "" && (readsIdToken || name !== "id_token"),
    ),
  );
  const reply = (members: Readonly<Record<string, unknown>>, as: number) =>
    Response.json(members, { status: as, headers });
  if (rest["access_token"] !== undefined) return reply(mendedToken(rest), response.ok ? 200 : status);
  const error = typeof rest["error"] === "string" ? rest["error"].toLowerCase() : undefined;
  if (status === 200 && (rest["error"] !== undefined || rest["ok"] === false)) {
    // GitHub and Slack send their errors with status 200.
    return reply({ ...rest, error: error ?? "server_error" }, 400);
  }
  // HubSpot refuses a refresh without a code of OAuth.
  const code = error ?? (status === 400 && isRefresh ? "invalid_request" : undefined);
  if (code !== undefined) return reply({ ...rest, error: code }, status);
  if (rest["client_id"] === undefined) return reply(rest, status);
  const { client_id: id, client_secret_expires_at: end = 0, ...more } = rest;
  const registered = {
    ...more,
    client_id: typeof id === "number" ? String(id) : id,
    client_secret_expires_at: Number(end),
  };
  return reply(registered, status === 200 ? 201 : status);
}

function mendedToken({
  scope,
  token_type = "bearer",
  ...rest
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...rest, token_type, scope: Array.isArray(scope) ? scope.join(" ") : scope };
}
