import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a worker does, one line for each step. A worker that hangs is killed, and its last line tells with which mutant. */
export type LogLine =
  | { file: string }
  /** Mutants that the loading of a module reaches. They cannot be switched on later. */
  | { atLoad: readonly string[] }
  | { reached: readonly string[] }
  | { tried: string }
  | { killed: string }
  /** The test fails without a mutant, here or after one. */
  | { unusable: string };

const EXTENSION = ".log";

/** @param worker the name of a worker: its process and its thread */
export function note(dir: string, worker: string, line: LogLine): void {
  appendFileSync(join(dir, worker + EXTENSION), `${JSON.stringify(line)}\n`);
}

/** The lines of each worker, or of those of one process. */
export function logsIn(dir: string, pid?: number): LogLine[][] {
  const names = readdirSync(dir).filter(
    (name) => name.endsWith(EXTENSION) && name.startsWith(pid === undefined ? "" : `${pid}-`),
  );
  return names.map((name) =>
    readFileSync(join(dir, name), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line): LogLine => JSON.parse(line)),
  );
}

/** Grows while the workers work. */
export function bytesIn(dir: string): number {
  return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
}

export function killedIn(dir: string): Set<string> {
  return new Set(
    logsIn(dir).flatMap((lines) => lines.flatMap((line) => ("killed" in line ? [line.killed] : []))),
  );
}
