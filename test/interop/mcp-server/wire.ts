/** A 2026 client in plain JSON, for messages that no SDK would send. */
export interface WireClient {
  call(params: Readonly<Record<string, unknown>>, options?: WireOptions): Promise<WireReply>;
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options?: WireOptions,
  ): Promise<WireReply>;
}

export interface WireOptions {
  token?: string;
  capabilities?: unknown;
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

export interface WireReply {
  status: number;
  result?: WireResult;
  error?: { code: number; message: string; data?: unknown };
}

/** The parts of a result that the tests read. */
export interface WireResult {
  resultType: string;
  content: { text: string }[];
  isError?: boolean;
  inputRequests: Readonly<Record<string, { params: { message: string; mode?: string; url?: string } }>>;
  requestState: string;
}

export interface WireRound {
  key: string;
  params: { message: string; mode?: string; url?: string };
  requestState: string;
}

/** The first message of a client of 2025-11-25. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {} },
    clientInfo: { name: "c", version: "1" },
  },
};

export const ASK = { name: "ask_agent", arguments: { message: "Book a trip" } };

export function wireClient(url: string): WireClient {
  let id = 0;
  async function request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    {
      token = "ada",
      capabilities = { elicitation: { form: {}, url: {} } },
      signal,
      headers,
    }: WireOptions = {},
  ): Promise<WireReply> {
    id += 1;
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": capabilities,
      "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
    };
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": String(params["name"] ?? params["taskId"]),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: envelope } }),
      ...(signal !== undefined && { signal }),
    });
    const message = messageOf(await response.text());
    return { status: response.status, ...message };
  }
  return { request, call: (params, options) => request("tools/call", params, options) };
}

/** The reply, as JSON or as the last event of a stream. */
function messageOf(body: string): Omit<WireReply, "status"> {
  if (body.startsWith("{")) return JSON.parse(body);
  const last = body.split("\n").findLast((line) => line.startsWith("data: "));
  return last === undefined ? {} : JSON.parse(last.slice("data: ".length));
}

/** The only question of a round, with the state to send back. */
export function roundOf({ result }: WireReply): WireRound {
  const [asked] = Object.entries(result?.inputRequests ?? {});
  if (result?.resultType !== "input_required" || asked === undefined) {
    throw new Error(`no round: ${JSON.stringify(result)}`);
  }
  const [key, { params }] = asked;
  return { key, params, requestState: result.requestState };
}

export const accept = (answer: unknown) => ({ action: "accept", content: { answer } });
