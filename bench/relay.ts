/**
 * Measures a call of an MCP tool through the relay and by the SDK alone, and the time from an answer until the server's
 * handler continues, compared with a client whose handler answers at once: `node bench/relay.ts`.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { z } from "zod";
import { createMcpRelay, declaredCapabilities } from "../src/mcp/relay/relay.ts";
import { type Turn, createRuntime } from "../src/runtime/index.ts";
import { systemClock } from "../src/base/clock.ts";
import { callMcpTool } from "../src/agent/mcp/mcp-client.ts";
import { createMcpProcesses } from "../src/agent/mcp/mcp-processes.ts";
import { createMcpRevisions } from "../src/agent/mcp/mcp-revisions.ts";
import { serve } from "../src/node/index.ts";
import { type Figure, median, report } from "./figures.ts";

const WARM_UP = 20;
const ROUNDS = 150;
const nobody = {
  user: undefined,
  credential: undefined,
  processes: createMcpProcesses(systemClock),
  revisions: createMcpRevisions(),
};

/** The times when the user's answer arrived, and when the handler on the server continued. */
let answeredAt = 0;
let resumedAt = 0;

const FORM = {
  type: "object" as const,
  properties: { name: { type: "string" as const } },
  required: ["name"],
};
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
const server = await serve({
  async fetch(request) {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const mcp = new McpServer({ name: "bench", version: "1" }, { supportedProtocolVersions: ["2025-11-25"] });
    mcp.registerTool("echo", { inputSchema: z.object({}) }, () => ({
      content: [{ type: "text", text: "echo" }],
    }));
    mcp.registerTool("ask", { inputSchema: z.object({}) }, async (_, ctx) => {
      await ctx.mcpReq.elicitInput({ message: "Who?", requestedSchema: FORM });
      resumedAt = performance.now();
      return { content: [{ type: "text", text: "asked" }] };
    });
    await mcp.connect(transport);
    return transport.handleRequest(request);
  },
});
const url = `${server.url}/mcp`;
const { signal } = new AbortController();
const supports = { url: true, form: true };
const ANSWER = { action: "accept", content: { name: "Ada" } } as const;

async function bySdk(tool: string): Promise<void> {
  const client = new Client(
    { name: "bench", version: "1" },
    { versionNegotiation: { mode: "auto" }, capabilities: declaredCapabilities(supports) },
  );
  client.setRequestHandler("elicitation/create", () => {
    answeredAt = performance.now();
    return { ...ANSWER };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.callTool({ name: tool, arguments: {} });
  await client.close();
}

let work: (turn: Turn) => Promise<void> = async () => {};
const runtime = createRuntime({
  async *runTurn(turn) {
    await work(turn);
    yield { type: "finish" };
  },
  authenticate: () => ({ id: "ada" }),
  allowedOrigins: [],
  limits: { writesPerMinute: 1_000_000 },
  onError: console.error,
});
const surface = runtime.surface("bench");

/** Runs `callback` in a turn and answers each request as soon as the turn announces it. */
async function inTurn(callback: (turn: Turn) => Promise<void>): Promise<void> {
  work = callback;
  const started = await surface.start({ user: { id: "ada" }, conversationId: "c1", messages: [], supports });
  if ("refused" in started) throw new Error(started.refused);
  const stop = runtime.subscribe(started.id, (event) => {
    if (!("request" in event) || event.type !== "elicitation-needed") return;
    const { elicitationId } = event.request;
    answeredAt = performance.now();
    void runtime.elicitations.answer({ conversationId: "c1", elicitationId, ...ANSWER }, "ada");
  });
  for await (const _ of started.read({ live: true, signal })) continue;
  stop();
}

async function byRelay(turn: Turn, tool: string): Promise<void> {
  const bench = { name: "bench", url, service: "Bench", credentialScope: "none" } as const;
  const relay = createMcpRelay({
    turn,
    server: bench,
    toolName: tool,
    toolCallId: crypto.randomUUID(),
    showUnanswerable: false,
    clock: systemClock,
  });
  await callMcpTool(bench, { ...nobody, signal, tool, input: {}, relay });
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const plain: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
const resume: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
// Alternates between the two, so that other load on the machine affects both.
for (let round = -WARM_UP; round < ROUNDS; round += 1) {
  const peer = await timed(() => bySdk("echo"));
  let ours = 0;
  await inTurn(async (turn) => {
    ours = await timed(() => byRelay(turn, "echo"));
  });
  await bySdk("ask");
  const peerResume = resumedAt - answeredAt;
  await inTurn((turn) => byRelay(turn, "ask"));
  const ownResume = resumedAt - answeredAt;
  if (round < 0) continue;
  plain.ours.push(ours);
  plain.peer.push(peer);
  resume.ours.push(ownResume);
  resume.peer.push(peerResume);
}
await runtime.close();
await server.close();

const figures: Figure[] = [
  {
    figure: "a call of an MCP tool through the relay, connection included, p50",
    unit: "ms",
    ours: median(plain.ours),
    peer: { name: "MCP SDK client 2.4", value: median(plain.peer) },
    target: 1.1,
  },
  {
    figure: "answer to the MCP server's handler that continues, p50",
    unit: "ms",
    ours: median(resume.ours),
    peer: { name: "MCP SDK client 2.4, whose handler answers at once", value: median(resume.peer) },
    target: 1.3,
  },
];
report(figures);
