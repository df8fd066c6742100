import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";

/** What is served, and where. */
export interface ServeOptions {
  fetch: (request: Request) => Response | Promise<Response>;
  /** @default "127.0.0.1" */
  hostname?: string | undefined;
  /** 0 takes a free one. @default 0 */
  port?: number | undefined;
  /**
   * How long a whole request may take to arrive. A response may take as long as it likes.
   * @default 60_000
   */
  requestTimeoutMs?: number | undefined;
}

/** A server that listens. */
export interface Served {
  /** Such as `http://127.0.0.1:4100`, without a slash at the end. */
  url: string;
  /** Stops listening and cuts what is still open. Close the runtime first: it ends its streams properly. */
  close(): Promise<void>;
}

/** Serves `fetch` over HTTP/1.1 and resolves once it listens. Rejects when it cannot, such as on a port in use. */
export function serve(options: ServeOptions): Promise<Served> {
  const { fetch, hostname = "127.0.0.1", port = 0, requestTimeoutMs: requestTimeout = 60_000 } = options;
  // Node's own five minutes let whoever sends a byte now and then hold a connection, and what was read, for so long.
  const serverOptions = {
    requestTimeout,
    headersTimeout: Math.min(20_000, requestTimeout),
    connectionsCheckingInterval: Math.min(5_000, requestTimeout),
  };
  // The process belongs to the app: its own Request and Response stay in place.
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
  if (address === null || typeof address === "string") throw new Error("elicit-kit: the server has no port.");
  return address.port;
}
