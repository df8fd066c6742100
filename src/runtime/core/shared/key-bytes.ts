import { KitError } from "../../../protocol/kit-error.ts";

export const KEY_BYTES = 32;

/** Reads a key of 32 bytes, raw or as base64 or base64url. `option` names it in the error. */
export function keyBytes(key: Uint8Array | string, option: string): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === "string" ? fromBase64(key) : Uint8Array.from(key);
  if (bytes?.length === KEY_BYTES) return bytes;
  const found = bytes === undefined ? "This one is not base64." : `This one has ${bytes.length} bytes.`;
  throw new KitError(
    `elicit-kit: ${option} must be ${KEY_BYTES} bytes, raw or as base64, such as \`openssl rand -base64 32\` prints. ${found}`,
  );
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const decoded = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
