import * as oauth from "oauth4webapi";
import { isObject } from "../../contract/json.ts";

/** A request of `oauth4webapi`. */
interface OAuthRequest {
  method: string;
  headers: Record<string, string>;
  redirect: "manual";
  body?: BodyInit | null | undefined;
  signal?: AbortSignal | undefined;
}

/** The connection of `oauth4webapi` to authorization servers. */
export interface OAuthHttp {
  [oauth.allowInsecureRequests]: boolean;
  [oauth.customFetch]: (url: string, request: OAuthRequest) => Promise<Response>;
  signal?: () => AbortSignal;
}

/** The options of {@link createOAuthHttp}. */
export interface OAuthHttpOptions {
  allowsLoopback: boolean;
  /** Whether redirects of metadata are followed. Only for a guarded `fetch`, which checks every redirect. */
  followsRedirects: boolean;
  /** Whether the ID token is used. An unused one must not fail the sign-in. */
  readsIdToken: boolean;
  /** Aborts each request. Absent if `fetch` has its own time limit. */
  signal?: (() => AbortSignal) | undefined;
}

/**
 * Makes requests with the operator's `fetch`, and corrects replies of existing servers that `oauth4webapi` refuses: a
 * registration with status 200 or without the expiry of its secret, `null` instead of an absent member, an unused ID
 * token, a challenge beside an error of the token endpoint.
 */
export function createOAuthHttp(
  fetch: typeof globalThis.fetch,
  { allowsLoopback, followsRedirects, readsIdToken, signal: limit }: OAuthHttpOptions,
): OAuthHttp {
  return {
    [oauth.allowInsecureRequests]: allowsLoopback,
    ...(limit !== undefined && { signal: limit }),
    async [oauth.customFetch](url, { method, headers, redirect, body, signal }) {
      const response = await fetch(url, {
        method,
        headers,
        // Redirects are fine, because the metadata must name the right issuer.
        redirect: method === "GET" && followsRedirects ? "follow" : redirect,
        ...(body != null && { body }),
        ...(signal && { signal }),
      });
      return method === "POST" ? mended(response, readsIdToken) : response;
    },
  };
}

async function mended(response: Response, readsIdToken: boolean): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.delete("www-authenticate");
  const text = await response.text();
  const { status } = response;
  const isEmpty = status === 204 || status === 304;
  const body = jsonOf(text);
  if (!isObject(body)) return new Response(isEmpty ? null : text, { status, headers });
  const rest = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null && (readsIdToken || name !== "id_token")),
  );
  const isRegistration = typeof rest["client_id"] === "string" && rest["access_token"] === undefined;
  const mendedBody = isRegistration ? { client_secret_expires_at: 0, ...rest } : rest;
  return Response.json(mendedBody, { status: isRegistration && status === 200 ? 201 : status, headers });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
