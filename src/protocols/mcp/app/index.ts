/** `elicit-kit/mcp/app`: the kit's cards in a view of your own, inside a host with MCP Apps. */
export { createMcpAppChannel } from "./channel.ts";
