import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";

type Fetch = Parameters<typeof getRequestListener>[0];
type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

interface ListenOptions {
  /** The name of the server, for messages. */
  name: string;
  /**
   * A loopback host name. `localhost` has two addresses; the server listens on both, so that no other program answers on
   * one of them.
   */
  host: "localhost" | "127.0.0.1";
  /** The preferred port; if it is in use, the next free one. 0 means any free port. */
  port: number;
  /**
   * Whether a tunnel may pass its own host name on. Otherwise the server refuses the names of other machines, because a
   * web page could use the demo as alice by DNS rebinding.
   */
  behindTunnel?: boolean | undefined;
  /** Creates the request listener when the address is known. */
  listener: (origin: string) => Listener;
  /**
   * Receives a warning when the port is in use.
   * @default console.warn
   */
  warn?: ((line: string) => void) | undefined;
}

export interface ServeOptions extends Omit<ListenOptions, "listener"> {
  /** Creates the request handler when the address is known. */
  handle: (origin: string) => Fetch;
}

export interface Served {
  /** Such as `http://localhost:4100`. */
  origin: string;
  /** Stops listening and closes all connections, including streams. */
  close: () => Promise<void>;
}

/** The number of ports after the preferred one to try. */
const ATTEMPTS = 100;
const LAST_PORT = 65_535;

/** Listens on the preferred port or the next free one. */
export function serve({ handle, ...where }: ServeOptions): Promise<Served> {
  // Several of these servers run in one process, so the global Request and Response stay unchanged.
  const listener = (origin: string) => {
    const fetch = handle(origin);
    return getRequestListener((request, env) => fetch(copyable(request), env), {
      overrideGlobalObjects: false,
    });
  };
  return listenOn({ ...where, listener });
}

/**
 * The adapter's own request only has the same methods. `bodyLimit` copies the request if the length of its body is
 * unknown, which needs a standard one.
 */
function copyable(light: Request): Request {
  if (!light.headers.has("transfer-encoding")) return light;
  const { url, method, headers, signal, body } = light;
  const init: RequestInit & { duplex: "half" } = { method, headers, signal, body, duplex: "half" };
  return new Request(url, init);
}

/** The same for Node.js's own requests and responses. */
export async function listenOn({
  name,
  host,
  port,
  listener,
  behindTunnel = false,
  warn = console.warn,
}: ListenOptions): Promise<Served> {
  let listening: Listener = notYet;
  for (let attempt = 0; attempt < ATTEMPTS && port + attempt <= LAST_PORT; attempt += 1) {
    const candidate = port === 0 ? 0 : port + attempt;
    const servers = await listen(name, host, candidate, (request, response) =>
      behindTunnel || isLocal(request.headers.host)
        ? listening(request, response)
        : void response.writeHead(403).end("Open the demo at the address that it has printed."),
    );
    if (servers === undefined) continue;
    const taken = portOf(servers);
    if (port !== 0 && taken !== port) {
      warn(
        `elicit-kit: port ${port} (${name}) is taken, so ${name} is on ${taken}. PORT=… sets another start.`,
      );
    }
    const origin = `http://${host}:${taken}`;
    listening = listener(origin);
    return { origin, close: () => closeAll(servers) };
  }
  throw new Error(
    `elicit-kit: no free port for ${name} from ${port} on (${ATTEMPTS} tried). Free one, or set PORT to another start.`,
  );
}

function isLocal(host: string | undefined): boolean {
  const address = `http://${host ?? ""}`;
  return (
    URL.canParse(address) &&
    /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
  );
}

const notYet: Listener = (_, response) => void response.writeHead(503).end();

/** The preferred port of each server. `PORT` moves all of them; `PORT=0` takes any free ports. */
export function wishedPorts(env: Readonly<Record<string, string | undefined>>): {
  chat: number;
  runtime: number;
  auth: number;
  oauth: number;
  tracker: number;
  planner: number;
  wiki: number;
  slack: number;
  travel: number;
  host: number;
  mail: number;
  company: number;
  handbook: number;
} {
  const first = Number(env["PORT"] ?? 4100);
  if (!Number.isInteger(first) || first < 0 || first > LAST_PORT - 200) {
    throw new Error(
      `elicit-kit: PORT is "${env["PORT"]}". Set it to a whole number from 0 (any free port) to ${LAST_PORT - 200}.`,
    );
  }
  // The ports differ by ten, so that a server that uses a later port does not block the next one.
  const at = (index: number): number => (first === 0 ? 0 : first + 10 * index);
  return {
    chat: at(0),
    runtime: at(1),
    auth: at(2),
    oauth: at(3),
    tracker: at(4),
    planner: at(5),
    wiki: at(6),
    slack: at(7),
    travel: at(8),
    host: at(9),
    mail: at(10),
    company: at(11),
    handbook: at(12),
  };
}

type Servers = readonly [Server, ...Server[]];

/** `undefined` when the port is in use on one of the host's addresses. */
async function listen(
  name: string,
  host: ServeOptions["host"],
  port: number,
  listener: Listener,
): Promise<Servers | undefined> {
  const first = await bind(name, "127.0.0.1", port, listener);
  if (first === "taken" || first === "absent") return undefined;
  if (host === "127.0.0.1") return [first];
  const second = await bind(name, "::1", portOf([first]), listener);
  if (second === "absent") return [first];
  if (second !== "taken") return [first, second];
  await closeAll([first]);
  return undefined;
}

/** `absent`: this machine does not have the address (no IPv6). */
function bind(
  name: string,
  address: string,
  port: number,
  listener: Listener,
): Promise<Server | "taken" | "absent"> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => void listener(request, response));
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve("taken");
      else if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") resolve("absent");
      else {
        reject(
          new Error(
            `elicit-kit: ${name} cannot listen on port ${port} (${error.code}). Set PORT to another start.`,
          ),
        );
      }
    });
    server.listen({ port, host: address, exclusive: true }, () => resolve(server));
  });
}

function portOf([server]: Servers): number {
  const address = server.address();
  // Node returns a name for pipes and nothing for a server that does not listen: either would be a bug here.
  if (address === null || typeof address === "string") throw new Error("elicit-kit: the server has no port");
  return address.port;
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    ),
  );
}
