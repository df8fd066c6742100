import * as oauth from "oauth4webapi";
import { isObject } from "../../protocol/json.ts";

/** A request as `oauth4webapi` makes it. */
interface OAuthRequest {
  method: string;
  headers: Record<string, string>;
  redirect: "manual";
  body?: BodyInit | null | undefined;
  signal?: AbortSignal | undefined;
}

/** How `oauth4webapi` reaches untrusted servers. */
export interface OAuthHttp {
  [oauth.allowInsecureRequests]: boolean;
  [oauth.customFetch]: (url: string, request: OAuthRequest) => Promise<Response>;
}

/**
 * Makes requests with the operator's guarded `fetch`, and mends answers that servers in use give and `oauth4webapi`
 * refuses: a registration with status 200 or without the end of its secret, `null` in place of an absent member, an ID
 * token that nobody reads, a challenge beside an error of the token endpoint.
 */
export function createOAuthHttp(fetch: typeof globalThis.fetch, allowsLoopback: boolean): OAuthHttp {
  return {
    [oauth.allowInsecureRequests]: allowsLoopback,
    async [oauth.customFetch](url, { method, headers, redirect, body, signal }) {
      const response = await fetch(url, {
        method,
        headers,
        // Metadata may have moved. The guard checks every step, and what is read must name the right issuer.
        redirect: method === "GET" ? "follow" : redirect,
        ...(body != null && { body }),
        ...(signal && { signal }),
      });
      return method === "POST" ? mended(response) : response;
    },
  };
}

async function mended(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.delete("www-authenticate");
  const text = await response.text();
  const { status } = response;
  const isEmpty = status === 204 || status === 304;
  const body = jsonOf(text);
  if (!isObject(body)) return new Response(isEmpty ? null : text, { status, headers });
  const { id_token: _, ...members } = body;
  const rest = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
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
