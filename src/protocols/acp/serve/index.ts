/**
 * `elicit-kit/acp/server`: the agent of a runtime as an ACP agent, over stdio, WebSocket or in process. Needs
 * `@agentclientprotocol/sdk`: `npm install @agentclientprotocol/sdk`.
 */
export type { AcpApproval } from "./permissions.ts";
export {
  type AcpMessage,
  type AcpSession,
  type AcpSessionStore,
  type MemoryAcpSessionsOptions,
  createMemoryAcpSessions,
} from "./sessions.ts";
export { type AcpSurface, type AcpSurfaceOptions, createAcpSurface } from "./surface.ts";
