import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type ChatClient, createChatClient } from "../stages/chat-client.ts";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));
/** A request without a reply is given up after this. */
const TIMEOUT_MS = 10_000;

/** A process that serves the chat, and that faults are made in. */
export interface ServingProcess {
  readonly child: ChildProcess;
  readonly ada: ChatClient;
}

/** Keeps so many processes running: one that has ended is replaced. */
export class Processes {
  readonly #url: string;
  readonly #running = new Set<ServingProcess>();
  readonly #log: (text: string) => void;
  #isClosed = false;

  constructor(url: string, log: (text: string) => void) {
    this.#url = url;
    this.#log = log;
  }

  get running(): readonly ServingProcess[] {
    return [...this.#running];
  }

  /** Starts a process, and another one whenever it has ended. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [SERVER, this.#url], { stdio: ["ignore", "pipe", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", this.#log);
    const ended = once(child, "exit");
    const started = once(child.stdout.setEncoding("utf8"), "data").then(([text]) => String(text).trim());
    const base = await Promise.race([started, ended.then(() => undefined)]);
    if (base !== undefined) {
      const serving = { child, ada: clientOf(base) };
      this.#running.add(serving);
      void ended.then(() => this.#running.delete(serving));
    }
    void ended
      .then(() => (this.#isClosed ? undefined : this.start()))
      .catch((error: unknown) => this.#log(String(error)));
  }

  close(): void {
    this.#isClosed = true;
    for (const { child } of this.#running) {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
    }
  }
}

function clientOf(base: string): ChatClient {
  return createChatClient(
    (request) => {
      const { pathname, search } = new URL(request.url);
      const isStream = request.method === "GET" || pathname.endsWith("/chat");
      const init = isStream ? request : new Request(request, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      return fetch(new Request(`${base}${pathname}${search}`, init));
    },
    { user: "ada" },
  );
}
