import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import type { Watch } from "../../protocols/mcp/wire/lost-stream.ts";
import type { User } from "../../runtime/index.ts";
import type { Credential } from "../../connect/ports/credentials.ts";

/** On whose behalf, and with which capabilities, an MCP server is called. */
export interface McpCaller {
  user: User | undefined;
  credential: Credential | undefined;
  signal: AbortSignal;
  /** What the client declares. Servers hide tools from a client that cannot be asked. */
  capabilities?: ClientOptions["capabilities"];
  /** How much the server may answer in all, in MiB. @default no limit for all answers, and 8 for each */
  maxMib?: number | undefined;
}

/** A client that may be used for one call. */
export interface Connected {
  client: Client;
  watched: Watch;
}
