import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { KitError } from "../core/internal.ts";

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

/** Serves `fetch` over HTTP/1.1 and resolves once it listens. Rejects if it cannot, for example because the port is in use. */
export function serve(options: ServeOptions): Promise<Served> {
  const { fetch, hostname = "127.0.0.1", port = 0, requestTimeoutMs: requestTimeout = 60_000 } = options;
  // With Node's default of five minutes, a client that sends a byte now and then holds a connection and its memory that long.
  const serverOptions = {
    requestTimeout,
    headersTimeout: Math.min(20_000, requestTimeout),
    connectionsCheckingInterval: Math.min(5_000, requestTimeout),
  };
  // Do not replace the global Request and Response of the app.
  const server = createAdaptorServer({ fetch, hostname, serverOptions, overrideGlobalObjects: false });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => {
      server.off("error", reject);
      const host = hostname.includes(":") ? `[${hostname}]` : hostname;
      resolve({ url: `http://${host}:${portOf(server.address())}`, close });
    });
  });

  function close(): Promise<void> {
    return new Promise((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string")
    throw new KitError("elicit-kit: the server has no port.");
  return address.port;
}
