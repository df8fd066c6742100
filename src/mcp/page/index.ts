/**
 * `elicit-kit/mcp`: a page or an app that is the client of an MCP server shows the server's questions. Needs
 * `@modelcontextprotocol/client`: `npm install @modelcontextprotocol/client`.
 */
export { McpCallError } from "./call-error.ts";
export { type McpChannel, createMcpChannel } from "./channel.ts";
