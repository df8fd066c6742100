/**
 * Measures the heap of turns that wait for a user, for stateless MCP clients and for chats, whose stream stays open:
 * `node --expose-gc bench/parked.ts`. `PARKED_TURNS` sets the number of turns (1,000). It fails if parked turns keep
 * sockets open: the MCP clients use real ones, and close each after its reply.
 */
import { createMcpSurface } from "../extras/mcp-server/index.ts";
import { createElicitor, createRuntime } from "../src/runtime/index.ts";
import { serve } from "../src/node/index.ts";
import { heap } from "./asking-turns.ts";
import { type Figure, report } from "./figures.ts";

const TURNS = Number(process.env["PARKED_TURNS"] ?? 1000);
const WARM_UP = 100;
const AT_ONCE = 50;
const KiB = 1024;

const userOf = (request: Request) => ({ id: request.headers.get("authorization") ?? "" });
const onError = (error: unknown) => console.error(error);
const runtime = createRuntime({
  async *runTurn(turn) {
    yield { type: "start", messageId: turn.id };
    await createElicitor({ turn, tool: "book" }).text("Where to?", { minLength: 2 });
    yield { type: "finish" };
  },
  authenticate: userOf,
  allowedOrigins: [],
  onError,
});
const mcp = createMcpSurface({
  runtime,
  url: "http://127.0.0.1/run/v1/mcp",
  name: "bench",
  authenticate: (request) => ({ user: userOf(request) }),
  onError,
});

const endpoint = await serve({ fetch: mcp.fetch });

function post(url: string, user: string, body: unknown, headers: Readonly<Record<string, string>>): Request {
  return new Request(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: user, ...headers },
    body: JSON.stringify(body),
  });
}

const text = "Book a trip";
/**
 * The last reply to an MCP client and the client's id. The benchmark answers it at the end, because turns that were
 * dropped would use no heap.
 */
let lastRound: { readonly user: string; readonly key: string; readonly requestState: string } | undefined;
/** The streams of chats, which stay open. */
const streams: ReadableStreamDefaultReader<Uint8Array>[] = [];

async function parkChat(user: string): Promise<void> {
  const message = { id: "m1", role: "user", parts: [{ type: "text", text }] };
  const body = { conversationId: "c1", messages: [message] };
  const reply = await runtime.fetch(
    post("http://localhost/run/api/chat", user, body, { "x-supports-elicitation": "true" }),
  );
  if (reply.body === null) throw new Error(`the chat answered ${reply.status}`);
  const reader = reply.body.getReader();
  streams.push(reader);
  const decoder = new TextDecoder();
  for (let read = ""; !read.includes("data-elicitation-request");) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the chat asked nothing");
    read += decoder.decode(value);
  }
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

async function callMcp(user: string, more: object): Promise<string> {
  const params = { name: "ask_agent", arguments: { message: text }, _meta: envelope, ...more };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const headers = {
    accept: "application/json, text/event-stream",
    connection: "close",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "ask_agent",
  };
  return (await fetch(post(`${endpoint.url}/run/v1/mcp`, user, body, headers))).text();
}

async function parkMcp(user: string): Promise<void> {
  const reply = await callMcp(user, {});
  const [, key] = /"inputRequests":\{"([^"]+)"/.exec(reply) ?? [];
  const [, requestState] = /"requestState":"([^"]+)"/.exec(reply) ?? [];
  if (key === undefined || requestState === undefined) throw new Error(`MCP answered ${reply}`);
  lastRound = { user, key, requestState };
}

let people = 0;

async function park(count: number, one: (user: string) => Promise<void>): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    const users = Array.from({ length: Math.min(AT_ONCE, left) }, () => `user-${(people += 1)}`);
    await Promise.all(users.map(one));
  }
}

if (globalThis.gc === undefined) throw new Error("elicit-kit: run this with node --expose-gc");
await park(WARM_UP, parkChat);
await park(WARM_UP, parkMcp);
const before = await heap();
await park(TURNS, parkChat);
const between = await heap();
await park(TURNS, parkMcp);
const after = await heap();
const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
if (sockets > 0) throw new Error(`elicit-kit: ${sockets} sockets are open, and parked turns must hold none.`);
const figures: Figure[] = [
  {
    figure: `heap of a turn parked by a stateless MCP client (${TURNS} at once)`,
    unit: "KiB",
    ours: (after - between) / TURNS / KiB,
    peer: { name: "a turn of a chat that waits", value: (between - before) / TURNS / KiB },
    target: 1.2,
  },
];
report(figures);
const { user, key, requestState } = lastRound ?? {};
if (user === undefined || key === undefined) throw new Error("no turn was parked");
const answer = { action: "accept", content: { answer: "Oslo" } };
const end = await callMcp(user, { requestState, inputResponses: { [key]: answer } });
if (!end.includes('"resultType":"complete"')) throw new Error(`a parked turn did not go on: ${end}`);
await runtime.close();
await mcp.close();
await endpoint.close();
await Promise.all(streams.map((stream) => stream.cancel()));
process.exit();
