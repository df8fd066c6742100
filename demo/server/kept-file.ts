import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";

/** A value in a file that only its user can read. */
export interface KeptFile<Value> {
  /** From an earlier start. */
  known: Value | undefined;
  /** Replaces the file in one step: a process that is killed before the end leaves the old one. */
  keep: (value: Value) => Promise<void>;
}

/** Reads a file that `keep` has written, as JSON. */
export async function openKeptFile<Value>(path: string): Promise<KeptFile<Value>> {
  let written = Promise.resolve();
  return {
    known: await readKept<Value>(path),
    keep(value) {
      // In the order of the calls.
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
