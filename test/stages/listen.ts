import { type Server, createServer } from "node:net";

export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Also ends the HTTP connections that are open. */
  close(): Promise<void>;
}

/** Has a server listen on this machine, on a free port or on `port`. */
export async function listen(
  server: Server & { closeAllConnections?: () => void },
  port = 0,
): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("elicit-kit: the server has no port.");
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections?.();
      }),
  };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}
