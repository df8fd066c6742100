import { firstCharacters } from "../contract/first-characters.ts";
import { isObject } from "../contract/json.ts";
import type { User } from "./identity.ts";
import { base64url } from "./ids.ts";
import { KEY_BYTES, keyBytes } from "./key-bytes.ts";

/**
 * What a sealed user is good for.
 * - `vouch`: their chat session is in the browser that holds the challenge `subject`.
 * - `page`: confirmed by the hosted page itself, for the browser whose secret is `subject`.
 */
export interface UserStatement {
  readonly purpose: "vouch" | "page";
  readonly subject: string;
}

/** Tells a page who a user is where there is no request that says it. */
export interface UserSeals {
  /** Encrypts a user for one browser. `expiresAt`: milliseconds since the epoch. */
  seal(user: User, statement: UserStatement, expiresAt: number): Promise<string>;
  /** Returns `undefined` for anything but what `seal` has made for this statement. The expiry may be in the past. */
  read(
    sealed: string,
    statement: UserStatement,
  ): Promise<{ readonly user: User; readonly expiresAt: number } | undefined>;
}

const IV_BYTES = 12;
const MAX_LENGTH = 4096;
/** Of a name: two of them fit into a seal, whatever their characters are. */
const MAX_NAME = 200;

/**
 * Seals with AES-256-GCM, so that no address or log shows who a user is. `key`: that of the answers, of which another one is
 * derived. By default it is random, and only this runtime can read its seals.
 */
export function createUserSeals(key: Uint8Array | string | undefined): UserSeals {
  const bytes =
    key === undefined ? crypto.getRandomValues(new Uint8Array(KEY_BYTES)) : keyBytes(key, "answerKey");
  let loaded: Promise<CryptoKey> | undefined;
  const aes = () => (loaded ??= derive(bytes));

  return {
    async seal({ id, name, account }, statement, expiresAt) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      // `authenticate` in plain JavaScript may return null, as databases have it.
      const user: User = { id, name: shortened(name), account: shortened(account) };
      const text = new TextEncoder().encode(JSON.stringify([expiresAt, user]));
      const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(iv, statement), await aes(), text));
      const whole = new Uint8Array(IV_BYTES + sealed.length);
      whole.set(iv);
      whole.set(sealed, IV_BYTES);
      return base64url(whole);
    },
    async read(sealed, statement) {
      const whole = sealed.length <= MAX_LENGTH ? bytesOf(sealed) : undefined;
      if (whole === undefined) return undefined;
      const iv = whole.slice(0, IV_BYTES);
      try {
        const text = await crypto.subtle.decrypt(gcm(iv, statement), await aes(), whole.slice(IV_BYTES));
        return parse(new TextDecoder().decode(text));
      } catch {
        return undefined;
      }
    },
  };
}

function shortened(name: string | null | undefined): string | undefined {
  return name === null || name === undefined ? undefined : firstCharacters(name, MAX_NAME);
}

async function derive(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode("elicit-kit user seal");
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return crypto.subtle.deriveKey(hkdf, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

function gcm(iv: Uint8Array<ArrayBuffer>, { purpose, subject }: UserStatement) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(`${purpose}\n${subject}`) };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
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
