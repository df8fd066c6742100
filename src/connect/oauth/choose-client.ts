import { isSameIssuer } from "./authorization-server.ts";
import type { OAuthClientInfo } from "../ports/client-registrations.ts";
import { type RegistrationOptions, type RegistrationPlace, registeredClient } from "./registered-client.ts";
import { SignInError } from "./sign-in-error.ts";

/** A client that the operator has registered manually, for one MCP server at one authorization server. */
export interface PresetClient extends OAuthClientInfo {
  /** The URL of the MCP server, as configured in the agent. */
  readonly server: string;
  /** The authorization server, as its metadata names it. */
  readonly issuer: string;
}

export const METHODS = ["preset", "metadata-document", "dynamic"] as const;
/** How the client was obtained. */
export type ClientMethod = (typeof METHODS)[number];

/** The authorization server, MCP server and redirect URI of a client. It is used nowhere else. */
export interface ClientPlace extends RegistrationPlace {
  /** The URL of the client id metadata document. `undefined` if authorization servers cannot reach it. */
  readonly documentUrl: string | undefined;
}

export interface ChosenClient {
  readonly method: ClientMethod;
  readonly client: OAuthClientInfo;
}

/**
 * Finds the client for a place, in the order of the MCP specification: registered by hand, client id metadata document,
 * dynamic registration. `tried` are methods of earlier sign-ins from which the user did not return. The authorization
 * server may have shown an error page, so the next method or a new registration is used.
 */
export async function chooseClient(
  place: ClientPlace,
  tried: ReadonlySet<ClientMethod>,
  options: RegistrationOptions & { presets: readonly PresetClient[] },
): Promise<ChosenClient> {
  const { server, serverUrl, documentUrl } = place;
  const preset = options.presets.find(
    (one) => one.server === serverUrl && isSameIssuer(one.issuer, server.issuer),
  );
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
  return { method: "dynamic", client: await registeredClient(place, tried.has("dynamic"), options) };
}

function notSetUp({ server, serverUrl, service, redirectUri }: ClientPlace): SignInError {
  const why = server.client_id_metadata_document_supported
    ? "It takes client id metadata documents, but reads them only from a public https origin, and the hosted page is not on one."
    : "It takes neither client id metadata documents nor dynamic registration.";
  return new SignInError(
    `${service} signs people in at ${server.issuer}. ${why} Register a client there by hand, with the redirect URI ${redirectUri}, and add { server: "${serverUrl}", issuer: "${server.issuer}", clientId: "…" } to the clients of createMcpSignIn.`,
    { isNotSetUp: true },
  );
}
