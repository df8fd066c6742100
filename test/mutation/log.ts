import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A mutant is switched on in a test, which may take `limitMs`. */
export interface Try {
  tried: string;
  /** The id of the test, which is the same in each run. */
  test: string;
  limitMs: number;
}

/** What a worker does, one line for each step. A worker that hangs is killed, and its last line tells with which mutant. */
export type LogLine =
  | { file: string }
  /** Mutants that the loading of a module reaches. They cannot be switched on later. */
  | { atLoad: readonly string[] }
  | { reached: readonly string[] }
  | Try
  | { killed: string }
  /** All tests of the file have run. */
  | { done: string }
  /** The test fails without a mutant, here or after one, or its file does not load. */
  | { unusable: string };

const EXTENSION = ".log";

/** A try that takes longer has no end, also on a busy machine. */
export const LONGEST_TRY_MS = 60_000;

/** How long the hooks of a try may take besides, on a busy machine. */
const AROUND_MS = 20_000;

/** Whether a mutant is in the sample of a run that tries one in `oneIn`. */
export function isInSample(id: string, oneIn: string): boolean {
  return Number(id) % Number(oneIn) === 0;
}

/** @param worker the name of a worker: its process and its thread */
export function note(dir: string, worker: string, line: LogLine): void {
  appendFileSync(join(dir, worker + EXTENSION), `${JSON.stringify(line)}\n`);
}

/** The lines of each worker. */
export function logsIn(dir: string): LogLine[][] {
  return namesIn(dir).map((name) => linesOf(dir, name));
}

/** The lines of the workers of a process that have written nothing for too long and are not between two files. */
export function hungIn(dir: string, pid: number | undefined): LogLine[][] {
  return namesIn(dir)
    .filter((name) => name.startsWith(`${pid}-`))
    .flatMap((name) => {
      const silentMs = Date.now() - statSync(join(dir, name)).mtimeMs;
      const lines = silentMs > AROUND_MS ? linesOf(dir, name) : [];
      const last = lines.at(-1);
      if (last === undefined || "done" in last) return [];
      const limitMs = "tried" in last ? last.limitMs : LONGEST_TRY_MS;
      return silentMs > 2 * limitMs + AROUND_MS ? [lines] : [];
    });
}

export function killedIn(dir: string): Set<string> {
  return new Set(
    logsIn(dir).flatMap((lines) => lines.flatMap((line) => ("killed" in line ? [line.killed] : []))),
  );
}

/** The tries that have ended, of the workers of all processes before. */
export function triedIn(dir: string): Set<string> {
  const ended = logsIn(dir).flatMap((lines) => lines.slice(0, -1));
  return new Set(ended.flatMap((line) => ("tried" in line ? [tryOf(line.test, line.tried)] : [])));
}

export const tryOf = (test: string, mutant: string) => `${test} ${mutant}`;

function namesIn(dir: string): string[] {
  return readdirSync(dir).filter((name) => name.endsWith(EXTENSION));
}

function linesOf(dir: string, name: string): LogLine[] {
  return readFileSync(join(dir, name), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line): LogLine => JSON.parse(line));
}
