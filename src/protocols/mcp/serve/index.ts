/**
 * `elicit-kit/mcp/server`: the agent behind the Model Context Protocol. Needs `@modelcontextprotocol/server`:
 * `npm install @modelcontextprotocol/server`.
 */
export type { McpCaller } from "./caller.ts";
export type { ProtectedResource } from "../../../base/endpoint.ts";
export { type McpSurface, type McpSurfaceOptions, createMcpSurface } from "./mcp-surface.ts";
export { registerElicitTools } from "./elicitor/elicit-tools.ts";
export {
  type Eliciting,
  type ElicitingOptions,
  type ToolElicitor,
  createEliciting,
  elicitorFor,
} from "./elicitor/eliciting.ts";
export { type ElicitingHandlerOptions, createElicitingHandler } from "./elicitor/eliciting-handler.ts";
export type { KeyedQuestion } from "./elicitor/question.ts";
