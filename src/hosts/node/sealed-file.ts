import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { type Credential, isCredential } from "../../connect/ports/credentials.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The first bytes of a file. The last digit is the version of the format. */
const MAGIC = Buffer.from("elicit-kit credentials 1\n");
/** Tells a wrong key from a damaged file, and nothing about the key. */
const KEY_CHECK_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The decrypted contents of a file. */
export interface Contents {
  /** Counts the changes, so that an older copy can be detected. 0: a file of a version without revisions. */
  readonly revision: number;
  readonly entries: ReadonlyMap<string, Credential>;
}

/** Encrypts with AES-256-GCM and a new nonce. Any change to the result is detected. */
export function sealed({ revision, entries }: Contents, key: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const head = Buffer.concat([MAGIC, keyCheck(key), nonce]);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES }).setAAD(head);
  const text = JSON.stringify([revision, ...entries]);
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([head, cipher.getAuthTag(), data]);
}

/** Decrypts a file. @param path for error messages */
export function unsealed(file: Buffer, key: Uint8Array, path: string): Contents {
  const contents: unknown = JSON.parse(decrypt(file, key, path));
  if (!Array.isArray(contents)) throw new KitError(`elicit-kit: ${path} holds no list of credentials.`);
  const [first]: unknown[] = contents;
  const entries = contents.flatMap((entry: unknown): [string, Credential][] => {
    if (!Array.isArray(entry)) return [];
    const [name, credential]: unknown[] = entry;
    return typeof name === "string" && isCredential(credential) ? [[name, credential]] : [];
  });
  return { revision: typeof first === "number" ? first : 0, entries: new Map(entries) };
}

function keyCheck(key: Uint8Array): Buffer {
  return createHmac("sha256", key).update(MAGIC).digest().subarray(0, KEY_CHECK_BYTES);
}

function decrypt(file: Buffer, key: Uint8Array, path: string): string {
  const nonceAt = MAGIC.length + KEY_CHECK_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const dataAt = tagAt + TAG_BYTES;
  if (file.length < dataAt || !file.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new KitError(
      `elicit-kit: ${path} is not a credentials file of this version. Move it away or name another path.`,
    );
  }
  if (!file.subarray(MAGIC.length, nonceAt).equals(keyCheck(key))) {
    throw new KitError(
      `elicit-kit: ${path} was written with another key. Use that key, or move the file away; then everybody has to connect again.`,
    );
  }
  const nonce = file.subarray(nonceAt, tagAt);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(file.subarray(0, tagAt))
    .setAuthTag(file.subarray(tagAt, dataAt));
  try {
    return Buffer.concat([decipher.update(file.subarray(dataAt)), decipher.final()]).toString("utf8");
  } catch {
    throw new KitError(
      `elicit-kit: ${path} was changed after it was written, so nothing of it is used. Restore it from a backup, or move it away.`,
    );
  }
}
