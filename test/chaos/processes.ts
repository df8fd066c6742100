import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Client } from "pg";
import { type ChatClient, createChatClient } from "../stages/chat-client.ts";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));
/** An HTTP request without a reply is given up after this time. */
const TIMEOUT_MS = 10_000;

/** A process that serves the chat, and in which faults are made. */
export interface ServingProcess {
  readonly child: ChildProcess;
  readonly ada: ChatClient;
  /** Its own user in the database, which no other process has. */
  readonly user: string;
  /** The session locks that it has held. One of them is its key in `runs`. */
  readonly keys: Set<string>;
}

/** Returns the session locks of a database user. */
export async function findKeys(client: Client, user: string): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select (classid::bigint << 32 | objid::bigint)::text as key from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and usename = $1`,
    [user],
  );
  return rows.map(({ key }) => key);
}

type Ask = <Result>(work: (client: Client) => Promise<Result>) => Promise<Result>;

/** Keeps this many processes running: an ended one is replaced. `ask` queries the database, and retries if it is away. */
export class Processes {
  readonly #url: string;
  readonly #ask: Ask;
  readonly #running = new Set<ServingProcess>();
  readonly #log: (text: string) => void;
  #size = 0;
  #started = 0;
  #isClosed = false;
  /** How many processes have ended although nobody killed them. */
  crashes = 0;

  constructor(url: string, ask: Ask, log: (text: string) => void) {
    this.#url = url;
    this.#ask = ask;
    this.#log = log;
  }

  /** Whether each ended process has been replaced. */
  get isWhole(): boolean {
    return this.#running.size === this.#size;
  }

  get running(): readonly ServingProcess[] {
    return [...this.#running];
  }

  /** Starts a process, and another one whenever it has ended. */
  async start(): Promise<void> {
    this.#size += 1;
    await this.#startOne();
  }

  async #startOne(): Promise<void> {
    this.#started += 1;
    const user = `chaos_${this.#started}`;
    await this.#ask((client) => client.query(`create role ${user} superuser login`));
    const url = Object.assign(new URL(this.#url), { username: user }).href;
    const child = spawn(process.execPath, [SERVER, url], { stdio: ["ignore", "pipe", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", this.#log);
    const ended = once(child, "exit");
    let hasStarted = false;
    child.once("exit", (_, signal) => {
      // A process that starts while the database is away may end with the error that says so.
      if (hasStarted && signal !== "SIGKILL") this.crashes += 1;
    });
    const started = once(child.stdout.setEncoding("utf8"), "data").then(([text]) => String(text).trim());
    const base = await Promise.race([started, ended.then(() => undefined)]);
    hasStarted = base !== undefined;
    if (base !== undefined) {
      const keys = new Set(await this.#ask((client) => findKeys(client, user)));
      const serving = { child, ada: clientOf(base), user, keys };
      this.#running.add(serving);
      void ended.then(() => this.#running.delete(serving));
    }
    void ended
      .then(() => (this.#isClosed ? undefined : this.#startOne()))
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
