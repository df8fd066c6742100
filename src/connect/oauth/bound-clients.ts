import type { CredentialBinding } from "../ports/credentials.ts";
import { isSameIssuer } from "./authorization-server.ts";
import type { PresetClient } from "./choose-client.ts";
import type { ClientRegistrations, OAuthClientInfo } from "../ports/client-registrations.ts";
import { registrationKey } from "./registered-client.ts";
import { base64url, sha256 } from "../../base/ids.ts";

/** The clients that obtained credentials. */
export interface BoundClients {
  /** Binds a credential to the `client` that obtained it. */
  bind(place: Omit<CredentialBinding, "clientId">, client: OAuthClientInfo): Promise<CredentialBinding>;
  /** The client of a credential, if it is still known. */
  get(binding: CredentialBinding): Promise<OAuthClientInfo | undefined>;
  /**
   * Records that the authorization server did not know the client of a credential: the next sign-in registers another.
   * Returns whether the credential is lost, because its client was given up before.
   */
  giveUp(binding: CredentialBinding): Promise<boolean>;
}

export function createBoundClients({
  origin,
  presets,
  registrations,
}: {
  origin: string;
  presets: readonly PresetClient[];
  registrations: ClientRegistrations;
}): BoundClients {
  /** A client that the operator has registered, or the metadata document of the page. */
  async function ownClient({ issuer, serverUrl, clientId }: Omit<CredentialBinding, "resource">) {
    if (clientId === origin + DOCUMENT_PATH + (await hashOf(issuer, serverUrl))) {
      return { clientId, authMethod: "none" } as const;
    }
    return presets.find(
      (one) => one.server === serverUrl && isSameIssuer(one.issuer, issuer) && one.clientId === clientId,
    );
  }

  async function keyOf({ issuer, serverUrl }: CredentialBinding): Promise<string> {
    const redirectUri = origin + CALLBACK_PATH + (await hashOf(issuer, serverUrl));
    return registrationKey({ server: { issuer }, serverUrl, redirectUri });
  }

  async function currentClient(binding: CredentialBinding): Promise<OAuthClientInfo | undefined> {
    const current = await registrations.get(await keyOf(binding));
    return current?.clientId === binding.clientId ? current : undefined;
  }

  return {
    async bind({ serverUrl, issuer, resource }, { clientId, clientSecret, authMethod }) {
      const binding = { serverUrl, issuer, resource, clientId };
      if ((await ownClient(binding)) !== undefined) return binding;
      return { ...binding, registeredClient: { clientSecret, authMethod } };
    },
    async get(binding) {
      const own = await ownClient(binding);
      if (own !== undefined) return own;
      const { clientId, registeredClient } = binding;
      return registeredClient === undefined ? currentClient(binding) : { clientId, ...registeredClient };
    },
    async giveUp(binding) {
      if ((await ownClient(binding)) !== undefined) return false;
      const { clientId } = binding;
      const key = await keyOf(binding);
      const current = await registrations.get(key);
      const isCurrent = current?.clientId === clientId;
      if (current === undefined || !(isCurrent || current.replaces?.includes(clientId) === true)) return true;
      await registrations.remove(key, current.clientId);
      if (!isCurrent) {
        const replaces = current.replaces?.filter((id) => id !== clientId);
        await registrations.add(key, { ...current, replaces });
      }
      return false;
    },
  };
}

/**
 * Paths end in a hash of authorization server and MCP server, so that a code never reaches the callback of another
 * server.
 */
export const CALLBACK_PATH = "/auth/mcp/callback/";
export const DOCUMENT_PATH = "/auth/mcp/client/";
export const HASH = /^[\w-]{43}$/;

export async function hashOf(issuer: string, serverUrl: string): Promise<string> {
  return base64url(await sha256(JSON.stringify([issuer, serverUrl])));
}
