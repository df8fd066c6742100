import { firstCharacters } from "../contract/visible-text.ts";
import { isObject } from "../contract/json.ts";
import type { User } from "./identity.ts";
import { createEncryption, derivedBits, joined, partsOf, KEY_BYTES, keyBytes } from "./encryption.ts";
import { base64url, bytesOfBase64 } from "./ids.ts";

/**
 * The purpose of a sealed user.
 * - `vouch`: the browser with the challenge `subject` has their chat session.
 * - `page`: the hosted page itself has confirmed the user, for the browser with the secret `subject`.
 */
export interface UserStatement {
  readonly purpose: "vouch" | "page";
  readonly subject: string;
}

/** Tells a page who the user is when there is no request that identifies them. */
export interface UserSeals {
  /** Encrypts a user for one browser. `expiresAt` is in milliseconds since the epoch. */
  seal(user: User, statement: UserStatement, expiresAt: number): Promise<string>;
  /** Returns `undefined` for any value that `seal` did not create for this statement. The expiry may be in the past. */
  read(
    sealed: string,
    statement: UserStatement,
  ): Promise<{ readonly user: User; readonly expiresAt: number } | undefined>;
  /** A short name for a user. Without the key, nobody can tell whose it is, not even from a list of users. */
  pseudonym(userId: string): Promise<string>;
}

const MAX_LENGTH = 4096;
/** The length limit for a name: two names fit into a seal, whatever their characters. */
const MAX_NAME = 200;
const PSEUDONYM_BYTES = 3;

/**
 * Seals with AES-256-GCM, so that no address or log shows who a user is. `key`: the key of the answers, from which
 * another key is derived. By default it is random, and only this runtime can read its seals.
 */
export function createUserSeals(key: Uint8Array | string | undefined): UserSeals {
  const bytes =
    key === undefined ? crypto.getRandomValues(new Uint8Array(KEY_BYTES)) : keyBytes(key, "answerKey");
  const encryption = createEncryption(bytes, "user seal");

  return {
    async seal({ id, name, account }, statement, expiresAt) {
      // `authenticate` in plain JavaScript may return null, as databases do.
      const user: User = { id, name: shortened(name), account: shortened(account) };
      const text = JSON.stringify([expiresAt, user]);
      const { nonce, data, tag } = await encryption.encrypt(text, boundTo(statement));
      return base64url(joined(nonce, data, tag));
    },
    async read(sealed, statement) {
      const isPossible = sealed.length <= MAX_LENGTH && /^[\w-]+$/.test(sealed);
      const whole = isPossible ? bytesOfBase64(sealed) : undefined;
      if (whole === undefined) return undefined;
      const text = await encryption.decrypt(partsOf(whole, "data, tag"), boundTo(statement));
      return text === undefined ? undefined : parse(text);
    },
    async pseudonym(userId) {
      const derived = await derivedBits(bytes, `pseudonym ${userId}`, 8 * PSEUDONYM_BYTES);
      return Array.from(derived, (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
  };
}

function shortened(name: string | null | undefined): string | undefined {
  return name === null || name === undefined ? undefined : firstCharacters(name, MAX_NAME);
}

function boundTo({ purpose, subject }: UserStatement): string {
  return `${purpose}\n${subject}`;
}

function parse(text: string): { user: User; expiresAt: number } | undefined {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) return undefined;
  const [expiresAt, user]: unknown[] = value;
  return typeof expiresAt === "number" && isUser(user) ? { user, expiresAt } : undefined;
}

function isUser(value: unknown): value is User {
  if (!isObject(value) || typeof value["id"] !== "string" || value["id"] === "") return false;
  return ["name", "account"].every((key) => ["string", "undefined"].includes(typeof value[key]));
}
