import { onTestFinished } from "vitest";
import {
  type RunTurn,
  type Runtime,
  type RuntimeOptions,
  createMemoryRecords,
  createMemoryTurnStream,
  createMemoryWaiter,
  createRuntime,
} from "../../../src/runtime/index.ts";
import { type McpSurface, createMcpSurface } from "../../../extras/mcp-server/index.ts";
import type { McpSurfaceOptions } from "../../../extras/mcp-server/mcp-surface.ts";
import { serve } from "../../../src/node/index.ts";

/** Behind a proxy, as in production: the server sees another host. */
const MCP_URL = "https://agent.example.com/run/v1/mcp";

/** A message to the endpoint. */
export interface Received {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface ServedAgent {
  readonly url: string;
  readonly runtime: Runtime;
  readonly surface: McpSurface;
  /** JSON-RPC messages of the clients, in order. */
  readonly received: Received[];
  readonly errors: unknown[];
}

export interface AgentOptions {
  runtime?: Partial<RuntimeOptions>;
  surface?: Partial<McpSurfaceOptions>;
}

/** An agent behind MCP on a real socket. A bearer token such as `ada@vscode` names the user and the client. */
export async function serveAgent(runTurn: RunTurn, options: AgentOptions = {}): Promise<ServedAgent> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const runtime = createRuntime({
    runTurn,
    authenticate: () => undefined,
    allowedOrigins: [],
    onError,
    ...options.runtime,
  });
  const surface = createMcpSurface({
    runtime,
    authenticate(request) {
      const [, id, clientId] =
        /^Bearer (\w+)(?:@(\w+))?$/.exec(request.headers.get("authorization") ?? "") ?? [];
      if (id === undefined) return undefined;
      return id === "service" ? { clientId } : { user: { id }, clientId };
    },
    url: MCP_URL,
    name: "test-agent",
    version: "1",
    onError,
    ...options.surface,
  });
  const received: Received[] = [];
  const server = await serve({
    async fetch(request) {
      if (request.method === "POST") received.push(...[await request.clone().json()].flat());
      return surface.fetch(request);
    },
  });
  onTestFinished(async () => {
    await runtime.close();
    await surface.close();
    await server.close();
  });
  return { url: `${server.url}/run/v1/mcp`, runtime, surface, received, errors };
}

/** The ports of processes that run turns for each other. */
export function sharedPorts(): Partial<RuntimeOptions> {
  return {
    ports: { records: createMemoryRecords(), waiter: createMemoryWaiter(), stream: createMemoryTurnStream() },
  };
}
