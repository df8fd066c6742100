import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import { missingPackage } from "../../base/missing-package.ts";

/** Loads the MCP SDK on first use. Agents without MCP servers need not install it. */
export async function loadSdk() {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (error) {
    throw missingPackage("@modelcontextprotocol/client", "calling an MCP server", error);
  }
}

/** Creates a client for the newest revision that its server supports. The relay handles questions. */
export async function newClient(capabilities: ClientOptions["capabilities"] = {}): Promise<Client> {
  const { Client } = await loadSdk();
  return new Client(
    { name: "elicit-kit", version: "1" },
    { versionNegotiation: { mode: "auto" }, inputRequired: { autoFulfill: false }, capabilities },
  );
}
