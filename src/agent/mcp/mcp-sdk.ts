import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import { missingPackage } from "../../base/foreign-error.ts";
import type { CallRevision } from "./mcp-server.ts";
import type { Watch } from "../../mcp/wire/lost-stream.ts";
import type { User } from "../../runtime/index.ts";
import type { CredentialInUse } from "../credentials/credential-in-use.ts";

/** The user for whom an MCP server is called, and the declared capabilities. */
export interface McpCaller {
  user: User | undefined;
  credential: CredentialInUse | undefined;
  signal: AbortSignal;
  /** The capabilities that the client declares. Servers hide tools from a client that cannot be asked. */
  capabilities?: ClientOptions["capabilities"];
  /** @default the newest that both sides support */
  revision?: CallRevision | undefined;
  /** The limit for all responses of the server together, in MiB. @default no limit for all responses, and 8 for each */
  maxMib?: number | undefined;
}

/** A connected client for one call. */
export interface Connected {
  client: Client;
  watched: Watch;
  /** Whether a server before MCP 2026 could ask on this connection: over HTTP only in a session. */
  isAskable: boolean;
}

/** Loads the MCP SDK on first use. Agents without MCP servers need not install it. */
export async function loadSdk() {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (error) {
    throw missingPackage("@modelcontextprotocol/client", "calling an MCP server", error);
  }
}

/**
 * Creates a client for a revision, by default for the newest that its server supports. The relay handles questions.
 */
export async function newClient(
  capabilities: ClientOptions["capabilities"] = {},
  revision?: CallRevision,
): Promise<Client> {
  const { Client } = await loadSdk();
  return new Client(
    { name: "elicit-kit", version: "1" },
    { versionNegotiation: { mode: modeOf(revision) }, inputRequired: { autoFulfill: false }, capabilities },
  );
}

function modeOf(revision: CallRevision | undefined): "auto" | "legacy" | { pin: string } {
  if (revision === undefined) return "auto";
  return revision === "2025-11-25" ? "legacy" : { pin: revision };
}
