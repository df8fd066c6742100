/**
 * `elicit-kit/mcp`: a page or an app that is the client of an MCP server shows what the server asks. Needs
 * `@modelcontextprotocol/client`: `npm install @modelcontextprotocol/client`.
 */
export { McpCallError, type McpCallErrorCode } from "./call-error.ts";
export type { McpCallOptions } from "./channel-calls.ts";
export { type McpChannel, type McpChannelOptions, createMcpChannel } from "./channel.ts";
