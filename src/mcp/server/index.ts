/** `elicit-kit/mcp/server`: the agent behind the Model Context Protocol. */
export type { McpCaller } from "./caller.ts";
export type { MessagesFor } from "./agent-calls.ts";
export type { ProtectedResource } from "./http-gate.ts";
export { type McpSurface, type McpSurfaceOptions, createMcpSurface } from "./mcp-surface.ts";
