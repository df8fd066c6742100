import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import { missingPackage } from "../../base/missing-package.ts";
import type { CallRevision } from "./mcp-server.ts";

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
