import type { BigIntStats } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { KitError } from "../contract/kit-error.ts";

const POLL_EVERY_MS = 20;
/** A temporary file that has not changed for this long belongs to a process that was killed. */
const ABANDONED_AFTER_MS = 500;
const GIVE_UP_AFTER_MS = 10_000;

/** Identifies a version of the file: it changes whenever the file changes. `undefined`: there is no file. */
export type Stamp = string | undefined;

export async function stampOf(path: string): Promise<Stamp> {
  return stampIn(await unlessMissing(stat(path, { bigint: true })));
}

/** Reads a file and makes sure that only its owner can. Returns `undefined` if there is no file. */
export async function readOwned(path: string): Promise<{ data: Buffer; stamp: Stamp } | undefined> {
  const file = await unlessMissing(open(path, "r"));
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat({ bigint: true });
    // Windows has no permission bits.
    if (process.platform !== "win32" && (stats.mode & 0o077n) !== 0n) {
      await file.chmod(0o600);
      process.emitWarning(
        `elicit-kit: ${path} could be read or written by other users (mode ${(stats.mode & 0o777n).toString(8)}). Only its owner can read it now. Find out what changed the mode, and look for copies.`,
      );
    }
    return { data: await file.readFile(), stamp: stampIn(stats) };
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file atomically, readable by this user only. The new contents are first written to a temporary file beside
 * it, and synced to disk. The temporary file is also the lock: the process that creates it may write, and the rename at
 * the end releases it. If a process is killed, it leaves the file behind, and the next process removes it.
 *
 * @param make called while this process holds the lock; `undefined` writes nothing
 * @returns the stamp of the new file
 */
export async function replaceOwned(
  path: string,
  make: () => Promise<Uint8Array | undefined>,
): Promise<{ stamp: Stamp } | undefined> {
  const temporary = temporaryOf(path);
  for (let waited = 0; waited < GIVE_UP_AFTER_MS; waited += POLL_EVERY_MS) {
    const file = await unlessTaken(open(temporary, "wx", 0o600));
    if (file === undefined) {
      await removeAbandoned(path);
      continue;
    }
    try {
      const data = await make();
      if (data !== undefined) {
        await file.writeFile(data);
        await file.sync();
      }
      if (!(await isAt(file, temporary))) continue;
      if (data === undefined) {
        await rm(temporary);
        return undefined;
      }
      const stamp = stampIn(await file.stat({ bigint: true }));
      await rename(temporary, path);
      return { stamp };
    } catch (error) {
      if (await isAt(file, temporary)) await rm(temporary, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }
  throw new KitError(`elicit-kit: ${path} could not be written, because another process keeps writing it.`);
}

/** Waits until another process changes or removes its temporary file of `path`. Removes an abandoned one. */
export async function removeAbandoned(path: string): Promise<void> {
  const temporary = temporaryOf(path);
  const before = await stampOf(temporary);
  if (before === undefined) return;
  for (let waited = 0; waited < ABANDONED_AFTER_MS; waited += POLL_EVERY_MS) {
    await pause(POLL_EVERY_MS);
    if ((await stampOf(temporary)) !== before) return;
  }
  await rm(temporary, { force: true });
}

const temporaryOf = (path: string): string => `${path}.tmp`;

/** `false`: another process assumed that this one was killed, and has taken over the lock. */
async function isAt(file: FileHandle, path: string): Promise<boolean> {
  const [opened, current] = await Promise.all([
    file.stat({ bigint: true }),
    unlessMissing(stat(path, { bigint: true })),
  ]);
  return opened.ino === current?.ino;
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
