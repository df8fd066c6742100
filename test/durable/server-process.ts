import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type ChatClient, createChatClient } from "../stages/chat-client.ts";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));

/** A runtime in a separate process. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly ada: ChatClient;
  /** Sends a request of Ada. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Its log output. */
  readonly log: string[];
  /** Kills it, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts `server.ts`, or another program with its arguments. It is killed at the end of the test. */
export async function startServer(
  databaseUrl: string,
  {
    nodeArgs = [],
    sweepMs = 300,
    program = SERVER,
    args = [],
  }: {
    nodeArgs?: readonly string[];
    sweepMs?: number | undefined;
    program?: string | undefined;
    /** More arguments for the program. */
    args?: readonly string[];
  } = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...nodeArgs, program, databaseUrl, `${sweepMs}`, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const log: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => log.push(text));
  const exited = once(child, "exit");
  const [first] = await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data"),
    exited.then(() => Promise.reject(new Error(log.join("")))),
  ]);
  const base = String(first).trim();
  const ada = createChatClient(
    (request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`${base}${pathname}${search}`, request));
    },
    { user: "ada" },
  );
  return {
    child,
    ada,
    fetch(path, init) {
      const headers = new Headers(init?.headers);
      headers.set("authorization", "Bearer ada");
      return fetch(base + path, { ...init, headers });
    },
    log,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** The answer to a question of `server.ts`. */
export const answer = (text: string) => ({ action: "accept", content: { answer: text } });
