/**
 * `elicit-kit/mcp`: a page or an app that is the client of an MCP server shows what the server asks. Needs
 * `@modelcontextprotocol/client`: `npm install @modelcontextprotocol/client`.
 */
export { McpCallError } from "./call-error.ts";
export { type McpChannel, createMcpChannel } from "./channel.ts";
