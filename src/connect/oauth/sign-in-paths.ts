import { base64url } from "../../base/ids.ts";

/**
 * Paths end in a hash of authorization server and MCP server, so that a code never reaches the callback of another
 * server.
 */
export const CALLBACK_PATH = "/auth/mcp/callback/";
export const DOCUMENT_PATH = "/auth/mcp/client/";
export const HASH = /^[\w-]{43}$/;

export async function hashOf(issuer: string, serverUrl: string): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([issuer, serverUrl]));
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
}
