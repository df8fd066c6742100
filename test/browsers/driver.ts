import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A browser under remote control, with the commands for a walk through a popup. */
export interface Driver {
  name: string;
  open(url: string): Promise<Tab>;
  /** The open tabs and windows, in no particular order. */
  tabs(): Promise<readonly Tab[]>;
  close(): Promise<void>;
}

/** A tab or window. */
export interface Tab {
  /** Stays the same as long as the tab is open. */
  id: string;
  /** Returns the value of an expression on its page. */
  read(expression: string): Promise<unknown>;
  /** Clicks the middle of an element with a real click, so that it counts as the user's. */
  click(selector: string): Promise<void>;
  close(): Promise<void>;
}

/** A program that this process controls, with its own home directory. */
export interface Program {
  /** The match of `pattern` in the program's output: the first group. */
  said: string;
  stop(): Promise<void>;
}

const START_MS = 60_000;

/**
 * Starts a program and waits until its output matches `pattern`, if that is given. `args` gets its home directory, which
 * is empty.
 */
export async function start(
  command: string,
  args: (home: string) => readonly string[] | Promise<readonly string[]>,
  pattern?: RegExp,
  env: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), "elicit-kit-browser-"));
  const child = spawn(command, [...(await args(home))], {
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // In its own process group, so that its child processes end with it.
    detached: true,
  });
  async function stop(): Promise<void> {
    await end(child);
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  try {
    return { said: pattern === undefined ? "" : await hear(child, command, pattern), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function hear(child: ChildProcess, command: string, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = "";
    const fail = (why: string): void =>
      reject(new Error(`elicit-kit: ${command} ${why}. It wrote:\n${heard.slice(-2000)}`));
    const timer = setTimeout(() => fail(`was not ready after ${START_MS / 1000} seconds`), START_MS);
    child.once("error", () => fail("could not be started"));
    child.once("exit", (code) => fail(`ended with code ${code}`));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
        const match = pattern.exec(heard);
        if (match === null) return;
        clearTimeout(timer);
        resolve(match[1] ?? "");
      });
    }
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null) return resolve();
    child.once("exit", () => resolve());
    process.kill(-child.pid, "SIGKILL");
  });
}

/** Reads a property of a parsed message. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
