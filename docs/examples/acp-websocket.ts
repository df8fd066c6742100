import { type IncomingMessage, createServer } from "node:http";
import type { Duplex } from "node:stream";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createAcpSurface } from "elicit-kit/acp/server";
import type { Runtime, User } from "elicit-kit/runtime";
import { type WebSocket, WebSocketServer } from "ws";

/** Serves an agent over WebSocket, for web pages. `authenticate` reads the user from the upgrade request. */
export function createAcpWebSocketServer(options: {
  runtime: Runtime;
  authenticate: (request: Request) => Promise<User | undefined>;
  allowedOrigins: readonly string[];
}) {
  const { runtime, authenticate, allowedOrigins } = options;
  const acp = createAcpSurface({ runtime, name: "planner", title: "Planner", onError: console.error });
  const acpServer = new AcpServer({ createAgent: () => acp.agentFor(undefined) });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
  const server = createServer((_, response) => response.writeHead(426).end());

  async function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const headers = new Headers(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    // Browsers send cookies with every upgrade request, even from other sites.
    const isAllowed = allowedOrigins.includes(headers.get("origin") ?? "");
    const user = await authenticate(new Request(`http://localhost${incoming.url}`, { headers }));
    if (user === undefined || !isAllowed) {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const accepted = acpServer.prepareWebSocketUpgrade({ agent: acp.agentFor(user) });
    sockets.handleUpgrade(incoming, socket, head, (webSocket: WebSocket) => accepted.accept(webSocket));
  }
  server.on("upgrade", (incoming, socket, head) => {
    upgrade(incoming, socket, head).catch((error: unknown) =>
      socket.destroy(Error("upgrade failed", { cause: error })),
    );
  });
  return { server, close: () => acpServer.close() };
}
