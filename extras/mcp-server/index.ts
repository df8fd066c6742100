/**
 * `elicit-kit/mcp/server`: serves the agent of a runtime over the Model Context Protocol. Needs
 * `@modelcontextprotocol/server`: `npm install @modelcontextprotocol/server`.
 */
export { type McpSurface, createMcpSurface } from "./mcp-surface.ts";
export { registerElicitTools } from "./elicitor/elicit-tools.ts";
export { type Eliciting, type ToolElicitor, createEliciting, elicitorFor } from "./elicitor/eliciting.ts";
export { createElicitingHandler } from "./elicitor/eliciting-handler.ts";
