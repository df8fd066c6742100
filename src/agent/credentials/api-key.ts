import { patientFetch } from "../../base/patient-fetch.ts";
import type { CredentialInUse } from "./credential-in-use.ts";

/** How the SDKs of both protocols call `fetch`. Their own types are optional peers, which public types cannot need. */
type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Where the API key of a server is sent. */
export type ApiKeyPlace =
  | {
      /** Name of the header, such as `x-api-key`. */
      readonly header: string;
      /** The text before the key in the header, such as `"Token "`. @default "" */
      readonly prefix?: string | undefined;
    }
  | {
      /** Name of the query parameter. Servers and proxies log URLs, so prefer a header where the server takes one. */
      readonly query: string;
    };

/** Adds the credential to the HTTP requests of a client: as a bearer token, or as the server takes its API key. */
export function carryCredential(
  server: { apiKey?: ApiKeyPlace | undefined; fetch?: FetchLike | undefined },
  credential: CredentialInUse | undefined,
): { fetch: FetchLike; authProvider?: { token: () => Promise<string> } } {
  const { apiKey, fetch = patientFetch } = server;
  if (credential === undefined) return { fetch };
  if (apiKey !== undefined) return { fetch: withApiKey(credential.accessToken, apiKey, fetch) };
  return { fetch, authProvider: { token: async () => (await credential.current()).accessToken } };
}

/**
 * Adds an API key to each request, below the SDK, whose errors then cannot contain it. Redirects are not followed:
 * `fetch` would remove an `authorization` header there, but not other headers or parameters.
 */
function withApiKey(key: string, place: ApiKeyPlace, fetch: FetchLike): FetchLike {
  return (input, init) => {
    const url = new URL(input);
    const headers = new Headers(init?.headers);
    if ("header" in place) headers.set(place.header, (place.prefix ?? "") + key);
    else url.searchParams.set(place.query, key);
    return fetch(url, { ...init, headers, redirect: "manual" });
  };
}
