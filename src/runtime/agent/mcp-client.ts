import type { CallToolResult, Client, ClientOptions, FetchLike, Tool } from "@modelcontextprotocol/client";
import type { Credential } from "../core/index.ts";
import { isSendable, limitLength } from "../core/internal.ts";
import { type Conceal, concealer } from "./conceal.ts";

/** An MCP server (Streamable HTTP) whose tools the agent may call. */
export interface McpServer {
  /**
   * Prefix of its tools' names for the model (`tracker_create_issue`), and the id under which users' credentials are
   * stored. Letters, digits, `_` and `-`.
   */
  name: string;
  url: string;
  /** Its name for users: "Linear", "your calendar". */
  service: string;
  /** `user`: acts for the user and needs their credential. `none`: needs no credential. */
  credentialScope: "user" | "none";
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface McpCall {
  credential: Credential | undefined;
  signal: AbortSignal;
}

/** Limit for one response. Images count, although they are not shown. */
const MAX_ANSWER_MIB = 8;
const MAX_ERROR_LENGTH = 2000;

const CLIENT_OPTIONS: ClientOptions = { versionNegotiation: { mode: "auto" } };

/** Lists the server's tools, with or without a credential. */
export async function listMcpTools(server: McpServer, call: McpCall): Promise<readonly Tool[]> {
  return withClient(server, call, async (client) => {
    const { tools } = await client.listTools(undefined, { signal: call.signal });
    return tools;
  });
}

/** Calls one tool, once, with a new client. */
export async function callMcpTool(
  server: McpServer,
  call: McpCall & { tool: string; input: Readonly<Record<string, unknown>> },
): Promise<CallToolResult> {
  return withClient(server, call, (client) =>
    client.callTool({ name: call.tool, arguments: { ...call.input } }, { signal: call.signal }),
  );
}

/** An MCP call failed because the server refused the credential or requires one. */
export class McpUnauthorized extends Error {
  override readonly name = "McpUnauthorized";
}

/** A client lives for one call: it carries one person's credential and must never serve another. */
async function withClient<T>(
  server: McpServer,
  { credential, signal }: McpCall,
  run: (client: Client) => Promise<T>,
): Promise<T> {
  if (credential !== undefined && !isSendable(credential.accessToken)) {
    throw new McpUnauthorized(`elicit-kit: the token for ${server.service} cannot be sent in a header.`);
  }
  const conceal = concealer(credential?.accessToken);
  const { Client, SdkHttpError, StreamableHTTPClientTransport, UnauthorizedError } = await loadSdk();
  const client = new Client({ name: "elicit-kit", version: "1" }, CLIENT_OPTIONS);
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: (...request) => fetchWithin(server, signal, ...request),
    ...(credential !== undefined && { authProvider: { token: async () => credential.accessToken } }),
  });
  try {
    await client.connect(transport, { signal });
    return conceal(await run(client));
  } catch (error) {
    if (UnauthorizedError.isInstance(error) || (SdkHttpError.isInstance(error) && error.status === 401)) {
      throw new McpUnauthorized(
        `elicit-kit: ${server.service} refused the call because the credential is missing or invalid.`,
      );
    }
    throw inShort(error, conceal);
  } finally {
    await client.close();
  }
}

/** Shortens and conceals an error of a server. It goes to the model, may be very long, and may contain the credential. */
function inShort(error: unknown, conceal: Conceal): unknown {
  if (!(error instanceof Error)) return error;
  const message = conceal(error.message);
  if (message === error.message && message.length <= MAX_ERROR_LENGTH) return error;
  return new Error(`${error.name}: ${message.slice(0, MAX_ERROR_LENGTH)}…`);
}

/** Fetches with the signal of the call, which the SDK does not always pass on, and limits the size of the response. */
async function fetchWithin(
  { service, fetch = globalThis.fetch }: McpServer,
  signal: AbortSignal,
  ...[url, init]: Parameters<FetchLike>
): Promise<Response> {
  const own = init?.signal;
  const response = await fetch(url, { ...init, signal: own ? AbortSignal.any([own, signal]) : signal });
  return limitLength(response, { service, mib: MAX_ANSWER_MIB });
}

/** Loads the MCP SDK on first use. Agents without MCP servers need not install it. */
async function loadSdk() {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (error) {
    throw new Error(
      "elicit-kit: the MCP SDK could not be loaded. Agents with `mcpServers` need it. Install it: npm install @modelcontextprotocol/client",
      { cause: error },
    );
  }
}
