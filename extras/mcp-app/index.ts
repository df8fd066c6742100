/** `elicit-kit/mcp/app`: shows the kit's cards in your own view, inside a host with MCP Apps. */
export { createMcpAppChannel } from "./channel.ts";
