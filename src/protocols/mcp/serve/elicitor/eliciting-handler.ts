import {
  type AuthInfo,
  type McpHttpHandler,
  type McpServerFactory,
  createMcpHandler,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import { type Clock, systemClock } from "../../../../base/clock.ts";
import { crossOrigin } from "../../../../base/endpoint.ts";
import { isLoopbackHttp } from "../../../../base/urls.ts";
import { safeLog } from "../../../../base/foreign-error.ts";
import { MCP_HEADERS } from "../http-gate.ts";
import { createLegacySessions } from "../legacy-sessions.ts";
import { subjectOfAuth } from "./subject.ts";

/** The options of {@link createElicitingHandler}. */
export interface ElicitingHandlerOptions {
  /**
   * Host names that clients reach the server by, such as `mcp.example.com`. Requests for another host get 403, which stops
   * pages that have made their name point here (DNS rebinding).
   * @default those of this machine, such as localhost
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * Origins of web pages that may call the server, or a function that says whether one may. Pages of its own origin always
   * may. Requests of other pages get 403.
   * @default pages of this machine, such as `http://localhost:6274`
   */
  allowedOrigins?: readonly string[] | ((origin: string) => boolean) | undefined;
  /** Sessions of clients before 2026 in this process. A user may have a tenth of them. @default 1000 */
  maxSessions?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /** Called with internal errors, for the log. Never gets a token or an answer. */
  onError: (error: unknown) => void;
}

/**
 * Serves an MCP server over HTTP, in every revision on one URL, so that its tools can ask the clients of each.
 * `createMcpHandler` of the SDK alone keeps no sessions, and without one a client of 2025 cannot be asked.
 *
 * @param build Builds a server: for each request in 2026-07-28, for each session before.
 * @example
 * const handler = createElicitingHandler(() => buildServer(), {
 *   allowedHosts: ["mcp.example.com"],
 *   onError: console.error,
 * });
 * app.all("/mcp", (c) => handler.fetch(c.req.raw, { authInfo }));
 */
export function createElicitingHandler(
  build: McpServerFactory,
  options: ElicitingHandlerOptions,
): McpHttpHandler {
  const onError = safeLog(options.onError);
  const modern = createMcpHandler(build, { legacy: "reject", onerror: onError });
  const { clock = systemClock, maxSessions = 1000 } = options;
  const sessions = createLegacySessions({ clock, maxSessions, onError });

  const endpoint = crossOrigin(
    {
      allowedOrigins: options.allowedOrigins ?? isOfThisMachine,
      hosts: options.allowedHosts ?? [],
      ...MCP_HEADERS,
    },
    async (request, given: Parameters<McpHttpHandler["fetch"]>[1] = {}) => {
      const { authInfo, parsedBody } = given;
      if (!(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, given);
      const context = { era: "legacy", requestInfo: request, ...(authInfo && { authInfo }) } as const;
      const limitKey = subjectOfAuth(authInfo);
      const owner = { key: keyOf(authInfo), limitKey, build: () => build(context) };
      return sessions.handle(request, owner, given);
    },
  );

  return {
    ...modern,
    fetch: (request, given) => endpoint(request, given),
    async close() {
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/** A session belongs to one client of one user. */
function keyOf(authInfo: AuthInfo | undefined): string {
  return JSON.stringify([authInfo?.clientId ?? null, subjectOfAuth(authInfo) ?? null]);
}

function isOfThisMachine(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackHttp(new URL(origin));
}
