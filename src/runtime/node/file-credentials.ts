import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { type Credential, type CredentialStore, isCredential, isSameCredential } from "../core/index.ts";

/** What a file begins with. The last digit counts the versions of the format. */
const MAGIC = Buffer.from("elicit-kit credentials 1\n");
const KEY_BYTES = 32;
/** Tells a wrong key from a damaged file, and nothing about the key. */
const KEY_CHECK_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where `createFileCredentials` keeps what it stores, and the key it is encrypted with. */
export interface FileCredentialsOptions {
  /** Made when the first credential is stored; its folder must exist. */
  path: string;
  /**
   * 32 bytes, or base64 of them, such as `openssl rand -base64 32` prints. Keep it out of the folder that holds the
   * file, and out of the repository.
   */
  key: Uint8Array | string;
}

/**
 * Credentials in one file, encrypted with AES-256-GCM: a restart keeps what people have connected. Every change writes
 * the whole file beside the old one and then takes its place, so that a crash leaves one of the two. For one process at
 * a time and some thousands of people; beyond that, put a database behind {@link CredentialStore}.
 *
 * Rejects when the key is not one, when the file was written with another key, and when it has been changed.
 */
export async function createFileCredentials({ path, key }: FileCredentialsOptions): Promise<CredentialStore> {
  const secret = keyBytes(key);
  let stored = await load(path, secret);
  let writing: Promise<unknown> = Promise.resolve();

  async function write(edit: Edit): Promise<boolean> {
    const next = new Map(stored);
    if (!edit(next)) return false;
    await replaceFile(path, encrypt(JSON.stringify([...next]), secret));
    stored = next;
    return true;
  }

  /** One after another; what was not written is not there for readers either. */
  function change(edit: Edit): Promise<boolean> {
    const work = writing.then(() => write(edit));
    writing = work.catch(() => {});
    return work;
  }

  return {
    async get(toolId, userId) {
      return stored.get(entryName(toolId, userId));
    },
    async set(toolId, userId, credential) {
      await change((next) => {
        next.set(entryName(toolId, userId), credential);
        return true;
      });
    },
    async delete(toolId, userId) {
      await change((next) => next.delete(entryName(toolId, userId)));
    },
    replace(toolId, userId, old, credential) {
      const name = entryName(toolId, userId);
      return change((next) => {
        if (!isSameCredential(next.get(name), old)) return false;
        if (credential === undefined) return next.delete(name);
        next.set(name, credential);
        return true;
      });
    },
  };
}

/** `false`: nothing was changed, and nothing is written. */
type Edit = (next: Map<string, Credential>) => boolean;

function entryName(toolId: string, userId: string): string {
  return JSON.stringify([toolId, userId]);
}

function keyBytes(key: Uint8Array | string): Uint8Array {
  const bytes = typeof key === "string" ? Buffer.from(key, "base64") : key;
  if (bytes.length === KEY_BYTES) return bytes;
  throw new Error(
    `elicit-kit: the key of a credentials file must be ${KEY_BYTES} bytes, or base64 of them, as \`openssl rand -base64 32\` prints. This one has ${bytes.length} bytes.`,
  );
}

function keyCheck(key: Uint8Array): Buffer {
  return createHmac("sha256", key).update(MAGIC).digest().subarray(0, KEY_CHECK_BYTES);
}

function encrypt(text: string, key: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const head = Buffer.concat([MAGIC, keyCheck(key), nonce]);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES }).setAAD(head);
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([head, cipher.getAuthTag(), data]);
}

async function load(path: string, key: Uint8Array): Promise<ReadonlyMap<string, Credential>> {
  const file = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  return file === undefined ? new Map() : new Map(entriesOf(decrypt(file, key, path), path));
}

function decrypt(file: Buffer, key: Uint8Array, path: string): string {
  const nonceAt = MAGIC.length + KEY_CHECK_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const dataAt = tagAt + TAG_BYTES;
  if (file.length < dataAt || !file.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new Error(
      `elicit-kit: ${path} is not a credentials file of this version. Move it away or name another path.`,
    );
  }
  if (!file.subarray(MAGIC.length, nonceAt).equals(keyCheck(key))) {
    throw new Error(
      `elicit-kit: ${path} was written with another key. Give that key, or move the file away; then everybody connects again.`,
    );
  }
  const nonce = file.subarray(nonceAt, tagAt);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(file.subarray(0, tagAt))
    .setAuthTag(file.subarray(tagAt, dataAt));
  try {
    return Buffer.concat([decipher.update(file.subarray(dataAt)), decipher.final()]).toString("utf8");
  } catch {
    throw new Error(
      `elicit-kit: ${path} was changed after it was written, so none of it is used. Restore it from a backup, or move it away.`,
    );
  }
}

function entriesOf(text: string, path: string): [string, Credential][] {
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) throw new Error(`elicit-kit: ${path} holds no list of credentials.`);
  return entries.flatMap((entry: unknown): [string, Credential][] => {
    if (!Array.isArray(entry)) return [];
    const [name, credential]: unknown[] = entry;
    return typeof name === "string" && isCredential(credential) ? [[name, credential]] : [];
  });
}

/** Readable by this user only, on disk before it takes the place of the old one. */
async function replaceFile(path: string, data: Uint8Array): Promise<void> {
  const next = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = await open(next, "wx", 0o600);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
