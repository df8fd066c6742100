import type { CallToolResult, Client, ClientOptions, FetchLike, Tool } from "@modelcontextprotocol/client";
import type { Credential } from "../core/index.ts";
import { isSendable, limitLength } from "../core/internal.ts";
import { type Conceal, concealer } from "./conceal.ts";

/** An MCP server (Streamable HTTP) whose tools the agent may call. */
export interface McpServer {
  /**
   * First half of its tools' names for the model (`tracker_create_issue`), and the id under which people's credentials
   * for it are stored. Letters, digits, `_` and `-`.
   */
  name: string;
  url: string;
  /** What people call it: "Linear", "your calendar". */
  service: string;
  /** `user`: acts for the person, with a credential of their own. `none`: needs none. */
  credentialScope: "user" | "none";
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface McpCall {
  credential: Credential | undefined;
  signal: AbortSignal;
}

/** Of one answer. Pictures count, though nobody gets to see them. */
const MAX_ANSWER_MIB = 8;
const MAX_ERROR_LENGTH = 2000;

const CLIENT_OPTIONS: ClientOptions = { versionNegotiation: { mode: "auto" } };

/** The server's tools as it lists them for this credential, or openly. */
export async function listMcpTools(server: McpServer, call: McpCall): Promise<readonly Tool[]> {
  return withClient(server, call, async (client) => {
    const { tools } = await client.listTools(undefined, { signal: call.signal });
    return tools;
  });
}

/** Calls one tool, once, with a client made for this call. */
export async function callMcpTool(
  server: McpServer,
  call: McpCall & { tool: string; input: Readonly<Record<string, unknown>> },
): Promise<CallToolResult> {
  return withClient(server, call, (client) =>
    client.callTool({ name: call.tool, arguments: { ...call.input } }, { signal: call.signal }),
  );
}

/** An MCP call failed because the server did not accept the credential, or wants one. */
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
      throw new McpUnauthorized(`elicit-kit: ${server.service} refuses the call without a good credential.`);
    }
    throw inShort(error, conceal);
  } finally {
    await client.close();
  }
}

/** What a server says of its failure goes to the model: it may be as long as any answer, and hold the credential. */
function inShort(error: unknown, conceal: Conceal): unknown {
  if (!(error instanceof Error)) return error;
  const message = conceal(error.message);
  if (message === error.message && message.length <= MAX_ERROR_LENGTH) return error;
  return new Error(`${error.name}: ${message.slice(0, MAX_ERROR_LENGTH)}…`);
}

/** Aborts with the call, also where the SDK does not pass its signal on, and gives up on an answer without end. */
async function fetchWithin(
  { service, fetch = globalThis.fetch }: McpServer,
  signal: AbortSignal,
  ...[url, init]: Parameters<FetchLike>
): Promise<Response> {
  const own = init?.signal;
  const response = await fetch(url, { ...init, signal: own ? AbortSignal.any([own, signal]) : signal });
  return limitLength(response, { service, mib: MAX_ANSWER_MIB });
}

/** Loaded by those who have an MCP server: agents without one need not install it. */
async function loadSdk() {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (error) {
    throw new Error(
      "elicit-kit: the SDK of MCP could not be loaded, which agents with `mcpServers` need. Install it: npm install @modelcontextprotocol/client",
      { cause: error },
    );
  }
}
