import type { CallToolResult } from "@modelcontextprotocol/client";
import { sleep } from "../core/internal.ts";
import {
  type Clock,
  type Credential,
  type CredentialStore,
  type Turn,
  type User,
  connectionRefusedText,
} from "../core/index.ts";
import { McpUnauthorized, type McpServer, callMcpTool } from "./mcp-client.ts";

const LOOK_UPS = 3;
const LOOK_UP_INTERVAL_MS = 500;

export interface GateOptions {
  credentials: CredentialStore;
  /** URL of the hosted page, without its query. */
  connectUrl: string;
  /** Shown to the user as the one who asks. */
  requester: { name: string };
  clock: Clock;
  onError: (error: unknown) => void;
}

export interface GatedCall {
  turn: Turn;
  server: McpServer;
  /** Name of the tool for the model. */
  toolName: string;
  toolCallId: string;
  signal: AbortSignal;
}

export interface CredentialOwner {
  server: McpServer;
  user: User | undefined;
}

/** A credential, or the text that the model gets instead. */
export type Connection = { ok: true; credential: Credential } | { ok: false; text: string };

/** Gets the credential for a tool that acts for a user, and asks for it if necessary (contract, section 5). */
export interface CredentialGate {
  /** Reads the user's stored credential, if there is one. */
  stored(server: McpServer, user: User | undefined): Promise<Credential | undefined>;
  /** Returns the user's credential. If there is none, asks the user to connect the service. */
  connect(call: GatedCall): Promise<Connection>;
  /** Calls the tool with the user's credential. If the server refuses it, asks the user to connect again, once. */
  call(
    call: GatedCall & { tool: string; input: Readonly<Record<string, unknown>> },
  ): Promise<{ ok: true; result: CallToolResult } | { ok: false; text: string }>;
  /**
   * Runs `use` with a credential. If the server refuses it, renews it once and tries again; if that fails, deletes it and
   * returns `undefined`: the user has to connect again.
   */
  use<T>(
    owner: CredentialOwner,
    credential: Credential,
    use: (credential: Credential) => Promise<T>,
  ): Promise<{ value: T } | undefined>;
}

export function createCredentialGate({
  credentials,
  connectUrl,
  requester,
  clock,
  onError,
}: GateOptions): CredentialGate {
  async function stored(server: McpServer, user: User | undefined): Promise<Credential | undefined> {
    return user === undefined ? undefined : await credentials.get(server.name, user.id);
  }

  async function connect(call: GatedCall): Promise<Connection> {
    try {
      const known = await stored(call.server, call.turn.user);
      return known === undefined ? await ask(call) : { ok: true, credential: known };
    } catch (error) {
      // The store is down and may hold a valid credential, so do not ask the user to connect again.
      onError(error);
      return failed(call, "the stored connection cannot be read at the moment");
    }
  }

  async function ask(call: GatedCall): Promise<Connection> {
    const { turn, server, toolName, toolCallId, signal } = call;
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
      service: { name: service },
      // `oauth` means an access token from OAuth, directly or through Nango.
      context: { trigger: "credential_required", credentialType: "oauth", toolName, service },
      signal,
    });
    if (result.outcome !== "accepted") {
      return { ok: false, text: connectionRefusedText(result, { tool: toolName, service }) };
    }
    // If another service writes the credential, it may arrive shortly after the request was completed.
    for (let attempt = 1; attempt <= LOOK_UPS; attempt += 1) {
      const credential = await stored(server, turn.user);
      if (credential !== undefined) return { ok: true, credential };
      if (attempt < LOOK_UPS) await sleep(clock, LOOK_UP_INTERVAL_MS);
    }
    return failed(call, "no credential was stored");
  }

  /** Also returns `undefined` if the store fails: connecting again then solves both problems. */
  async function renewed({ server, user }: CredentialOwner, refused: Credential) {
    if (user === undefined) return undefined;
    try {
      return await credentials.renew?.(server.name, user.id, refused);
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  /** Unless a newer one has taken its place. What a store says of its failure is for the operator, not for the model. */
  async function forget({ server, user }: CredentialOwner, refused: readonly Credential[]): Promise<void> {
    if (user === undefined) return;
    try {
      for (const credential of refused) {
        if (await credentials.replace(server.name, user.id, credential, undefined)) return;
      }
    } catch (error) {
      onError(error);
    }
  }

  async function use<T>(
    owner: CredentialOwner,
    credential: Credential,
    run: (credential: Credential) => Promise<T>,
  ): Promise<{ value: T } | undefined> {
    const first = await unlessRefused(run(credential));
    if (first !== undefined) return first;
    const newer = await renewed(owner, credential);
    const second = newer && (await unlessRefused(run(newer)));
    if (second !== undefined) return second;
    await forget(owner, newer === undefined ? [credential] : [credential, newer]);
    return undefined;
  }

  return {
    stored,
    connect,
    use,
    async call(call) {
      const { server, turn, tool, input, signal } = call;
      const owner = { server, user: turn.user };
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const connection = await connect(call);
        if (!connection.ok) return connection;
        const called = await use(owner, connection.credential, (credential) =>
          callMcpTool(server, { credential, signal, tool, input }),
        );
        if (called !== undefined) return { ok: true, result: called.value };
      }
      return failed(call, `${server.service} refused the new credential`);
    },
  };
}

function failed({ toolName, server }: GatedCall, reason: string): { ok: false; text: string } {
  const names = { tool: toolName, service: server.service };
  return { ok: false, text: connectionRefusedText({ outcome: "failed", reason }, names) };
}

async function unlessRefused<T>(call: Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await call };
  } catch (error) {
    if (!(error instanceof McpUnauthorized)) throw error;
    return undefined;
  }
}
