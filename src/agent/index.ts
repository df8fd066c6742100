/**
 * `elicit-kit/agent`: an agent loop on the AI SDK, with MCP servers behind a credential gate. Needs `ai`:
 * `npm install ai`. MCP servers also need `@modelcontextprotocol/client`, and A2A agents `@a2a-js/sdk`.
 */
export { createAccounts } from "./create-accounts.ts";
export type { AgentTool, AgentTurnOptions } from "./agent-turn.ts";
export { createAgentTurn } from "./agent-turn.ts";
export { createAnswerProposer } from "../features/proposals/answer-proposer.ts";
export { elicitationHandler, withRequiredPages } from "./mcp/ai-sdk-handler.ts";
export { elicitationTools } from "./elicitation-tools.ts";
export type { McpServer } from "./mcp/mcp-server.ts";
export { inspectMcpServer } from "./mcp/inspect-mcp-server.ts";
export { createRouteElicitor } from "./route-elicitor.ts";
export { elicitationRules } from "./elicitation-tools.ts";
