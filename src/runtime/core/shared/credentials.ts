import { isObject } from "../../../protocol/json.ts";

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
   * Puts `next`, or nothing, in the place of `old` when that is still what is stored, in one step. `false`: it is not,
   * and nothing was changed. So a person who disconnects or connects anew while their token is refreshed, or refused,
   * has the last word.
   */
  replace(toolId: string, userId: string, old: Credential, next: Credential | undefined): Promise<boolean>;
  /**
   * A newer credential in place of one that a server has refused before its time, without asking the person.
   * `undefined`: there is no way to get one. A store that cannot renew leaves this out.
   */
  renew?(toolId: string, userId: string, refused: Credential): Promise<Credential | undefined>;
}

/** For development: keeps credentials until the process ends. A restart forgets them, and people connect again. */
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
    async replace(toolId, userId, old, next) {
      const key = keyOf(toolId, userId);
      if (!isSameCredential(stored.get(key), old)) return false;
      if (next === undefined) stored.delete(key);
      else stored.set(key, next);
      return true;
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

/** Whether a token can stand in a header (RFC 6749, appendix A.12). One that cannot would end up in the words of an error. */
export function isSendable(token: string): boolean {
  return /^[\x20-\x7e]+$/.test(token);
}

/** Whether two credentials are one: compared by their tokens, which no two have in common. */
export function isSameCredential(stored: Credential | undefined, other: Credential): boolean {
  return stored?.accessToken === other.accessToken && stored.refreshToken === other.refreshToken;
}

function keyOf(toolId: string, userId: string): string {
  return JSON.stringify([toolId, userId]);
}
