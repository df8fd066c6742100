import { createHmac } from "node:crypto";
import { MIN_SEALED_BYTES, createEncryption, joined, newNonce, partsOf } from "../base/encryption.ts";
import { type Credential, isCredential } from "../connect/ports/credentials.ts";
import { KitError } from "../contract/kit-error.ts";

/** The first bytes of a file. The last digit is the version of the format. */
const MAGIC = Buffer.from("elicit-kit credentials 1\n");
/** Detects a wrong key, as opposed to a damaged file, without revealing the key. */
const KEY_CHECK_BYTES = 8;

/** The decrypted contents of a file. */
export interface Contents {
  /** Counts the changes, so that an older copy can be detected. */
  readonly revision: number;
  readonly entries: ReadonlyMap<string, Credential>;
}

/** Encrypts with a new nonce. Any change to the result is detected. */
export async function sealed(
  { revision, entries }: Contents,
  key: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const nonce = newNonce();
  const head = joined(MAGIC, keyCheck(key), nonce);
  const text = JSON.stringify([revision, ...entries]);
  const { data, tag } = await createEncryption(key).encrypt(text, head, nonce);
  return joined(head, tag, data);
}

/** Decrypts a file. @param path for error messages */
export async function unsealed(file: Buffer, key: Uint8Array<ArrayBuffer>, path: string): Promise<Contents> {
  const contents: unknown = JSON.parse(await decrypt(file, key, path));
  const [revision, ...list]: unknown[] = Array.isArray(contents) ? contents : [];
  if (typeof revision !== "number") throw new KitError(`elicit-kit: ${path} holds no list of credentials.`);
  const entries = list.flatMap((entry: unknown): [string, Credential][] => {
    if (!Array.isArray(entry)) return [];
    const [name, credential]: unknown[] = entry;
    return typeof name === "string" && isCredential(credential) ? [[name, credential]] : [];
  });
  return { revision, entries: new Map(entries) };
}

function keyCheck(key: Uint8Array): Buffer {
  return createHmac("sha256", key).update(MAGIC).digest().subarray(0, KEY_CHECK_BYTES);
}

async function decrypt(file: Buffer, key: Uint8Array<ArrayBuffer>, path: string): Promise<string> {
  const nonceAt = MAGIC.length + KEY_CHECK_BYTES;
  if (file.length < nonceAt + MIN_SEALED_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new KitError(
      `elicit-kit: ${path} is not a credentials file of this version. Move it away or name another path.`,
    );
  }
  if (!file.subarray(MAGIC.length, nonceAt).equals(keyCheck(key))) {
    throw new KitError(
      `elicit-kit: ${path} was written with another key. Use that key, or move the file away; then everybody has to connect again.`,
    );
  }
  const parts = partsOf(file.subarray(nonceAt), "tag, data");
  const head = Uint8Array.from(file.subarray(0, nonceAt + parts.nonce.length));
  const text = await createEncryption(key).decrypt(parts, head);
  if (text !== undefined) return text;
  throw new KitError(
    `elicit-kit: ${path} was changed after it was written, so nothing of it is used. Restore it from a backup, or move it away.`,
  );
}
