import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { type Era, accept, connectHost, handedBy } from "../interop/mcp-app/host.ts";
import { startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("mcp-app-server.ts", import.meta.url));
/** With this factor, a poll of a view for another process's call lasts for two seconds. */
const FACTOR = 10;

describe.each<Era>(["2025-11-25", "2026-07-28"])("on two processes, in MCP %s", (era) => {
  test("a call of one process is continued by a card that reaches the other process, once", async () => {
    const { url } = await createTestDatabase();
    const options = { program, args: [`${Date.now()}`, `${FACTOR}`] };
    const [first, second] = await Promise.all([startServer(url, options), startServer(url, options)]);
    const hostOf = ({ fetch }: typeof first) =>
      connectHost(
        new URL("http://localhost/mcp"),
        async (request) => {
          const { method, headers, signal } = request;
          const body = method === "POST" ? await request.text() : undefined;
          return fetch("/mcp", { method, headers, signal, ...(body !== undefined && { body }) });
        },
        { era },
      );
    const [there, here] = await Promise.all([hostOf(first), hostOf(second)]);
    const call = there.call("ask_agent", { message: "Book a trip" });
    // The other process does not know the call, so the call returns with a round that any process can continue.
    expect(await here.view().next()).toEqual({ status: "waiting" });
    const round = handedBy(await call);
    const answers = { [Object.keys(round.inputRequests)[0] ?? ""]: accept("Oslo") };
    const replies = await Promise.all([
      here.view().continue(round, answers),
      there.view().continue(round, answers),
    ]);
    const results = replies.flatMap((reply) =>
      reply.kind === "settled" && reply.result ? [JSON.stringify(reply.result.content)] : [],
    );
    // The turn has run once, in its own process: every view gets the same result.
    const said = [{ type: "text", text: `Oslo in ${first.child.pid}` }];
    expect(new Set(results)).toEqual(new Set([JSON.stringify(said)]));
    expect([...first.log, ...second.log]).toEqual([]);
  });
});
