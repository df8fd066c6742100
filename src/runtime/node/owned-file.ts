import { type BigIntStats } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const LOOK_EVERY_MS = 20;
/** A file beside that has not changed for so long has nobody any more who writes it. */
const ABANDONED_AFTER_MS = 500;
const GIVE_UP_AFTER_MS = 10_000;

/** Tells one state of a file from another without reading it. `undefined`: there is no file. */
export type Stamp = string | undefined;

export async function stampOf(path: string): Promise<Stamp> {
  return stampIn(await unlessMissing(stat(path, { bigint: true })));
}

/** Reads a file that only its owner may read; wider permissions are narrowed first. `undefined`: there is no such file. */
export async function readOwned(path: string): Promise<{ data: Buffer; stamp: Stamp } | undefined> {
  const file = await unlessMissing(open(path, "r"));
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat({ bigint: true });
    // Windows has no such bits.
    if (process.platform !== "win32" && (stats.mode & 0o077n) !== 0n) {
      await file.chmod(0o600);
      process.emitWarning(
        `elicit-kit: ${path} could be read or written by other users (mode ${(stats.mode & 0o777n).toString(8)}). It is closed to them now. Look for what has opened it, and for copies.`,
      );
    }
    return { data: await file.readFile(), stamp: stampIn(stats) };
  } finally {
    await file.close();
  }
}

/**
 * Puts new contents in the place of a file, on disk before they are seen, readable by this user only. They are written
 * to one file beside it, which is also the lock: who makes it is the one who writes, and the last step takes it away. A
 * process that is killed leaves it behind; the next one takes it over.
 *
 * @param make called when nobody else writes; `undefined`: nothing is to be written
 * @returns the stamp of what was written
 */
export async function replaceOwned(
  path: string,
  make: () => Promise<Uint8Array | undefined>,
): Promise<{ stamp: Stamp } | undefined> {
  const beside = `${path}.tmp`;
  for (let waited = 0; waited < GIVE_UP_AFTER_MS; waited += LOOK_EVERY_MS) {
    const file = await unlessTaken(open(beside, "wx", 0o600));
    if (file === undefined) {
      await removeAbandoned(beside);
      continue;
    }
    try {
      const data = await make();
      if (data !== undefined) {
        await file.writeFile(data);
        await file.sync();
      }
      if (!(await isAt(file, beside))) continue;
      if (data === undefined) {
        await rm(beside);
        return undefined;
      }
      const stamp = stampIn(await file.stat({ bigint: true }));
      await rename(beside, path);
      return { stamp };
    } catch (error) {
      if (await isAt(file, beside)) await rm(beside, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }
  throw new Error(`elicit-kit: ${path} could not be written, because another process keeps writing it.`);
}

/** Removes what processes that were killed have left beside the file. */
export async function removeLeftovers(path: string): Promise<void> {
  await removeAbandoned(`${path}.tmp`);
  // As earlier versions named theirs.
  const pattern = /^\.[0-9a-f]{12}\.tmp$/;
  const names = (await unlessMissing(readdir(dirname(path)))) ?? [];
  for (const name of names) {
    const isOurs = name.startsWith(basename(path)) && pattern.test(name.slice(basename(path).length));
    if (isOurs) await rm(join(dirname(path), name), { force: true });
  }
}

/** Waits until a file is gone, or removes it once nobody seems to write it. */
async function removeAbandoned(path: string): Promise<void> {
  const before = await stampOf(path);
  if (before === undefined) return;
  for (let waited = 0; waited < ABANDONED_AFTER_MS; waited += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS);
    if ((await stampOf(path)) !== before) return;
  }
  await rm(path, { force: true });
}

/** `false`: another process took this one for dead and the file for its own. */
async function isAt(file: FileHandle, path: string): Promise<boolean> {
  const [own, there] = await Promise.all([
    file.stat({ bigint: true }),
    unlessMissing(stat(path, { bigint: true })),
  ]);
  return own.ino === there?.ino;
}

function stampIn(stats: BigIntStats | undefined): Stamp {
  return stats && `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return unlessCode("ENOENT", work);
}

function unlessTaken<T>(work: Promise<T>): Promise<T | undefined> {
  return unlessCode("EEXIST", work);
}

async function unlessCode<T>(code: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === code) return undefined;
    throw error;
  }
}
