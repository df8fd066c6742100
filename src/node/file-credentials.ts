import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { type Credential, type CredentialStore, isSameCredential } from "../connect/ports/credentials.ts";
import { type Stamp, readOwned, removeAbandoned, replaceOwned, stampOf } from "./owned-file.ts";
import { type Contents, sealed, unsealed } from "./sealed-file.ts";
import { KitError } from "../contract/kit-error.ts";
import { keyBytes } from "../base/encryption.ts";
import { createWorkQueue } from "../base/work-queue.ts";

/** The file of `createFileCredentials` and its key. */
export interface FileCredentialsOptions {
  /** Created with the first credential, and its folder at once. No other user may write in the folder. */
  path: string;
  /**
   * 32 bytes, raw or as base64, such as `openssl rand -base64 32` prints. Do not keep it in the folder of the file, nor in the
   * repository.
   */
  key: Uint8Array | string;
}

/**
 * Stores credentials in one file, encrypted with AES-256-GCM, so that they survive a restart. Every change writes a new
 * file and then renames it over the old one, so a crash leaves one of the two. Use it for one process and some thousands
 * of people; beyond that, implement {@link CredentialStore} on a database. If another process has written the file, for
 * example the next version of the server during a deployment, the next write first reads those changes and logs a
 * warning.
 *
 * Rejects if the key is malformed, if the file was written with another key, or if it has been tampered with. A change
 * rejects if the file was deleted or replaced by an older copy while the process ran, so that newer credentials are not
 * lost. A copy that was put there while no process ran cannot be detected.
 */
export async function createFileCredentials({ path, key }: FileCredentialsOptions): Promise<CredentialStore> {
  const secret = keyBytes(key, "the key of createFileCredentials");
  let known: Contents = { revision: 0, entries: new Map() };
  let stamp: Stamp;
  let isShared = false;
  const queued = createWorkQueue();

  /** Reads the file if it is newer. Rejects if it is older or gone. */
  async function catchUp(): Promise<void> {
    const read = await readOwned(path);
    if (read?.stamp === stamp) return;
    if (read === undefined)
      throw new KitError(`elicit-kit: ${path} has been deleted since this process read it. ${HOW_TO_GO_ON}`);
    const found = await unsealed(read.data, secret, path);
    if (found.revision <= known.revision) {
      throw new KitError(`elicit-kit: ${path} has been replaced by an older copy. ${HOW_TO_GO_ON}`);
    }
    if (!isShared) {
      process.emitWarning(
        `elicit-kit: another process has written ${path}. Its credentials are kept, but a file is meant for one process at a time.`,
      );
    }
    isShared = true;
    known = found;
    stamp = read.stamp;
  }

  function change(edit: Edit): Promise<boolean> {
    return queued(async () => {
      let next: Contents = known;
      const written = await replaceOwned(path, async () => {
        await catchUp();
        const entries = new Map(known.entries);
        if (!edit(entries)) return undefined;
        next = { revision: known.revision + 1, entries };
        return sealed(next, secret);
      });
      if (written === undefined) return false;
      known = next;
      ({ stamp } = written);
      return true;
    });
  }

  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeAbandoned(path);
  const read = await readOwned(path);
  if (read !== undefined) {
    known = await unsealed(read.data, secret, path);
    ({ stamp } = read);
  }

  return {
    async get(toolId, userId) {
      // If the file cannot be used, keep the credentials in memory, which are the newest. The next change reports the
      // error.
      if ((await stampOf(path)) !== stamp) await queued(catchUp).catch(() => {});
      return known.entries.get(entryName(toolId, userId));
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

const HOW_TO_GO_ON =
  "Nothing was written, so that no newer credential is lost. Put the newest file back, or restart the process to go on with what is there.";

/** Returns `false` if there is nothing to change and nothing to write. */
type Edit = (next: Map<string, Credential>) => boolean;

function entryName(toolId: string, userId: string): string {
  return JSON.stringify([toolId, userId]);
}
