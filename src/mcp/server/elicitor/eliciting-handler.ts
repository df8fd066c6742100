import {
  type AuthInfo,
  type McpHttpHandler,
  type McpServerFactory,
  createMcpHandler,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import { type Clock, systemClock } from "../../../runtime/core/index.ts";
import { safeLog } from "../../../runtime/core/internal.ts";
import { createLegacySessions } from "../legacy-sessions.ts";
import { subjectOfAuth } from "./subject.ts";

/** The options of {@link createElicitingHandler}. */
export interface ElicitingHandlerOptions {
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
 * const handler = createElicitingHandler(() => buildServer(), { onError: console.error });
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

  return {
    ...modern,
    async fetch(request, given = {}) {
      const { authInfo, parsedBody } = given;
      if (!(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, given);
      const context = { era: "legacy", requestInfo: request, ...(authInfo && { authInfo }) } as const;
      const limitKey = subjectOfAuth(authInfo);
      const owner = { key: keyOf(authInfo), limitKey, build: () => build(context) };
      return sessions.handle(request, owner, given);
    },
    async close() {
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/** A session belongs to one client of one person. */
function keyOf(authInfo: AuthInfo | undefined): string {
  return JSON.stringify([authInfo?.clientId ?? null, subjectOfAuth(authInfo) ?? null]);
}
