import {
  type HandleRequestOptions,
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Clock } from "../../../base/clock.ts";
import { newSecret } from "../../../base/ids.ts";
import { watchCalls } from "./running-calls.ts";
import { createSessionEvents } from "./session-events.ts";

/** The sessions of clients before 2026, which need a connection to be asked. */
export interface LegacySessions {
  handle(request: Request, owner: SessionOwner, options?: HandleRequestOptions): Promise<Response>;
  close(): Promise<void>;
}

/** Whose session it is. */
export interface SessionOwner {
  /** Compared at every request of a session. */
  readonly key: string;
  /** Who has a share of the sessions. `undefined`: callers that cannot be told apart. */
  readonly limitKey: string | undefined;
  /** Builds the server that a new session talks to. */
  build(): Server | McpServer | Promise<Server | McpServer>;
}

interface Session extends Pick<SessionOwner, "key" | "limitKey"> {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsed: number;
  /** Requests that are being served, and streams that are read. */
  busy: number;
  /** Its calls continue when their streams break. */
  readonly calls: { areRunning(): boolean };
}

const IDLE_MS = 30 * 60_000;
/** The part of all sessions that one owner can have. */
const SHARE = 0.1;

/** Keeps sessions in this process. A session belongs to its owner; for others it does not exist. */
export function createLegacySessions({
  clock,
  maxSessions,
  onError,
}: {
  clock: Clock;
  maxSessions: number;
  onError: (error: unknown) => void;
}): LegacySessions {
  const sessions = new Map<string, Session>();
  /** Owners whose session is being built. Each counts as a session. */
  const opening = new Set<SessionOwner>();

  async function open({
    key,
    limitKey,
    build,
  }: SessionOwner): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newSecret,
      eventStore: createSessionEvents(),
      onsessioninitialized(id) {
        sessions.set(id, { key, limitKey, transport, lastUsed: clock.now(), busy: 0, calls });
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const server = await build();
    await server.connect(transport);
    const calls = watchCalls(transport);
    return transport;
  }

  const isUnused = ({ busy, calls }: Session) => busy === 0 && !calls.areRunning();

  function drop(id: string, { transport }: Session): void {
    sessions.delete(id);
    transport.close().catch(onError);
  }

  /** Frees the oldest unused session of these. */
  function dropOldest(of: (session: Session) => boolean): boolean {
    const unused = [...sessions].filter(([, session]) => isUnused(session) && of(session));
    const [oldest] = unused.toSorted(([, a], [, b]) => a.lastUsed - b.lastUsed);
    if (oldest !== undefined) drop(...oldest);
    return oldest !== undefined;
  }

  /** Frees what nobody has used for half an hour, and then what is needed: of the owner first. */
  function makeRoom({ limitKey }: SessionOwner): "free" | "ownerIsFull" | "full" {
    for (const [id, session] of sessions) {
      if (isUnused(session) && clock.now() - session.lastUsed >= IDLE_MS) drop(id, session);
    }
    const isOwn = (session: Pick<Session, "limitKey">) =>
      limitKey !== undefined && session.limitKey === limitKey;
    const count = [...sessions.values(), ...opening].filter(isOwn).length;
    if (count >= Math.max(1, maxSessions * SHARE)) return dropOldest(isOwn) ? "free" : "ownerIsFull";
    if (sessions.size + opening.size < maxSessions) return "free";
    return dropOldest(isOwn) || dropOldest(() => true) ? "free" : "full";
  }

  async function serve(
    session: Session,
    request: Request,
    options?: HandleRequestOptions,
  ): Promise<Response> {
    session.busy += 1;
    session.lastUsed = clock.now();
    try {
      const response = await session.transport.handleRequest(request, options);
      const { body } = response;
      if (body === null) return response;
      // A session is in use for as long as one of its streams is read.
      session.busy += 1;
      const watched = watchEnd(body, () => {
        session.busy -= 1;
        session.lastUsed = clock.now();
      });
      return new Response(watched, response);
    } finally {
      session.busy -= 1;
    }
  }

  return {
    async handle(request, owner, options) {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) {
        const session = sessions.get(id);
        if (session?.key === owner.key) return serve(session, request, options);
        return refuse(404, -32_001, "Session not found");
      }
      if (request.method !== "POST")
        return refuse(400, -32_000, "Bad Request: Mcp-Session-Id header is required");
      const room = makeRoom(owner);
      if (room === "full") return refuse(503, -32_000, "Too many sessions. Try again later.");
      if (room === "ownerIsFull")
        return refuse(429, -32_000, "Too many sessions of this user. End one of them first.");
      // In an object of its own, because one caller may open several at once.
      const place = { ...owner };
      opening.add(place);
      let transport: WebStandardStreamableHTTPServerTransport;
      let response: Response;
      try {
        transport = await open(owner);
        response = await transport.handleRequest(request, options);
      } finally {
        opening.delete(place);
      }
      // Anything but an `initialize` gets an error, and the server is not needed again.
      if (transport.sessionId === undefined || !sessions.has(transport.sessionId))
        void transport.close().catch(onError);
      return response;
    },
    async close() {
      const all = [...sessions.values()];
      sessions.clear();
      await Promise.all(all.map(({ transport }) => transport.close()));
    },
  };
}

function watchEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let hasEnded = false;
  const end = () => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
