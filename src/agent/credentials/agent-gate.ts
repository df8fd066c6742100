import { KitError } from "../../contract/kit-error.ts";
import type { A2aAgent } from "../a2a/a2a-agent.ts";
import type { McpServers } from "../mcp/turn-servers.ts";
import { type CredentialGate, type GateOptions, createCredentialGate } from "./credential-gate.ts";

interface AgentGateOptions extends Omit<GateOptions, "credentials" | "connectUrl"> {
  credentials?: GateOptions["credentials"] | undefined;
  connectUrl?: GateOptions["connectUrl"] | undefined;
  mcpServers?: McpServers | undefined;
  a2aAgents?: readonly A2aAgent[] | undefined;
  accounts?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Creates the gate of an agent. Without servers that act for the user, it needs no credentials. It fails if a user's own
 * server needs one anyway.
 */
export function createAgentGate(options: AgentGateOptions): CredentialGate {
  const { credentials, connectUrl, mcpServers = [], a2aAgents = [], accounts = {} } = options;
  if (credentials !== undefined && connectUrl !== undefined) {
    return createCredentialGate({ ...options, credentials, connectUrl });
  }
  const listed = [...a2aAgents, ...(typeof mcpServers === "function" ? [] : mcpServers)];
  const ofUser = listed.find(({ credentialScope }) => credentialScope === "user")?.name;
  const unready = ofUser ?? Object.keys(accounts)[0];
  if (unready !== undefined) throw missing(unready);
  return {
    stored: ({ name }) => Promise.reject(missing(name)),
    run: ({ server: { name } }) => Promise.reject(missing(name)),
    forget: ({ server: { name } }) => Promise.reject(missing(name)),
    attempt: ({ server: { name } }) => Promise.reject(missing(name)),
  };
}

function missing(name: string): KitError {
  return new KitError(
    `elicit-kit: "${name}" acts for the user, so createAgentTurn needs \`credentials\` and \`connectUrl\`.`,
  );
}
