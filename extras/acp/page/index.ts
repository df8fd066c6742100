/**
 * `elicit-kit/acp`: a page or an app that is the client of an ACP agent shows the agent's questions. Needs
 * `@agentclientprotocol/sdk`: `npm install @agentclientprotocol/sdk`.
 */
export { ACP_REQUEST_CONVERSATION, type AcpChannel, createAcpChannel } from "./channel.ts";
