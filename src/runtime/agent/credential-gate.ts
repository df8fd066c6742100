import type { CallToolResult } from "@modelcontextprotocol/client";
import {
  type Clock,
  type Credential,
  type CredentialStore,
  type Turn,
  type User,
  connectionRefusedText,
} from "../core/index.ts";
import { type McpServer, callMcpTool, isUnauthorized } from "./mcp-client.ts";

const LOOK_UPS = 3;
const LOOK_UP_INTERVAL_MS = 500;

export interface GateOptions {
  credentials: CredentialStore;
  /** URL of the hosted page, without its query. */
  connectUrl: string;
  /** Who asks, as the person is told. */
  requester: { name: string };
  clock: Clock;
}

export interface GatedCall {
  turn: Turn;
  server: McpServer;
  /** Name of the tool for the model. */
  toolName: string;
  toolCallId: string;
  signal: AbortSignal;
}

/** A credential, or what the model is told instead. */
export type Connection = { ok: true; credential: Credential } | { ok: false; text: string };

/** What stands between the model and a tool that acts for a person (contract, section 5). */
export interface CredentialGate {
  /** The person's credential, if there is one. */
  stored(server: McpServer, user: User | undefined): Promise<Credential | undefined>;
  /** The person's credential; without one, they are asked to connect the service. */
  connect(call: GatedCall): Promise<Connection>;
  /** Calls the tool with the person's credential. A credential that the server refuses is asked for anew, once. */
  call(
    call: GatedCall & { tool: string; input: Readonly<Record<string, unknown>> },
  ): Promise<{ ok: true; result: CallToolResult } | { ok: false; text: string }>;
  /** Forgets a credential that the server has refused, unless a newer one has taken its place. */
  drop(server: McpServer, user: User | undefined, refused: Credential): Promise<void>;
}

export function createCredentialGate({
  credentials,
  connectUrl,
  requester,
  clock,
}: GateOptions): CredentialGate {
  async function stored(server: McpServer, user: User | undefined): Promise<Credential | undefined> {
    return user === undefined ? undefined : await credentials.get(server.name, user.id);
  }

  async function connect(call: GatedCall): Promise<Connection> {
    const { turn, server, toolName, toolCallId, signal } = call;
    const known = await stored(server, turn.user);
    if (known !== undefined) return { ok: true, credential: known };

    const { service } = server;
    const result = await turn.ask({
      mode: "url",
      message: `To go on, the assistant needs access to your ${service} account.`,
      url: (elicitationId) => {
        const url = new URL(connectUrl);
        url.searchParams.set("elicitationId", elicitationId);
        return url.href;
      },
      tool: { id: server.name, name: toolName },
      toolCallId,
      requester,
      context: { trigger: "credential_required", toolName, service },
      signal,
    });
    const names = { tool: toolName, service };
    if (result.outcome !== "accepted") return { ok: false, text: connectionRefusedText(result, names) };

    // Where the credential is written by somebody else, it may arrive a little after the word that it has.
    for (let attempt = 1; attempt <= LOOK_UPS; attempt += 1) {
      const credential = await stored(server, turn.user);
      if (credential !== undefined) return { ok: true, credential };
      if (attempt < LOOK_UPS) await pause(clock, LOOK_UP_INTERVAL_MS);
    }
    const missing = { outcome: "failed", reason: "no credential was stored" } as const;
    return { ok: false, text: connectionRefusedText(missing, names) };
  }

  async function drop(server: McpServer, user: User | undefined, refused: Credential): Promise<void> {
    if (user === undefined) return;
    const current = await credentials.get(server.name, user.id);
    if (current?.accessToken === refused.accessToken) await credentials.delete(server.name, user.id);
  }

  return {
    stored,
    connect,
    drop,
    async call(call) {
      const { server, turn, toolName, tool, input, signal } = call;
      for (let attempt = 1; ; attempt += 1) {
        const connection = await connect(call);
        if (!connection.ok) return connection;
        const { credential } = connection;
        try {
          return { ok: true, result: await callMcpTool(server, { credential, signal, tool, input }) };
        } catch (error) {
          if (!isUnauthorized(error)) throw error;
          await drop(server, turn.user, credential);
          if (attempt < 2) continue;
          const refused = {
            outcome: "failed",
            reason: `${server.service} refused the new credential`,
          } as const;
          return {
            ok: false,
            text: connectionRefusedText(refused, { tool: toolName, service: server.service }),
          };
        }
      }
    },
  };
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
