import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { test as base } from "@playwright/test";

const ADDRESSES = ["chat", "runtime", "auth", "oauth", "tracker", "planner", "wiki"] as const;
/** The limit for starting with a new database, on a busy machine. */
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 60_000;

/** The origin of each server of the demo. `tracker` and `wiki` are MCP endpoints. */
export type Addresses = Readonly<Record<(typeof ADDRESSES)[number], string>>;

export interface Demo extends Addresses {
  /** All its output so far. */
  output: () => string;
  /** Types a line into its terminal. */
  type: (line: string) => void;
  /** Stops it with Ctrl-C, and returns the exit code. */
  stop: () => Promise<number>;
  /** Kills it with `kill -9`, so that it cannot stop its child processes. */
  kill: () => Promise<void>;
}

/** The program of `npm start`. */
export const DEMO_SOURCE = "demo/server/main.ts";
/** The same program in one file, which starts in half the time. */
const DEMO_BUNDLE = "dist-demo-server/bundle/main.js";

/** Runs the real demo, in a separate process and on free ports. Resolves when all its servers listen. */
export async function startDemo(
  env: Readonly<Record<string, string>> = {},
  program: string = DEMO_BUNDLE,
): Promise<Demo> {
  const child = spawn(process.execPath, [program], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { ...process.env, PORT: "0", DEMO_STATE: "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => void (output += chunk.toString()));
  const found = new Map<string, string>();
  const listening = new Promise<void>((resolve) => {
    createInterface(child.stdout).on("line", (line) => {
      output += `${line}\n`;
      const [name = "", address = ""] = line.trim().split(/\s+/);
      found.set(name === "Open" ? "chat" : name, address);
      if (ADDRESSES.every((one) => found.has(one))) resolve();
    });
  });

  if (!(await inTime(Promise.race([listening.then(() => true), ended.then(() => false)]), START_LIMIT_MS))) {
    child.kill("SIGKILL");
    throw new Error(`elicit-kit: the demo did not start. It said:\n${output}`);
  }
  const addressOf = (name: string): string => found.get(name) ?? "";
  return {
    chat: addressOf("chat"),
    runtime: addressOf("runtime"),
    auth: addressOf("auth"),
    oauth: addressOf("oauth"),
    tracker: addressOf("tracker"),
    planner: addressOf("planner"),
    wiki: addressOf("wiki"),
    output: () => output,
    type: (line) => void child.stdin.write(`${line}\n`),
    async stop() {
      child.kill("SIGINT");
      if (
        !(await inTime(
          ended.then(() => true),
          STOP_LIMIT_MS,
        ))
      ) {
        child.kill("SIGKILL");
        throw new Error(`elicit-kit: the demo did not stop within ${STOP_LIMIT_MS} ms. It said:\n${output}`);
      }
      return child.exitCode ?? -1;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The value, or `undefined` if it does not arrive in time. */
async function inTime<T>(value: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}

interface DemoTest {
  demoEnv: Readonly<Record<string, string>>;
  /** The demo's file. */
  demoProgram: string;
  /** Messages in the browser's console that the test expects. */
  expectedInConsole: RegExp | undefined;
  demo: Demo;
}

/**
 * A test with its own demo: fresh accounts, issues and conversations, stopped after the test. `test.use({ demoEnv: {
 * ELICITATION_TTL_MS: "2000" } })` sets its environment. `baseURL` is the chat.
 *
 * It fails if any page of it, including popups, writes a message to the console that is not in `expectedInConsole`.
 */
export const test = base.extend<DemoTest>({
  demoEnv: [{}, { option: true }],
  demoProgram: [DEMO_BUNDLE, { option: true }],
  expectedInConsole: [undefined, { option: true }],
  context: async ({ context, expectedInConsole }, use) => {
    const said: string[] = [];
    context.on("console", (message) => {
      said.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (failure) => said.push(String(failure.error())));
    await use(context);
    base
      .expect(
        said.filter((text) => expectedInConsole?.test(text) !== true),
        "console",
      )
      .toEqual([]);
  },
  demo: async ({ demoEnv, demoProgram }, use, info) => {
    const demo = await startDemo(demoEnv, demoProgram);
    await use(demo);
    const code = await demo.stop();
    if (info.status !== info.expectedStatus) await info.attach("demo", { body: demo.output() });
    base.expect(code, "exit code of the demo").toBe(0);
  },
  baseURL: async ({ demo }, use) => use(demo.chat),
});

export { expect } from "@playwright/test";
