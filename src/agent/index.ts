/**
 * `elicit-kit/agent`: an agent loop on the AI SDK, with MCP servers behind a credential gate. Needs `ai`:
 * `npm install ai`. MCP servers also need `@modelcontextprotocol/client`, and A2A agents `@a2a-js/sdk`.
 */
export type { A2aAgent } from "./a2a/a2a-agent.ts";
export type { A2aToolCall, ApproveA2aTool } from "../protocols/a2a/relay/tool-approvals.ts";
export type { ToolDecision } from "../protocols/a2a/wire/dialect.ts";
export type { AgentTool, AgentToolContext, AgentTurnOptions } from "./agent-turn.ts";
export { createAgentTurn } from "./agent-turn.ts";
export type { CredentialMessage, CredentialMessageContext } from "./credentials/gate-texts.ts";
export type { ApiKeyPlace } from "./credentials/api-key.ts";
export type { AskingServer, ElicitResult } from "./mcp/elicitation-handler.ts";
export { elicitationHandler, withRequiredPages } from "./mcp/elicitation-handler.ts";
export { elicitationTools } from "./elicitation-tools.ts";
export type { AgentMcpServer, McpServer, McpStdioServer } from "./mcp/mcp-server.ts";
export type { McpServerInspection, InspectMcpServerOptions } from "./mcp/inspect-mcp-server.ts";
export { inspectMcpServer } from "./mcp/inspect-mcp-server.ts";
export type { McpServers } from "./mcp/turn-servers.ts";
export type { RouteElicitorOptions, StreamWriter } from "./route-elicitor.ts";
export { createRouteElicitor } from "./route-elicitor.ts";
export { elicitationRules } from "./rules.ts";
