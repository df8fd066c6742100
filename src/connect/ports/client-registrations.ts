import type { ClientAuthentication } from "./credentials.ts";

/** A client of an authorization server. Plain data: a store may serialise it as JSON. */
export interface OAuthClientInfo extends ClientAuthentication {
  readonly clientId: string;
  /** When the secret expires, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
  /** When the client was registered, in milliseconds since the epoch. Absent for a manually registered client. */
  readonly registeredAt?: number | undefined;
  /** The scopes that its registration named. Absent if the server registers none, or the client was registered by hand. */
  readonly scopes?: readonly string[] | undefined;
  /** The ids of clients that it has replaced because they had fewer scopes. Accounts may still use them. */
  readonly replaces?: readonly string[] | undefined;
}

/**
 * Stores dynamically registered clients (RFC 7591), by a key of authorization server and MCP server, because a client is
 * used nowhere else. Processes must share one store. Otherwise each registers its own client.
 */
export interface ClientRegistrations {
  get(key: string): Promise<OAuthClientInfo | undefined>;
  /** Stores the client unless the key has one, atomically for all processes. Returns the stored client. */
  add(key: string, client: OAuthClientInfo): Promise<OAuthClientInfo>;
  /** Removes the client if it is still the stored one, compared by `clientId`. */
  remove(key: string, clientId: string): Promise<void>;
}

/**
 * Keeps clients in this process. After a restart, new sign-ins register new clients, and connected accounts stay
 * connected.
 */
export function createMemoryRegistrations(): ClientRegistrations {
  const clients = new Map<string, OAuthClientInfo>();
  return {
    async get(key) {
      return clients.get(key);
    },
    async add(key, client) {
      const stored = clients.get(key) ?? client;
      clients.set(key, stored);
      return stored;
    },
    async remove(key, clientId) {
      if (clients.get(key)?.clientId === clientId) clients.delete(key);
    },
  };
}
