import { type McpServerFactory, createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Runtime } from "../../src/runtime/index.ts";
import { type LoadMessages, refuseSecrets } from "../../src/runtime/internal.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { callerOf, ensureCaller, limitKeyOf } from "../../src/base/identity.ts";
import { endpointUrl } from "../../src/base/urls.ts";
import { type ProtectedResource, createEndpoint } from "../../src/base/endpoint.ts";
import { safeLog } from "../../src/base/foreign-error.ts";
import { type AgentCalls, type McpCaller, callerKey } from "./agent-calls.ts";
import { type AgentServerOptions, buildAgentServer } from "./agent-server.ts";
import { createCards } from "./app/card-server.ts";
import { MCP_HEADERS } from "./elicitor/options.ts";
import { createLegacyCalls } from "./legacy-calls.ts";
import { createLegacySessions } from "./legacy-sessions.ts";
import { createRequestStates } from "./request-state.ts";
import { createRoundCalls } from "./round-calls.ts";
import { createTaskCalls } from "./task-calls.ts";
import { KitError } from "../../src/contract/kit-error.ts";

/** The options of {@link createMcpSurface}. */
export interface McpSurfaceOptions {
  runtime: Pick<Runtime, "surface" | "elicitations">;
  /**
   * Returns the caller of an HTTP request, from its bearer token or session. With `undefined` the client gets 401. Leave
   * out `user` for a service account that acts for many users.
   */
  authenticate: (request: Request) => McpCaller | undefined | Promise<McpCaller | undefined>;
  /**
   * Public URL of the endpoint, as clients configure it. Its path is where the endpoint is:
   * `https://agent.example.com/run/v1/mcp`.
   */
  url: string;
  /** The name of the server. Clients show it as the requester. */
  name: string;
  /** The name of the server for users. @default name */
  title?: string | undefined;
  /** @default "1.0.0" */
  version?: string | undefined;
  /** Instructions for a model that uses the server. */
  instructions?: string | undefined;
  /** The server's only tool. The description tells a model when to call it. */
  tool?:
    | { name?: string | undefined; title?: string | undefined; description?: string | undefined }
    | undefined;
  /** Tells clients without a token where to get one. If set, the endpoint also serves this metadata. */
  resource?: ProtectedResource | undefined;
  /**
   * Origins of web pages that may call the endpoint, or a function that says whether one may. Pages of the endpoint's own
   * origin always may. HTTP requests of other pages get 403.
   * @default []
   */
  allowedOrigins?: readonly string[] | ((origin: string) => boolean) | undefined;
  /**
   * Additional host names that HTTP requests may have, for example if a proxy changes the `Host` header. HTTP requests
   * for another host get 403, which prevents DNS rebinding.
   * @default the host of `url`, and those of this machine
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * Encrypts the state that 2026 clients carry between rounds: 32 bytes, raw or as base64 (`openssl rand -base64 32`).
   * Processes that share the runtime's ports must share it. Otherwise a round that reaches another process fails, and
   * `onError` gets the reason.
   * @default random at each start
   */
  stateKey?: Uint8Array | string | undefined;
  /**
   * Loads the earlier messages of a conversation. The function is the same for A2A.
   * @default only the new message
   */
  messagesFor?: LoadMessages | undefined;
  /**
   * Sends pages to 2025-11-25 clients with error -32042 instead of a request, for clients that support only the error.
   * The client then repeats the call.
   * @default false
   */
  pagesByError?: boolean | undefined;
  /**
   * Shows questions as cards in hosts that support MCP Apps but not elicitation, such as claude.ai, or not the mode of
   * the question. The same call continues with the answer. `pagesOnly`: forms become links to the answer page, for an
   * agent whose questions approve something irreversible.
   * @default false: such hosts get the link
   */
  app?: boolean | { pagesOnly: boolean } | undefined;
  /** Sessions of clients before 2026 in this process. One user may have a tenth of them. @default 1000 */
  maxSessions?: number | undefined;
  /**
   * The kind of the surface, which `runTurn` gets as `turn.surface`. Use a different kind for each MCP endpoint of a
   * runtime. @default "mcp"
   */
  kind?: string | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /** Called with internal errors, for the log. The errors contain no token and no answer. */
  onError: (error: unknown) => void;
}

/** The agent as an MCP server. Created by {@link createMcpSurface}. */
export interface McpSurface {
  /** Serves the endpoint for all revisions, and its metadata. All other paths get 404. */
  fetch: (request: Request) => Promise<Response>;
  /**
   * Builds the server for a connection without HTTP: `serveStdio(surface.serverFor({ user }))` of
   * `@modelcontextprotocol/server/stdio`.
   */
  serverFor(caller: McpCaller): McpServerFactory;
  /** Closes all connections. `close` of the runtime ends turns. */
  close(): Promise<void>;
}

const DESCRIPTION =
  "Gives the agent a task or a question, and returns its answer. The agent may ask the user while it works.";

/**
 * Serves the agent of a runtime over MCP: clients call one tool, and show the agent's questions to their users.
 *
 * @example
 * const mcp = createMcpSurface({
 *   runtime,
 *   url: "https://agent.example.com/run/v1/mcp",
 *   name: "travel",
 *   tool: { description: "Plans and books business trips. Asks the user what it needs to know." },
 *   authenticate: async (request) => ({ user: await users.ofToken(request), clientId: "my-client" }),
 *   onError: console.error,
 * });
 * app.all("/run/v1/mcp", (c) => mcp.fetch(c.req.raw));
 */
export function createMcpSurface(options: McpSurfaceOptions): McpSurface {
  const { runtime, resource, clock = systemClock, allowedOrigins = [] } = options;
  const url = endpointUrl(options.url);
  const { name, title, version = "1.0.0", instructions, tool = {} } = options;
  const onError = safeLog(options.onError);
  const calls: AgentCalls = {
    surface: runtime.surface(options.kind ?? "mcp", { refuseForm: refuseSecrets, url: options.url }),
    elicitations: runtime.elicitations,
    toolName: tool.name ?? "ask_agent",
    messagesFor: options.messagesFor ?? (({ message }) => [message]),
    clock,
    onError,
  };
  const { app = false } = options;
  const cardOptions = {
    clock,
    asks: (called: string) => called === calls.toolName,
    pagesOnly: typeof app === "object" && app.pagesOnly ? [calls.toolName] : [],
    isParked: true,
  };
  const serving: AgentServerOptions = {
    cards: app === false ? undefined : createCards(cardOptions),
    info: { name, version, ...(title !== undefined && { title }) },
    instructions,
    tool: {
      name: calls.toolName,
      title: tool.title ?? `Ask ${title ?? name}`,
      description: tool.description ?? DESCRIPTION,
    },
    tasks: createTaskCalls(calls),
    callInRounds: createRoundCalls({ ...calls, states: createRequestStates(options.stateKey, clock) }),
    callOnConnection: createLegacyCalls({ ...calls, pagesByError: options.pagesByError ?? false }),
    onError,
  };
  const callers = new WeakMap<Request, McpCaller>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (caller === undefined)
        throw new KitError("elicit-kit: a request reached the MCP server without its caller.");
      return buildAgentServer(serving, { caller, era: "modern" });
    },
    // The stream stays open while the agent works: when the client closes it, the turn stops.
    { legacy: "reject", responseMode: "sse", onerror: onError },
  );
  const sessions = createLegacySessions({
    clock,
    maxSessions: options.maxSessions ?? 1000,
    onError,
  });

  const fetch = createEndpoint(
    {
      authenticate: callerOf(options.authenticate),
      open: (request) =>
        new URL(request.url).pathname === url.pathname ? undefined : new Response(null, { status: 404 }),
      resource: resource && { ...resource, url: options.url },
      allowedOrigins,
      hosts: [url.hostname, ...(options.allowedHosts ?? [])],
      ...MCP_HEADERS,
      onError,
    },
    // The SDK reads the body and applies its own limit, because its errors have the format of JSON-RPC.
    serve,
  );

  async function serve(request: Request, caller: McpCaller): Promise<Response> {
    if (await isLegacyRequest(request)) {
      const build = () => buildAgentServer(serving, { caller, era: "legacy" });
      const limitKey = caller.user === undefined ? limitKeyOf(caller) : `user ${caller.user.id}`;
      return sessions.handle(request, { key: callerKey(caller), limitKey, build });
    }
    callers.set(request, caller);
    return modern.fetch(request);
  }

  return {
    fetch,
    serverFor(caller) {
      ensureCaller(caller);
      return ({ era }) => buildAgentServer(serving, { caller, era });
    },
    async close() {
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}
