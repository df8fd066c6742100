import { KitError } from "../contract/kit-error.ts";
import { bytesOfBase64 } from "./ids.ts";

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
