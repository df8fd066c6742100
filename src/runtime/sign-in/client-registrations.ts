/** A client of an authorization server. Plain data: a store may serialise it as JSON. */
export interface OAuthClientInfo {
  readonly clientId: string;
  /** Absent for a public client. Keep it like a password. */
  readonly clientSecret?: string | undefined;
  /** How the client authenticates at the token endpoint. Absent: with a method that the server supports. */
  readonly authMethod?: "client_secret_basic" | "client_secret_post" | "none" | undefined;
  /** When the secret expires, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
}

/**
 * Where clients are kept that were registered dynamically (RFC 7591), by a key of authorization server and MCP server: a
 * client is used nowhere else. Give all processes one store, or each registers a client of its own.
 */
export interface ClientRegistrations {
  get(key: string): Promise<OAuthClientInfo | undefined>;
  /** Stores the client unless the key has one, in one step for all processes. Returns the one that is stored. */
  add(key: string, client: OAuthClientInfo): Promise<OAuthClientInfo>;
  /** Removes the client if it is still the stored one, compared by `clientId`. */
  remove(key: string, clientId: string): Promise<void>;
}

/** Keeps clients in this process. After a restart, each is registered again. */
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
