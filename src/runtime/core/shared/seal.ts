import { base64url } from "./ids.ts";

/**
 * What a seal says: that the person of a request has been recognised.
 * - `vouch`: their chat session was in the browser that holds the challenge `subject`.
 * - `bind`: the same, said by the chat's script instead of a navigation.
 * - `page`: by the hosted page itself, of the browser whose secret is `subject`.
 */
export interface SealedStatement {
  readonly purpose: "vouch" | "bind" | "page";
  readonly elicitationId: string;
  readonly subject: string;
}

/** What a challenge, a browser's secret and the key of a record look like: 32 bytes as base64url. */
export const SECRET_PATTERN = /^[\w-]{43}$/;

const SEAL_PATTERN = /^(\d{1,16})\.([\w-]{43})$/;

/**
 * `expiresAt.MAC`: a statement that only the holder of the key (the `vouchKey` of a record) can have made. The expiry, in
 * milliseconds since the epoch, is part of what is signed.
 */
export async function seal(key: string, statement: SealedStatement, expiresAt: number): Promise<string> {
  return `${expiresAt}.${await macOf(key, statement, `${expiresAt}`)}`;
}

/** When a seal under this key and of this statement expires, or has expired. `undefined`: it is no such seal. */
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

/** What a browser may show of a secret that it keeps in a cookie, so that a seal can name the browser. */
export async function challengeOf(
  purpose: "vouch" | "bind",
  elicitationId: string,
  secret: string,
): Promise<string> {
  const text = [purpose, elicitationId, secret].join("\n");
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** HMAC-SHA-256 as base64url, under a key of 32 bytes as {@link newSecret} makes them. */
export async function hmac(key: string, text: string): Promise<string> {
  // A record that was stored by an older version has no key, and nobody may sign with an empty one.
  if (!SECRET_PATTERN.test(key))
    throw new Error("elicit-kit: the key of a MAC must be 32 bytes as base64url.");
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes.encode(key), algorithm, false, ["sign"]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes.encode(text))));
}

/** Takes the same time wherever the two differ. */
export function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
