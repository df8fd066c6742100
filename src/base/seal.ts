import { base64url, sha256 } from "./ids.ts";
import { KitError } from "../contract/kit-error.ts";

/**
 * A signed statement that a browser belongs to the user of a request.
 * - `vouch`: the browser with the challenge `subject` has their chat session.
 * - `bind`: the same, confirmed by the chat's script instead of a navigation.
 * - `page`: the hosted page itself has confirmed the user, for the browser with the secret `subject`.
 */
export interface SealedStatement {
  readonly purpose: "vouch" | "bind" | "page";
  readonly elicitationId: string;
  readonly subject: string;
}

/** Format of a challenge, a browser's secret and the key of a record: 32 bytes as base64url. */
export const SECRET_PATTERN = /^[\w-]{43}$/;

const SEAL_PATTERN = /^(\d{1,16})\.([\w-]{43})$/;

/**
 * Signs a statement as `expiresAt.MAC` with the `vouchKey` of a record. The MAC covers the expiry, in milliseconds since
 * the epoch.
 */
export async function seal(key: string, statement: SealedStatement, expiresAt: number): Promise<string> {
  return `${expiresAt}.${await macOf(key, statement, `${expiresAt}`)}`;
}

/** Verifies a seal. Returns its expiry, which may be in the past, or `undefined` if the seal is invalid. */
export async function readSeal(
  key: string,
  statement: SealedStatement,
  sealed: string,
): Promise<number | undefined> {
  const [, expiresAt = "", mac = ""] = SEAL_PATTERN.exec(sealed) ?? [];
  const expected = await macOf(key, statement, expiresAt);
  return isEqual(mac, expected) ? Number(expiresAt) : undefined;
}

function macOf(key: string, { purpose, elicitationId, subject }: SealedStatement, expiresAt: string) {
  return hmac(key, [purpose, elicitationId, expiresAt, subject].join("\n"));
}

/** Derives a public challenge from the secret in a browser's cookie, so that a seal can name the browser. */
export async function challengeOf(
  purpose: "vouch" | "bind" | "accounts",
  elicitationId: string,
  secret: string,
): Promise<string> {
  return base64url(await sha256([purpose, elicitationId, secret].join("\n")));
}

/** HMAC-SHA-256 as base64url. `key` is 32 bytes as base64url, as {@link newSecret} returns them. */
export async function hmac(key: string, text: string): Promise<string> {
  // A store may have lost the key of a record. Signing with an empty key would allow forgery.
  if (!SECRET_PATTERN.test(key))
    throw new KitError("elicit-kit: the key of a MAC must be 32 bytes as base64url.");
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes.encode(key), algorithm, false, ["sign"]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes.encode(text))));
}

/** Compares two strings in constant time. */
export function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
