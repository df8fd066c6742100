import * as oauth from "oauth4webapi";
import type { ServerMetadata } from "./authorization-server.ts";
import type { OAuthClientInfo } from "../ports/client-registrations.ts";

export const KNOWN_METHODS = ["client_secret_basic", "client_secret_post", "none"] as const;

type Listed = Pick<ServerMetadata, "token_endpoint_auth_methods_supported">;

/** Without a list from the server, the default is Basic (RFC 8414, section 2). */
export function preferredMethod(server: Listed): (typeof KNOWN_METHODS)[number] {
  const supported = server.token_endpoint_auth_methods_supported;
  return KNOWN_METHODS.find((method) => supported?.includes(method)) ?? "client_secret_basic";
}

/** How the client authenticates at the token endpoint: with its registered method, if the server supports that. */
export function clientAuthOf(server: Listed, client: OAuthClientInfo): oauth.ClientAuth {
  const { clientSecret: secret, authMethod } = client;
  if (secret === undefined) return oauth.None();
  const supported = server.token_endpoint_auth_methods_supported;
  const isSupported = authMethod !== undefined && supported?.includes(authMethod) !== false;
  const method = isSupported ? authMethod : preferredMethod(server);
  if (method === "client_secret_post") return oauth.ClientSecretPost(secret);
  return method === "none" ? oauth.None() : basic(secret);
}

/** The library also encodes "-" and the like, as RFC 6749 requires. Servers that do not decode these refuse them. */
function basic(secret: string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = [client.client_id, secret].map((part) => encodeURIComponent(part)).join(":");
    headers.set("authorization", `Basic ${btoa(pair)}`);
  };
}
