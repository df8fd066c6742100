import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport as TransportV1 } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
} from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import type { McpRevision } from "../../../src/mcp/wire/translate.ts";
import { serve } from "../../../src/node/index.ts";

/** A listening server, and the JSON-RPC requests and notifications that it got. */
export interface ServedMcp {
  url: string;
  readonly received: readonly Received[];
  /** Ends all connections, as a crash does. */
  crash(): Promise<void>;
}

export interface Received {
  method?: string;
  params?: Readonly<Record<string, unknown>>;
  result?: unknown;
  error?: { code: number; message: string };
  id?: number | string;
}

type Handle = (request: Request) => Promise<Response>;

/** Serves on a real socket until the test ends. */
async function listen(handle: Handle): Promise<ServedMcp> {
  const received: Received[] = [];
  const { url, close } = await serve({
    fetch: async (request) => {
      if (request.method === "POST") received.push(...[await request.clone().json()].flat());
      return handle(request);
    },
  });
  let isClosed = false;
  const crash = async () => {
    if (isClosed) return;
    isClosed = true;
    await close();
  };
  onTestFinished(crash);
  return { url: `${url}/mcp`, received, crash };
}

interface SessionTransport {
  sessionId?: string | undefined;
  handleRequest(request: Request): Promise<Response>;
}

/** A server with sessions, which MCP before 2026 needs to ask. */
function withSessions(open: (options: Sessions) => Promise<SessionTransport>): Handle {
  const sessions = new Map<string, SessionTransport>();
  return async (request) => {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    if (known !== undefined) return known.handleRequest(request);
    const transport: SessionTransport = await open({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    return transport.handleRequest(request);
  };
}

interface Sessions {
  sessionIdGenerator: () => string;
  onsessioninitialized: (id: string) => void;
}

/** The official SDK, version 1. */
export function serveV1(register: (server: McpServerV1) => void): Promise<ServedMcp> {
  return listen(handleV1(register));
}

/** The same without a socket. */
export function handleV1(register: (server: McpServerV1) => void): Handle {
  return withSessions(async (options) => {
    const server = new McpServerV1(
      { name: "v1-server", version: "1" },
      { capabilities: { tools: { listChanged: true } } },
    );
    register(server);
    const transport = new TransportV1(options);
    await server.connect(transport);
    return transport;
  });
}

/** The official SDK, version 2, in one revision. */
export function serveV2(
  register: (server: McpServer) => void,
  revision: McpRevision,
  options: ConstructorParameters<typeof McpServer>[1] = {},
): Promise<ServedMcp> {
  return listen(handleV2(register, revision, options));
}

/** The same without a socket. */
export function handleV2(
  register: (server: McpServer) => void,
  revision: McpRevision,
  options: ConstructorParameters<typeof McpServer>[1] = {},
): Handle {
  function build(): McpServer {
    const versions = revision === "2026-07-28" ? {} : { supportedProtocolVersions: [revision] };
    const server = new McpServer(
      { name: "v2-server", title: "Version two", version: "2" },
      { ...options, ...versions },
    );
    register(server);
    return server;
  }
  if (revision === "2026-07-28") {
    const handler = createMcpHandler(build, { responseMode: "sse" });
    return (request) => handler.fetch(request);
  }
  return withSessions(async (sessions) => {
    const transport = new WebStandardStreamableHTTPServerTransport(sessions);
    await build().connect(transport);
    return transport;
  });
}

/**
 * A server that serves both eras, as current Python servers do: one handler for 2026-07-28, and sessions for clients that
 * begin with `initialize`. `withoutSessions`: it answers the older clients too, but without a session it cannot ask them.
 */
export function serveBothEras(
  register: (server: McpServer) => void,
  { withoutSessions = false }: { withoutSessions?: boolean } = {},
): Promise<ServedMcp> {
  const newest = handleV2(register, "2026-07-28");
  const older = handleV2(register, "2025-11-25", { inputRequired: { legacyShim: false } });
  const stateless: Handle = (request) =>
    createMcpHandler(() => {
      const server = new McpServer({ name: "v2-server", version: "2" });
      register(server);
      return server;
    }).fetch(request);
  return listen((request) => {
    if (request.headers.get("mcp-protocol-version") === "2026-07-28") return newest(request);
    return withoutSessions ? stateless(request) : older(request);
  });
}

type Answer = (params: Readonly<Record<string, unknown>>, id: unknown) => unknown;

/**
 * A 2026 server in plain JSON with one tool `ask`, for messages that the SDK's server would not send. A `Response` is
 * sent unchanged.
 */
export function answering(answer: Answer, more: Readonly<Record<string, Answer>> = {}): Promise<ServedMcp> {
  const results: Readonly<Record<string, Answer>> = {
    "server/discover": () => ({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: "private",
    }),
    "tools/list": () => ({
      resultType: "complete",
      tools: [{ name: "ask", inputSchema: { type: "object" } }],
      ttlMs: 0,
      cacheScope: "private",
    }),
    "tools/call": answer,
    ...more,
  };
  return listen(async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params } = await request.json();
    const result = await results[method]?.(params, id);
    if (result instanceof Response) return result;
    const error = { code: -32601, message: "Method not found" };
    return Response.json({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) });
  });
}

/** The actions of a test on the stream of a call. */
export interface LegacyCall {
  /** Sends a message on the stream of the call. */
  send(message: Readonly<Record<string, unknown>>): void;
  /** Asks, and resolves with the client's answer. */
  ask(params: unknown, method?: string): Promise<Received>;
  /** The JSON-RPC id of the call. */
  callId: unknown;
  /** Ends the call. */
  result(text: string): void;
}

/** A server of 2025-11-25 in plain JSON with one tool `ask`, for messages that no SDK would send. */
export async function legacy(run: (call: LegacyCall) => void | Promise<void>): Promise<ServedMcp> {
  let count = 0;
  const { received, ...served } = await listen(async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method } = await request.json();
    if (id === undefined || method === undefined) return new Response(null, { status: 202 });
    const results: Readonly<Record<string, unknown>> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "hostile", version: "1" },
      },
      "tools/list": { tools: [{ name: "ask", inputSchema: { type: "object" } }] },
    };
    if (method !== "tools/call") {
      const error = { code: -32601, message: "Method not found" };
      const result = results[method];
      return Response.json({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) });
    }
    const encoder = new TextEncoder();
    let isOpen = true;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const send: LegacyCall["send"] = (message) => {
          if (!isOpen) return;
          const json = JSON.stringify({ jsonrpc: "2.0", ...message });
          controller.enqueue(encoder.encode(`event: message\ndata: ${json}\n\n`));
        };
        void run({
          callId: id,
          send,
          async ask(params, asked = "elicitation/create") {
            count += 1;
            const askId = `ask-${count}`;
            send({ id: askId, method: asked, params });
            for (;;) {
              const answer = received.find((message) => message.id === askId);
              if (answer !== undefined) return answer;
              await new Promise((resolve) => setTimeout(resolve, 5));
            }
          },
          result: (text) => send({ id, result: { content: [{ type: "text", text }] } }),
        });
      },
      cancel() {
        isOpen = false;
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  return { received, ...served };
}
