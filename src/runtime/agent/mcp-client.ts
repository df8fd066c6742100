import type { CallToolResult, Client, ClientOptions, FetchLike, Tool } from "@modelcontextprotocol/client";
import type { Credential, User } from "../core/index.ts";
import { type McpRelay, McpRelayError } from "../../mcp/relay.ts";
import { isSendable, limitLength } from "../core/internal.ts";
import { type ApiKeyPlace, carryCredential } from "./api-key.ts";
import { type Conceal, concealer } from "./conceal.ts";
import { ToolFailure } from "./error-text.ts";
import { watchStreams } from "./lost-stream.ts";
import { McpUnauthorized, refusalIn, watchRefusals } from "./refused-call.ts";

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
  /** Its icon, for the card that asks to connect it: a `data:` URL of an image of at most 8 KiB. */
  iconDataUrl?: string | undefined;
  /** `user`: acts for the user and needs their credential. `none`: needs no credential. */
  credentialScope: "user" | "none";
  /**
   * For a server that takes an API key of the user in place of a token: where the key goes. The user is asked for it on
   * the hosted page, which needs a provider with `apiKey` for this server.
   */
  apiKey?: ApiKeyPlace | undefined;
  /**
   * When the user is asked to connect their account. `on-demand`: when the server refuses a call, so that what it says
   * with the refusal decides where they sign in and for which rights. `first`: before the first call, so that no call
   * is made without their credential.
   * @default "on-demand"; "first" for a server with `apiKey`, since many of those refuse calls without saying why
   */
  signIn?: "on-demand" | "first" | undefined;
  /**
   * Whether the server may ask the user during a call (MCP elicitation): by a form or a web page, as far as the chat can
   * show them.
   * @default true
   */
  elicitation?: boolean | undefined;
  /**
   * What becomes of a form that no chat can show, such as one with nested objects. `refuse`: the server gets an error.
   * `show`: the user gets a card that says why it cannot be answered.
   * @default "refuse"
   */
  unanswerableForms?: "refuse" | "show" | undefined;
  /**
   * The tools that the agent gets, by their names at the server.
   * @default all
   */
  tools?: readonly string[] | undefined;
  /**
   * Headers of every request to it: fixed, or made for the user of the turn. Tokens that users can connect and disconnect
   * belong into the agent's `credentials`.
   */
  headers?: McpHeaders | ((user: User | undefined) => McpHeaders | Promise<McpHeaders>) | undefined;
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

type McpHeaders = Readonly<Record<string, string>>;

export interface McpCall {
  user: User | undefined;
  credential: Credential | undefined;
  signal: AbortSignal;
  /** What the client declares. Servers hide tools from a client that cannot be asked. */
  capabilities?: ClientOptions["capabilities"];
}

/** A call of a tool, which may ask the user. */
export interface McpToolCall extends McpCall {
  /** Its name at the server. */
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** Absent if the server may not ask. */
  relay: McpRelay | undefined;
  /** The server says during the call that it has other tools now. */
  onListChanged?: (() => void) | undefined;
}

/** Limit for one response. Images count, although they are not shown. */
const MAX_ANSWER_MIB = 8;
const MAX_ERROR_LENGTH = 2000;

/** How long a server may be silent during a call while no person thinks. */
const SILENCE_MS = 60_000;
/** How long the end of a call waits for its cancellation to be sent. */
const CANCEL_MS = 1000;
/** A lost connection is noticed within a second: a stream that can be resumed has until then. */
const RECONNECTION = {
  initialReconnectionDelay: 200,
  reconnectionDelayGrowFactor: 1,
  maxReconnectionDelay: 200,
  maxRetries: 2,
};

/** Lists the server's tools, with or without a credential. */
export async function listMcpTools(server: McpServer, call: McpCall): Promise<readonly Tool[]> {
  return withMcpClient(server, call, async ({ client }) => {
    const { tools } = await client.listTools(undefined, { signal: call.signal });
    return tools;
  });
}

/** Calls one tool, once, with a new client. A question of the server belongs to the call of its client. */
export async function callMcpTool(server: McpServer, call: McpToolCall): Promise<CallToolResult> {
  const result = await callOnce(server, call);
  const refusal = await refusalIn(result, server.service);
  if (refusal !== undefined) throw refusal;
  return result;
}

async function callOnce(server: McpServer, call: McpToolCall): Promise<CallToolResult> {
  const { relay, signal, tool } = call;
  const params = { name: tool, arguments: { ...call.input } };
  const follow = (client: Client) =>
    client.setNotificationHandler("notifications/tools/list_changed", () => call.onListChanged?.());
  if (relay === undefined) {
    return withMcpClient(server, call, ({ client }) => {
      follow(client);
      return client.callTool(params, { signal });
    });
  }
  const { capabilities } = relay;
  return withMcpClient(server, { ...call, capabilities }, async ({ client, conceal, watched }) => {
    follow(client);
    const called = await relay.call({
      client,
      signal,
      silenceMs: SILENCE_MS,
      conceal,
      send: (leg) =>
        watched((lost) => {
          const options = { ...leg.options, signal: AbortSignal.any([leg.options.signal, lost]) };
          return client.callTool({ ...params, ...leg.params }, options);
        }),
    });
    return "result" in called ? called.result : { content: [{ type: "text", text: called.text }] };
  });
}

export interface Connected {
  client: Client;
  conceal: Conceal;
  /** Makes one call of a tool, with a signal that aborts when its connection is lost. */
  watched: ReturnType<typeof watchStreams>;
}

/** A client lives for one call: it carries one person's credential and must never serve another. */
export async function withMcpClient<T>(
  server: McpServer,
  { user, credential, signal, capabilities = {} }: McpCall,
  run: (connected: Connected) => Promise<T>,
): Promise<T> {
  if (credential !== undefined && !isSendable(credential.accessToken)) {
    throw new McpUnauthorized(`the credential for ${server.service} cannot be sent in a header.`);
  }
  const headers = typeof server.headers === "function" ? await server.headers(user) : server.headers;
  const conceal = concealer([credential?.accessToken, ...secretsOf(headers)]);
  const { Client, StreamableHTTPClientTransport } = await loadSdk();
  const refusals = watchRefusals();
  const client = new Client(
    { name: "elicit-kit", version: "1" },
    { versionNegotiation: { mode: "auto" }, inputRequired: { autoFulfill: false }, capabilities },
  );
  const cancelling: Promise<unknown>[] = [];
  const { authProvider, ...carried } = carryCredential(server, credential);
  const sending = { ...carried, service: server.service };
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: async (url, init) => {
      if (!isCancellation(init)) {
        const response = await fetchWithin(sending, signal, url, init);
        refusals.see(init, response);
        return response;
      }
      // The signal of the call has aborted already, and the server must learn of it.
      const sent = fetchWithin(sending, AbortSignal.timeout(CANCEL_MS), url, init);
      cancelling.push(sent.catch(() => {}));
      return sent;
    },
    reconnectionOptions: RECONNECTION,
    ...(headers !== undefined && { requestInit: { headers: { ...headers } } }),
    ...(authProvider !== undefined && { authProvider }),
  });
  const watched = watchStreams(transport, server.service);
  try {
    await client.connect(transport, { signal });
    return conceal(await run({ client, conceal, watched }));
  } catch (error) {
    const refusal = signal.aborted ? undefined : await refusals.refusal(server.service);
    if (refusal !== undefined) throw refusal;
    if (error instanceof McpRelayError) throw new ToolFailure(conceal(error.message));
    throw inShort(error, conceal);
  } finally {
    await Promise.all(cancelling);
    await client.close();
  }
}

function isCancellation(init: RequestInit | undefined): boolean {
  return (
    typeof init?.body === "string" &&
    init.body.startsWith('{"jsonrpc":"2.0","method":"notifications/cancelled"')
  );
}

/** Values of headers that are secrets by their names, and tokens in them. */
function secretsOf(headers: McpHeaders = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    /auth|cookie|key|secret|token/i.test(name) ? [value, ...value.split(/[\s;=,]+/)] : [],
  );
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
  { service, fetch }: { service: string; fetch: FetchLike },
  signal: AbortSignal,
  ...[url, init]: Parameters<FetchLike>
): Promise<Response> {
  const requestSignal = init?.signal;
  const response = await fetch(url, {
    ...init,
    signal: requestSignal ? AbortSignal.any([requestSignal, signal]) : signal,
  });
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
