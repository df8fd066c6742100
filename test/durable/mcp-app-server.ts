/**
 * An agent that asks through the card of MCP Apps, on PostgreSQL, in a separate process. Its arguments: the connection
 * string, `sweepMs`, and the start and the factor of its clock.
 */
import { createElicitor, createRuntime } from "../../src/runtime/index.ts";
import { serve } from "../../src/node/index.ts";
import { createPostgresPorts } from "../../extras/postgres/index.ts";
import { createMcpSurface } from "../../extras/mcp-server/index.ts";
import { authenticateTestUser } from "../stages/chat-client.ts";
import { createFastClock } from "../stages/fast-clock.ts";

const [, , connectionString = "", sweepMs, start, factor] = process.argv;
const clock = createFastClock(Number(factor), Number(start));
const ports = await createPostgresPorts({
  connectionString,
  sweepMs: Number(sweepMs),
  onError: console.error,
});
const runtime = createRuntime({
  ports: { ...ports, clock },
  authenticate: authenticateTestUser,
  allowedOrigins: [],
  onError: console.error,
  async *runTurn(turn) {
    yield { type: "start", messageId: turn.id };
    const city = await createElicitor({ turn, tool: "book" }).text("Which city?");
    yield { type: "text-start", id: "t" };
    const delta = `${city.outcome === "accepted" ? city.value : city.outcome} in ${process.pid}`;
    yield { type: "text-delta", id: "t", delta };
    yield { type: "text-end", id: "t" };
    yield { type: "finish" };
  },
});
const mcp = createMcpSurface({
  runtime,
  clock,
  app: true,
  stateKey: Buffer.alloc(32, 1),
  url: "http://localhost/mcp",
  name: "agent",
  allowedHosts: ["127.0.0.1"],
  authenticate: () => ({ user: { id: "ada" }, clientId: "chat" }),
  onError: console.error,
});
console.log((await serve({ fetch: mcp.fetch })).url);
