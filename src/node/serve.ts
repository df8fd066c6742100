import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { KitError } from "../contract/kit-error.ts";
import { missingPackage, safeLog } from "../base/foreign-error.ts";
import { hostCheck, isLocalName } from "../base/urls.ts";
import { createHandler } from "./node-handler.ts";

/** The options of `serve`. */
export interface ServeOptions {
  /**
   * Called with standard requests. A Hono app finds Node's request and response in `c.env`, as with `@hono/node-server`.
   */
  fetch: (request: Request) => Response | Promise<Response>;
  /** @default "127.0.0.1" */
  hostname?: string | undefined;
  /**
   * The host names that requests may name, such as `["chat.example.com"]`, without a port. Names of this machine
   * (`localhost`, `127.0.0.1`, `[::1]`, `*.localhost`) are always among them. Other HTTP requests get 403, so that a web
   * page cannot reach the server by DNS rebinding. Set it behind a proxy or tunnel that passes its own host name on.
   * @default names of this machine if `hostname` is one, else any name
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * Called with what `fetch` throws, safe to log. The client gets 500 and a problem body without details.
   * @default console.error
   */
  onError?: ((error: unknown) => void) | undefined;
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
  const { hostname = "127.0.0.1", port = 0, requestTimeoutMs: requestTimeout = 60_000 } = options;
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new KitError(`elicit-kit: ${port} is no port. Give serve a whole number from 0 to 65535.`);
  }
  const { getRequestListener } = await loadNodeServer();
  // Node's default is five minutes. A client that sends a byte now and then would hold a connection and its memory that
  // long.
  const serverOptions = {
    requestTimeout,
    headersTimeout: Math.min(20_000, requestTimeout),
    connectionsCheckingInterval: Math.min(5_000, requestTimeout),
  };
  // oxlint-disable-next-line no-console -- the default, as documented
  const onError = safeLog(options.onError ?? console.error);
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  const { allowedHosts } = options;
  const { handle, errorHandler } = createHandler({
    fetch: options.fetch,
    isAllowedHost:
      allowedHosts === undefined && !isLocalName(host) ? () => true : hostCheck(allowedHosts ?? []),
    onError,
  });
  // Do not replace the global Request and Response of the app.
  const listener = getRequestListener(handle, { hostname, errorHandler, overrideGlobalObjects: false });
  const server = createServer(serverOptions, (incoming, outgoing) => {
    listener(incoming, outgoing).catch(onError);
  });
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(cannotListen(error, hostname, port));
    server.once("error", fail);
    server.listen(port, hostname, () => {
      server.off("error", fail);
      resolve({ url: `http://${host}:${portOf(server.address(), port)}`, close });
    });
  });

  function close(): Promise<void> {
    return new Promise((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
      server.closeAllConnections();
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

/** Returns the port that the system chose for port 0. */
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
