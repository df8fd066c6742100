import type { AddressInfo } from "node:net";
import { KitError, missingPackage } from "../core/internal.ts";

/** The options of `serve`. */
export interface ServeOptions {
  fetch: (request: Request) => Response | Promise<Response>;
  /** @default "127.0.0.1" */
  hostname?: string | undefined;
  /** 0 takes a free port. @default 0 */
  port?: number | undefined;
  /**
   * How long a request may take to arrive, in milliseconds. Responses have no limit.
   * @default 60_000
   */
  requestTimeoutMs?: number | undefined;
}

/** A server that listens. */
export interface Served {
  /** Such as `http://127.0.0.1:4100`, without a slash at the end. */
  url: string;
  /** Stops listening and closes all connections. Close the runtime first: it ends its streams properly. */
  close(): Promise<void>;
}

/**
 * Serves `fetch` over HTTP/1.1 and resolves once it listens. Needs the package `@hono/node-server`. Rejects if it cannot
 * listen, for example because the port is in use.
 *
 * @example
 * const { url, close } = await serve({ fetch: runtime.fetch, hostname: "0.0.0.0", port: 3000 });
 * process.once("SIGTERM", async () => {
 *   await runtime.close();
 *   await close();
 * });
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const { fetch, hostname = "127.0.0.1", port = 0, requestTimeoutMs: requestTimeout = 60_000 } = options;
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new KitError(`elicit-kit: ${port} is no port. Give serve a whole number from 0 to 65535.`);
  }
  const { createAdaptorServer } = await loadNodeServer();
  // With Node's default of five minutes, a client that sends a byte now and then holds a connection and its memory that long.
  const serverOptions = {
    requestTimeout,
    headersTimeout: Math.min(20_000, requestTimeout),
    connectionsCheckingInterval: Math.min(5_000, requestTimeout),
  };
  // Do not replace the global Request and Response of the app.
  const server = createAdaptorServer({ fetch, hostname, serverOptions, overrideGlobalObjects: false });
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(cannotListen(error, hostname, port));
    server.once("error", fail);
    server.listen(port, hostname, () => {
      server.off("error", fail);
      const host = hostname.includes(":") ? `[${hostname}]` : hostname;
      resolve({ url: `http://${host}:${portOf(server.address(), port)}`, close });
    });
  });

  function close(): Promise<void> {
    return new Promise((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
  }
}

function cannotListen(cause: NodeJS.ErrnoException, hostname: string, port: number): KitError {
  const code = cause.code ?? cause.name;
  return new KitError(`elicit-kit: ${reasonOf(code, hostname, port)}`, { cause });
}

function reasonOf(code: string, hostname: string, port: number): string {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${hostname} is in use (${code}). Stop the program that listens there, or give serve another port; 0 takes a free one.`;
    case "EACCES":
      return `this process may not listen on port ${port} (${code}). Give serve a port from 1024 upwards.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `serve cannot listen on ${hostname}, which is no address of this machine (${code}). Give it another hostname; "0.0.0.0" takes all addresses.`;
    default:
      return `serve cannot listen on port ${port} of ${hostname} (${code}). Give it another port or hostname.`;
  }
}

/** The port that was taken, where any was asked for. */
function portOf(address: AddressInfo | string | null, port: number): number {
  return address === null || typeof address === "string" ? port : address.port;
}

/** Loads the package on first use, because the other functions of this entry work without it. */
async function loadNodeServer() {
  try {
    return await import("@hono/node-server");
  } catch (error) {
    throw missingPackage("@hono/node-server", "serve", error);
  }
}
