/** What lets a tool act for a person. Never logged, never streamed, never shown to a model. */
export interface Credential {
  readonly accessToken: string;
  /** Milliseconds since the epoch; absent when the provider does not say. */
  readonly expiresAt?: number | undefined;
  readonly refreshToken?: string | undefined;
  /** Space-separated, as granted. */
  readonly scope?: string | undefined;
}

/** Where credentials live: one per tool and person. In production, something that encrypts at rest. */
export interface CredentialStore {
  get(toolId: string, userId: string): Promise<Credential | undefined>;
  set(toolId: string, userId: string, credential: Credential): Promise<void>;
  delete(toolId: string, userId: string): Promise<void>;
}

/** Keeps credentials until the process ends. */
export function createMemoryCredentials(): CredentialStore {
  const stored = new Map<string, Credential>();
  return {
    async get(toolId, userId) {
      return stored.get(keyOf(toolId, userId));
    },
    async set(toolId, userId, credential) {
      stored.set(keyOf(toolId, userId), credential);
    },
    async delete(toolId, userId) {
      stored.delete(keyOf(toolId, userId));
    },
  };
}

function keyOf(toolId: string, userId: string): string {
  return JSON.stringify([toolId, userId]);
}
