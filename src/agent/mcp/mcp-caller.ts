import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import type { Watch } from "../../protocols/mcp/wire/lost-stream.ts";
import type { User } from "../../runtime/index.ts";
import type { Credential } from "../../connect/ports/credentials.ts";
import type { CallRevision } from "./mcp-server.ts";

/** The user for whom an MCP server is called, and the declared capabilities. */
export interface McpCaller {
  user: User | undefined;
  credential: Credential | undefined;
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
