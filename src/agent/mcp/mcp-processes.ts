import type { Client } from "@modelcontextprotocol/client";
import { createDeferred } from "../../base/deadlines.ts";
import type { Clock } from "../../base/clock.ts";
import { type McpCaller, newClient } from "./mcp-sdk.ts";
import type { McpStdioServer } from "./mcp-server.ts";
import { mendMessages } from "./mend-messages.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The processes of the MCP servers that an agent has started. */
export interface McpProcesses {
  /**
   * Runs `use` with a client of the user's process, which is started if there is none. `alone`: the server may ask during
   * this call. A server before MCP 2026 does not say which call a question belongs to, so it gets one such call at a
   * time.
   */
  use<T>(
    server: McpStdioServer,
    call: Starting & { signal: AbortSignal; alone: boolean },
    use: (client: Client) => Promise<T>,
  ): Promise<T>;
  /** Ends all processes. After that, none is started. */
  close(): Promise<void>;
}

/** The user and the environment of a new process. */
interface Starting extends Pick<McpCaller, "user" | "capabilities" | "revision"> {
  env: Readonly<Record<string, string>>;
}

interface Running {
  readonly client: Client;
  end(): Promise<void>;
  /** Resolves when all calls so far that had to be alone have ended. */
  free: Promise<unknown>;
  users: number;
  keep: () => void;
}

const IDLE_MS = 300_000;
/** The time limit of a start. `npx` may have to download the server first. */
const START_MS = 60_000;
/** The longest message. A server that sends a longer one is stopped. */
const MAX_MESSAGE_BYTES = 8 * 2 ** 20;

export function createMcpProcesses(clock: Clock): McpProcesses {
  const started = new Map<string, Promise<Running>>();
  let isClosed = false;

  /**
   * Returns the user's process. Without a signed-in user the process is not kept, because the next caller may be another
   * user.
   */
  function get(server: McpStdioServer, starting: Starting): Promise<Running> {
    const { user, capabilities, revision, env } = starting;
    if (isClosed) throw new KitError("elicit-kit: the runtime is closed, so no MCP server is started.");
    if (user === undefined) return start(server, starting, () => {});
    // A client declares its capabilities and its revision once in the life of its process. The environment is also set
    // only once.
    const { name, command, args } = server;
    const key = JSON.stringify([name, command, args, user.id, capabilities, revision, env]);
    const found = started.get(key);
    if (found !== undefined) return found;
    const forget = () => void (started.get(key) === process && started.delete(key));
    const process = start(server, starting, forget);
    process.catch(forget);
    started.set(key, process);
    return process;
  }

  /** Ends an unused process: after a while if it belongs to a user, otherwise immediately. */
  async function release(process: Running, { idleMs = IDLE_MS }: McpStdioServer, { user }: Starting) {
    if (process.users > 0) return;
    if (user === undefined) await process.end();
    else process.keep = clock.after(idleMs, () => void process.end());
  }

  return {
    async use(server, { signal, alone, ...starting }, use) {
      const found = get(server, starting);
      const process = await orAborted(found, signal).catch((error: unknown) => {
        void found.then((unused) => release(unused, server, starting)).catch(() => {});
        throw error;
      });
      process.keep();
      process.users += 1;
      const ended = createDeferred<void>();
      try {
        if (alone && process.client.getProtocolEra() !== "modern") {
          const before = process.free;
          process.free = Promise.all([before, ended.promise]);
          await orAborted(before, signal);
        }
        return await use(process.client);
      } finally {
        ended.resolve();
        process.users -= 1;
        await release(process, server, starting);
      }
    },
    async close() {
      isClosed = true;
      const all = await Promise.allSettled(started.values());
      await Promise.all(all.map(async (one) => one.status === "fulfilled" && one.value.end()));
    },
  };
}

async function start(
  { name, command, args = [], cwd, stderr = "ignore" }: McpStdioServer,
  { capabilities, revision, env }: Starting,
  onEnd: () => void,
): Promise<Running> {
  const { StdioClientTransport } = await loadStdio();
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    ...(cwd !== undefined && { cwd }),
    stderr,
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  mendMessages(transport);
  const client = await newClient(capabilities, revision);
  // The SDK's client is no event target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onclose = onEnd;
  try {
    await client.connect(transport, { timeout: START_MS });
  } catch (error) {
    throw new KitError(
      `elicit-kit: the MCP server ${name} could not be started as a process, or does not speak MCP. Run its command by hand to see why; \`stderr: "inherit"\` shows what it writes.`,
      { cause: error },
    );
  }
  const end = () => {
    onEnd();
    return client.close();
  };
  return { client, end, free: Promise.resolve(), users: 0, keep() {} };
}

/** Rejects when the signal aborts. The promise itself continues for other callers. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

type Stdio = typeof import("@modelcontextprotocol/client/stdio");

/** Hides the name from bundlers, because builds for browsers and edge runtimes must not resolve Node's modules. */
const STDIO: string = "@modelcontextprotocol/client/stdio";

async function loadStdio(): Promise<Stdio> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ STDIO);
  } catch (error) {
    throw new KitError(
      "elicit-kit: an MCP server with `command` runs as a process, which needs Node.js and the package @modelcontextprotocol/client beside the code (not inside a bundle). Install it, or reach the server by its `url`.",
      { cause: error },
    );
  }
}
