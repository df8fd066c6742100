import {
  type AuthInfo,
  type McpHttpHandler,
  type McpServerFactory,
  createMcpHandler,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { crossOrigin } from "../../../src/base/cross-origin.ts";
import { isLoopbackHttp } from "../../../src/base/urls.ts";
import { safeLog } from "../../../src/base/foreign-error.ts";
import { MCP_HEADERS, subjectOfAuth } from "./options.ts";
import { createLegacySessions } from "../legacy-sessions.ts";

/** The options of {@link createElicitingHandler}. */
export interface ElicitingHandlerOptions {
  /**
   * The host names of the server, such as `mcp.example.com`. HTTP requests for another host get 403, which prevents DNS
   * rebinding.
   * @default those of this machine, such as localhost
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * Origins of web pages that may call the server, or a function that says whether one may. Pages of its own origin
   * always may. HTTP requests of other pages get 403.
   * @default pages of this machine, such as `http://localhost:6274`
   */
  allowedOrigins?: readonly string[] | ((origin: string) => boolean) | undefined;
  /** Sessions of clients before 2026 in this process. One user may have a tenth of them. @default 1000 */
  maxSessions?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /** Called with internal errors, for the log. The errors contain no token and no answer. */
  onError: (error: unknown) => void;
}

/**
 * Serves an MCP server over HTTP, in every revision on one URL, so that its tools can ask clients of every revision.
 * `createMcpHandler` of the SDK keeps no sessions, and a 2025 client cannot be asked without one.
 *
 * @param build Builds a server: one for each HTTP request in 2026-07-28, one for each session in older revisions.
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
