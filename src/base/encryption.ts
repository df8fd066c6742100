import { KitError } from "../contract/kit-error.ts";
import { bytesOfBase64 } from "./ids.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The size of an empty sealed text: the nonce and the tag. */
export const MIN_SEALED_BYTES = NONCE_BYTES + TAG_BYTES;
const AES = { name: "AES-GCM", length: 256 };

/** The parts of an encrypted text. Each store orders them in its own way. */
export interface Encrypted {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
  readonly tag: Uint8Array<ArrayBuffer>;
}

/** Encrypts with AES-256-GCM: without the key, a text can neither be read nor be changed unnoticed. */
export interface Encryption {
  /**
   * `bound` is the owner of the text. It is not stored, and decryption needs the same value. `nonce` comes from {@link
   * newNonce}.
   */
  encrypt(
    text: string,
    bound: string | Uint8Array<ArrayBuffer>,
    nonce?: Uint8Array<ArrayBuffer>,
  ): Promise<Encrypted>;
  /** `undefined`: the text was changed, or has another key or another `bound`. */
  decrypt(encrypted: Encrypted, bound: string | Uint8Array<ArrayBuffer>): Promise<string | undefined>;
}

/** `key`: 32 bytes. `purpose`: derives a separate key, so that one configured key can serve several purposes. */
export function createEncryption(key: Uint8Array<ArrayBuffer>, purpose?: string): Encryption {
  let loaded: Promise<CryptoKey> | undefined;
  const aes = () =>
    (loaded ??=
      purpose === undefined
        ? crypto.subtle.importKey("raw", key, AES, false, ["encrypt", "decrypt"])
        : derivedKey(key, purpose));

  return {
    async encrypt(text, bound, nonce = newNonce()) {
      const whole = await crypto.subtle.encrypt(
        gcm(nonce, bound),
        await aes(),
        new TextEncoder().encode(text),
      );
      const tagAt = whole.byteLength - TAG_BYTES;
      return { nonce, data: new Uint8Array(whole, 0, tagAt), tag: new Uint8Array(whole, tagAt) };
    },
    async decrypt({ nonce, data, tag }, bound) {
      const loadedKey = await aes();
      let text: ArrayBuffer;
      try {
        text = await crypto.subtle.decrypt(gcm(nonce, bound), loadedKey, joined(data, tag));
      } catch {
        return undefined;
      }
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
    },
  };
}

/** A new random nonce. Each text needs its own, because two texts with the same key and nonce can be decrypted. */
export function newNonce(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
}

/** Splits `bytes` into its parts, which stand in this `order`. */
export function partsOf(bytes: Uint8Array, order: "data, tag" | "tag, data"): Encrypted {
  // A copy, because a database may hand out shared memory.
  const whole = Uint8Array.from(bytes);
  const rest = whole.subarray(NONCE_BYTES);
  const tagAt = order === "tag, data" ? 0 : Math.max(0, rest.length - TAG_BYTES);
  const data = order === "tag, data" ? rest.subarray(TAG_BYTES) : rest.subarray(0, tagAt);
  return { nonce: whole.subarray(0, NONCE_BYTES), data, tag: rest.subarray(tagAt, tagAt + TAG_BYTES) };
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** HKDF with SHA-256, for one purpose of this package. */
export async function derivedBits(
  key: Uint8Array<ArrayBuffer>,
  purpose: string,
  bits: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const root = await crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode(`elicit-kit ${purpose}`);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(hkdf, root, bits));
}

async function derivedKey(key: Uint8Array<ArrayBuffer>, purpose: string): Promise<CryptoKey> {
  const bits = await derivedBits(key, purpose, AES.length);
  return crypto.subtle.importKey("raw", bits, AES, false, ["encrypt", "decrypt"]);
}

function gcm(iv: Uint8Array<ArrayBuffer>, bound: string | Uint8Array<ArrayBuffer>) {
  const additionalData = typeof bound === "string" ? new TextEncoder().encode(bound) : bound;
  return { name: "AES-GCM", iv, additionalData };
}

/** The length of every key that an operator configures. */
export const KEY_BYTES = 32;

/**
 * Reads a key of 32 bytes: raw, or as base64 or base64url, padded or not. `option` names it in the error. Returns a copy.
 */
export function keyBytes(key: Uint8Array | string, option: string): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === "string" ? bytesOfBase64(key) : copyOf(key);
  if (bytes?.length === KEY_BYTES) return bytes;
  const found =
    bytes !== undefined
      ? `has ${bytes.length} bytes`
      : typeof key === "string"
        ? "is not base64"
        : `is ${key === null ? "null" : typeof key}`;
  throw new KitError(
    `elicit-kit: ${option} must be ${KEY_BYTES} bytes, raw or as base64, such as \`openssl rand -base64 32\` prints. This one ${found}.`,
  );
}

/** `undefined` for other values in JavaScript, such as an environment variable that is not set. */
function copyOf(key: unknown): Uint8Array<ArrayBuffer> | undefined {
  return key instanceof Uint8Array ? Uint8Array.from(key) : undefined;
}
