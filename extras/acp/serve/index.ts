/**
 * `elicit-kit/acp/server`: serves the agent of a runtime as an ACP agent, over stdio, WebSocket or in process. Needs
 * `@agentclientprotocol/sdk`: `npm install @agentclientprotocol/sdk`.
 */
export type { AcpSession, AcpSessionStore } from "./sessions.ts";
export { type AcpSurface, createAcpSurface } from "./surface.ts";
