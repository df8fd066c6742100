import { type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import { type Served, listenOn } from "../server/ports.ts";

/** The servers behind the proxy: in each process, each of these has its own port. */
export const FACES = ["chat", "auth", "runtime"] as const;
export type Face = (typeof FACES)[number];
export type FacePorts = Readonly<Record<Face, number>>;

export interface Proxy {
  readonly origins: Readonly<Record<Face, string>>;
  close: () => Promise<void>;
}

/**
 * A load balancer without sticky sessions: it sends each request to the next running process. It passes on the `Host`
 * header of the browser, streams replies, and aborts a reply when the process ends.
 */
export async function startProxy({
  ports,
  running,
}: {
  /** The preferred ports. */
  ports: FacePorts;
  /** The processes that can accept a request now. */
  running: () => readonly FacePorts[];
}): Promise<Proxy> {
  let turn = 0;
  /** All running processes, starting with the next one. */
  function inTurn(): readonly FacePorts[] {
    const all = running();
    turn += 1;
    return all.map((_, index) => all[(turn + index) % all.length]!);
  }

  const open = (face: Face, host: "localhost" | "127.0.0.1"): Promise<Served> =>
    listenOn({
      name: face,
      host,
      port: ports[face],
      listener: () => (request, response) =>
        forward(
          request,
          response,
          inTurn().map((one) => one[face]),
        ),
    });
  const chat = await open("chat", "localhost");
  const auth = await open("auth", "127.0.0.1");
  const runtime = await open("runtime", "localhost");
  return {
    origins: { chat: chat.origin, auth: auth.origin, runtime: runtime.origin },
    async close() {
      await Promise.all([chat, auth, runtime].map((served) => served.close()));
    },
  };
}

/** Sends a request to the first of these ports that accepts a connection. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  [port, ...others]: readonly number[],
): void {
  if (port === undefined) {
    response.writeHead(503, { "retry-after": "1", "content-type": "text/plain" });
    response.end("No process of the demo is running. Start one in its terminal.");
    return;
  }
  const { method, url: path, headers } = request;
  let isConnected = false;
  // Opens a connection for each request, so that no request goes to a process that has just ended.
  const forwarded = sendRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
    response.flushHeaders();
    reply.pipe(response);
    reply.on("error", () => response.destroy());
  });
  forwarded.on("socket", (socket) => {
    socket.once("connect", () => {
      isConnected = true;
      request.pipe(forwarded);
    });
  });
  // If the client disconnects, the process sees that too.
  response.on("close", () => forwarded.destroy());
  forwarded.on("error", () => {
    // No part of the request has been sent yet.
    if (!isConnected && !response.destroyed) forward(request, response, others);
    else response.destroy();
  });
}
