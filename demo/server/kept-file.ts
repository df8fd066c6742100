import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";

/** A value in a file that only its owner can read. */
export interface KeptFile<Value> {
  /** The value from an earlier start. */
  known: Value | undefined;
  /** Replaces the file atomically: if the process is killed before the end, the old file stays. */
  keep: (value: Value) => Promise<void>;
}

/** Reads a JSON file that `keep` has written. */
export async function openKeptFile<Value>(path: string): Promise<KeptFile<Value>> {
  let written = Promise.resolve();
  return {
    known: await readKept<Value>(path),
    keep(value) {
      // Writes in the order of the calls.
      written = replaceAfter(written, path, JSON.stringify(value));
      return written;
    },
  };
}

async function replaceAfter(earlier: Promise<void>, path: string, text: string): Promise<void> {
  await earlier.catch(() => {});
  const next = `${path}.${randomUUID()}`;
  await writeFile(next, text, { mode: 0o600 });
  await rename(next, path);
}

async function readKept<Value>(path: string): Promise<Value | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    throw new Error(`elicit-kit: ${path} of the demo is damaged. Delete it, and start again.`, { cause });
  }
}
