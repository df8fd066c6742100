import * as oauth from "oauth4webapi";
import { isLoopbackHttp } from "../core/internal.ts";
import type { ServerMetadata } from "./authorization-server.ts";
import type { ClientRegistrations, OAuthClientInfo } from "./client-registrations.ts";
import type { OAuthHttp } from "./oauth-http.ts";
import { SignInError, oauthFault } from "./sign-in-error.ts";
import { KitError } from "../../protocol/kit-error.ts";

/** A client that the operator has registered by hand, for one MCP server at one authorization server. */
export interface PresetClient extends OAuthClientInfo {
  /** URL of the MCP server, as the agent has it. */
  readonly server: string;
  /** The authorization server, as its metadata names it. */
  readonly issuer: string;
}

/** How authorization servers show this client to people. */
export interface ClientDescription {
  readonly name: string;
  /** Https. */
  readonly uri?: string | undefined;
  /** Https. */
  readonly logoUri?: string | undefined;
}

/** How the client was obtained. */
export type ClientMethod = "preset" | "metadata-document" | "dynamic";

/** The only place where a client is used. */
export interface ClientPlace {
  readonly service: string;
  /** URL of the MCP server. */
  readonly serverUrl: string;
  readonly server: ServerMetadata;
  readonly redirectUri: string;
  /** URL of the client id metadata document. `undefined` where authorization servers cannot read it. */
  readonly documentUrl: string | undefined;
}

export interface ChosenClient {
  readonly method: ClientMethod;
  readonly client: OAuthClientInfo;
}

/**
 * Finds the client for a place, in the order of the MCP specification: registered by hand, client id metadata document,
 * dynamic registration. `tried` are methods with which the person has left and not come back: the authorization server
 * may have shown an error page of its own, so the next method is taken, or a new registration made.
 */
export async function chooseClient(
  place: ClientPlace,
  tried: ReadonlySet<ClientMethod>,
  options: {
    presets: readonly PresetClient[];
    registrations: ClientRegistrations;
    description: ClientDescription;
    http: OAuthHttp;
    now: () => number;
  },
): Promise<ChosenClient> {
  const { server, serverUrl, documentUrl } = place;
  const preset = options.presets.find((one) => one.issuer === server.issuer && one.server === serverUrl);
  if (preset !== undefined) {
    const { server: _server, issuer: _issuer, ...client } = preset;
    return { method: "preset", client };
  }
  const canRegister = server.registration_endpoint !== undefined;
  const takesDocuments = server.client_id_metadata_document_supported && documentUrl !== undefined;
  if (takesDocuments && !(tried.has("metadata-document") && canRegister)) {
    return { method: "metadata-document", client: { clientId: documentUrl, authMethod: "none" } };
  }
  if (!canRegister) throw notSetUp(place);

  const { registrations, now } = options;
  const key = registrationKey(place);
  const known = await registrations.get(key);
  if (known !== undefined) {
    const isGood = known.expiresAt === undefined || now() < known.expiresAt;
    if (isGood && !tried.has("dynamic")) return { method: "dynamic", client: known };
    await registrations.remove(key, known.clientId);
  }
  const registered = await register(place, options);
  // Two people may connect at the same time: the first registration is used.
  return { method: "dynamic", client: await registrations.add(key, registered) };
}

/** A client belongs to one authorization server, one MCP server and one redirect URI. */
export function registrationKey({
  server,
  serverUrl,
  redirectUri,
}: Pick<ClientPlace, "serverUrl" | "redirectUri"> & { server: Pick<ServerMetadata, "issuer"> }): string {
  return JSON.stringify([server.issuer, serverUrl, redirectUri]);
}

/** The client's metadata, for a registration and for its metadata document. */
export function clientMetadata(redirectUri: string, { name, uri, logoUri }: ClientDescription) {
  return {
    client_name: name,
    ...(uri !== undefined && { client_uri: uri }),
    ...(logoUri !== undefined && { logo_uri: logoUri }),
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: isLoopbackHttp(new URL(redirectUri)) ? "native" : "web",
  };
}

async function register(
  { server, redirectUri, service }: ClientPlace,
  { description, http, now }: { description: ClientDescription; http: OAuthHttp; now: () => number },
): Promise<OAuthClientInfo> {
  try {
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      { ...clientMetadata(redirectUri, description), token_endpoint_auth_method: preferredMethod(server) },
      http,
    );
    if (response.status === 429) {
      throw new KitError("elicit-kit: it takes no more registrations at the moment (status 429)");
    }
    const made = await oauth.processDynamicClientRegistrationResponse(response);
    const { client_id: clientId, client_secret: secret, client_secret_expires_at: end } = made;
    const named = KNOWN_METHODS.find((method) => method === made["token_endpoint_auth_method"]);
    return {
      clientId,
      ...(typeof secret === "string" && { clientSecret: secret }),
      ...(named !== undefined && { authMethod: named }),
      ...(typeof end === "number" && end > 0 && { expiresAt: Math.max(end * 1000, now()) }),
    };
  } catch (error) {
    throw new SignInError(
      `${server.issuer}, which signs people in to ${service}, refused to register a client: ${oauthFault(error)}. Try again later, or register a client there by hand.`,
    );
  }
}

const KNOWN_METHODS = ["client_secret_basic", "client_secret_post", "none"] as const;

/** Without the server's list it is Basic (RFC 8414, section 2). */
function preferredMethod(server: ServerMetadata): (typeof KNOWN_METHODS)[number] {
  const supported = server.token_endpoint_auth_methods_supported;
  return KNOWN_METHODS.find((method) => supported?.includes(method)) ?? "client_secret_basic";
}

/** How the client authenticates at the token endpoint: as it was registered, if the server supports that. */
export function clientAuthOf(server: ServerMetadata, client: OAuthClientInfo): oauth.ClientAuth {
  const { clientSecret: secret, authMethod } = client;
  if (secret === undefined) return oauth.None();
  const supported = server.token_endpoint_auth_methods_supported;
  const isSupported = authMethod !== undefined && supported?.includes(authMethod) !== false;
  const method = isSupported ? authMethod : preferredMethod(server);
  if (method === "client_secret_post") return oauth.ClientSecretPost(secret);
  return method === "none" ? oauth.None() : basic(secret);
}

/** The library also encodes "-" and the like, as RFC 6749 has it; servers that do not decode them refuse that. */
function basic(secret: string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = [client.client_id, secret].map((part) => encodeURIComponent(part)).join(":");
    headers.set("authorization", `Basic ${btoa(pair)}`);
  };
}

function notSetUp({ server, serverUrl, service, redirectUri, documentUrl }: ClientPlace): SignInError {
  const takesDocuments = server.client_id_metadata_document_supported;
  const why =
    takesDocuments && documentUrl === undefined
      ? "It takes client id metadata documents, but reads them only from a public https origin, and the hosted page is not on one."
      : "It takes neither client id metadata documents nor dynamic registration.";
  return new SignInError(
    `${service} signs people in at ${server.issuer}. ${why} Register a client there by hand, with the redirect URI ${redirectUri}, and add { server: "${serverUrl}", issuer: "${server.issuer}", clientId: "…" } to the clients of createMcpSignIn.`,
    { isNotSetUp: true },
  );
}
