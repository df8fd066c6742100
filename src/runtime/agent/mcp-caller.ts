import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import type { Credential, User } from "../core/index.ts";

/** On whose behalf, and with which capabilities, an MCP server is called. */
export interface McpCaller {
  user: User | undefined;
  credential: Credential | undefined;
  signal: AbortSignal;
  /** What the client declares. Servers hide tools from a client that cannot be asked. */
  capabilities?: ClientOptions["capabilities"];
}

/** A client that may be used for one call. */
export interface Connected {
  client: Client;
  /** Makes one request, with a signal that aborts when its connection is lost. */
  watched<T>(call: (lost: AbortSignal) => Promise<T>): Promise<T>;
}
