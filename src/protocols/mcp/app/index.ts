/** `elicit-kit/mcp/app`: the kit's cards in a view of your own, inside a host with MCP Apps. */
export {
  type AppHost,
  type AppResult,
  type McpAppChannel,
  type McpAppChannelOptions,
  createMcpAppChannel,
} from "./channel.ts";
