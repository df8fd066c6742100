import { type Credential, type CredentialStore, isSameCredential } from "../core/index.ts";
import { type Stamp, readOwned, removeLeftovers, replaceOwned, stampOf } from "./owned-file.ts";
import { type Contents, keyBytes, sealed, unsealed } from "./sealed-file.ts";

/** Where `createFileCredentials` keeps what it stores, and the key it is encrypted with. */
export interface FileCredentialsOptions {
  /** Made when the first credential is stored; its folder must exist, and belong to this user alone. */
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
 * a time and some thousands of people; beyond that, put a database behind {@link CredentialStore}. What another process
 * has written meanwhile, as while one version of a server takes over from another, is read before anything is changed,
 * and a warning says so.
 *
 * Rejects when the key is not one, when the file was written with another key, and when it has been changed. A change
 * rejects when an older copy was put in the place of the file, or nothing, while the process ran: newer credentials are
 * not lost for it. A copy that was put there between two runs cannot be told from the newest.
 */
export async function createFileCredentials({ path, key }: FileCredentialsOptions): Promise<CredentialStore> {
  const secret = keyBytes(key);
  let known: Contents = { revision: 0, entries: new Map() };
  let stamp: Stamp;
  let isShared = false;
  let queue: Promise<unknown> = Promise.resolve();

  /** Takes over what is newer on disk. Rejects when something older is there. */
  async function catchUp(): Promise<void> {
    const read = await readOwned(path);
    if (read?.stamp === stamp) return;
    if (read === undefined)
      throw new Error(`elicit-kit: ${path} is gone, though it was there. ${HOW_TO_GO_ON}`);
    const found = unsealed(read.data, secret, path);
    if (found.revision <= known.revision) {
      throw new Error(`elicit-kit: ${path} is older than what this process has read. ${HOW_TO_GO_ON}`);
    }
    if (!isShared) {
      process.emitWarning(
        `elicit-kit: another process has written ${path}. What it has stored is kept, but a file is meant for one process at a time.`,
      );
    }
    isShared = true;
    known = found;
    stamp = read.stamp;
  }

  /** One after another; what was not written is not there for readers either. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  }

  function change(edit: Edit): Promise<boolean> {
    return inTurn(async () => {
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

  await removeLeftovers(path);
  const read = await readOwned(path);
  if (read !== undefined) {
    known = unsealed(read.data, secret, path);
    ({ stamp } = read);
  }

  return {
    async get(toolId, userId) {
      // What this process knows is the newest where what is on disk cannot be used; changes say so.
      if ((await stampOf(path)) !== stamp) await inTurn(catchUp).catch(() => {});
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
  "So that nothing newer is lost, nothing is written. Start the process again to go on with what is there, or put the newest file back.";

/** `false`: nothing was changed, and nothing is written. */
type Edit = (next: Map<string, Credential>) => boolean;

function entryName(toolId: string, userId: string): string {
  return JSON.stringify([toolId, userId]);
}
