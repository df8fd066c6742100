import {
  type HandleRequestOptions,
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { Clock } from "../../src/base/clock.ts";
import { newSecret } from "../../src/base/ids.ts";
import { onceRead } from "../../src/base/once-read.ts";
import { createSessionEvents } from "./session-events.ts";

/** The sessions of clients before 2026, which can only be asked over a connection. */
export interface LegacySessions {
  handle(request: Request, owner: SessionOwner, options?: HandleRequestOptions): Promise<Response>;
  close(): Promise<void>;
}

/** The owner of a session. */
export interface SessionOwner {
  /** Compared at every HTTP request of a session. */
  readonly key: string;
  /** The key by which a share of the sessions is counted. `undefined`: the caller cannot be identified. */
  readonly limitKey: string | undefined;
  /** Builds the server for a new session. */
  build(): Server | McpServer | Promise<Server | McpServer>;
}

interface Session extends Pick<SessionOwner, "key" | "limitKey"> {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsed: number;
  /** The number of HTTP requests being served and streams being read. */
  busy: number;
  /** The running calls, which continue when their streams break. */
  readonly calls: { areRunning(): boolean };
}

const IDLE_MS = 30 * 60_000;
/** The part of all sessions that one owner can have. */
const SHARE = 0.1;

/** Keeps sessions in this process. Only its owner can use a session. */
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
  /** The owners of sessions that are being built. Each of these counts as a session. */
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

  /** Removes the oldest unused one of these sessions. */
  function dropOldest(of: (session: Session) => boolean): boolean {
    const unused = [...sessions].filter(([, session]) => isUnused(session) && of(session));
    const [oldest] = unused.toSorted(([, a], [, b]) => a.lastUsed - b.lastUsed);
    if (oldest !== undefined) drop(...oldest);
    return oldest !== undefined;
  }

  /**
   * Removes sessions that were unused for half an hour, and then as many as needed, beginning with those of the owner.
   */
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
      // A session is in use while one of its streams is being read.
      session.busy += 1;
      return onceRead(response, () => {
        session.busy -= 1;
        session.lastUsed = clock.now();
      });
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
      // Kept in an object, because one caller may open several sessions at once.
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
      // Any other message than `initialize` gets an error, and the server is no longer needed.
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

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}

/**
 * Tracks the requests that a session has not answered. Call it after the server has connected. If a stream breaks during
 * a call, the client can return for the rest.
 */
function watchCalls(transport: WebStandardStreamableHTTPServerTransport): { areRunning(): boolean } {
  const running = new Set<string | number>();
  const receive = transport.onmessage;
  const send = transport.send.bind(transport);

  // The transport is no event target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if ("method" in message) {
      if ("id" in message) running.add(message.id);
      // A cancelled call gets no reply.
      else if (message.method === "notifications/cancelled") {
        const id = message.params?.["requestId"];
        if (typeof id === "string" || typeof id === "number") running.delete(id);
      }
    }
    receive?.(message, extra);
  };
  transport.send = (message, options) => {
    if (!("method" in message) && message.id !== undefined) running.delete(message.id);
    return send(message, options);
  };
  return { areRunning: () => running.size > 0 };
}
