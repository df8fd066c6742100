import { isObject } from "../../protocol/json.ts";

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
  /** Rejects when it cannot tell now, such as while a provider cannot be reached: that is not "there is none". */
  get(toolId: string, userId: string): Promise<Credential | undefined>;
  set(toolId: string, userId: string, credential: Credential): Promise<void>;
  delete(toolId: string, userId: string): Promise<void>;
  /**
   * A newer credential in place of one that a server has refused before its time, without asking the person.
   * `undefined`: there is no way to get one. A store that cannot renew leaves this out.
   */
  renew?(toolId: string, userId: string, refused: Credential): Promise<Credential | undefined>;
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

/** Whether what a store has read back is a credential. */
export function isCredential(value: unknown): value is Credential {
  if (!isObject(value) || typeof value["accessToken"] !== "string") return false;
  const isOptional = (name: string, type: "number" | "string") =>
    value[name] === undefined || typeof value[name] === type;
  return (
    isOptional("expiresAt", "number") && isOptional("refreshToken", "string") && isOptional("scope", "string")
  );
}

function keyOf(toolId: string, userId: string): string {
  return JSON.stringify([toolId, userId]);
}
