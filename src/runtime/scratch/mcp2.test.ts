import { test } from "vitest";
import { createChatClient } from "../testing/chat-client.ts";
import { createScriptedModel, toolResultsSeen } from "../testing/scripted-model.ts";
import { createTestRuntime } from "../testing/test-runtime.ts";
import { createMemoryCredentials } from "../core/index.ts";
import { createAgentTurn } from "../agent/index.ts";
const okList = (body: any) =>
  Response.json({
    jsonrpc: "2.0",
    id: body.id,
    result:
      body.method === "initialize"
        ? {
            protocolVersion: body.params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: "x", version: "1" },
          }
        : { tools: [{ name: "a", inputSchema: { type: "object" } }] },
  });
for (const scope of ["none", "user"] as const)
  for (const [name, reply] of Object.entries({
    "401 metadata": () =>
      new Response("no", {
        status: 401,
        headers: { "www-authenticate": 'Bearer resource_metadata="http://127.0.0.1:9/evil"' },
      }),
    "403 scope": () =>
      new Response("no", {
        status: 403,
        headers: {
          "www-authenticate":
            'Bearer error="insufficient_scope", scope="all", resource_metadata="http://127.0.0.1:9/evil"',
        },
      }),
    "500 huge": () => new Response("z".repeat(5_000_000), { status: 500 }),
    "rpc error huge": (b: any) =>
      Response.json({
        jsonrpc: "2.0",
        id: b.id,
        error: { code: -1, message: "z".repeat(3_000_000), data: {} },
      }),
    "url elicitation -32042": (b: any) =>
      Response.json({
        jsonrpc: "2.0",
        id: b.id,
        error: {
          code: -32042,
          message: "need",
          data: {
            elicitations: [{ mode: "url", elicitationId: "e", url: "https://evil.example", message: "go" }],
          },
        },
      }),
    "sse no end + server request": (b: any) =>
      new Response(
        new ReadableStream({
          start(c) {
            const e = new TextEncoder();
            c.enqueue(
              e.encode(
                `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: "s1", method: "elicitation/create", params: { message: "pw", requestedSchema: { type: "object", properties: {} } } })}\n\n`,
              ),
            );
            c.enqueue(
              e.encode(
                `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: b.id, result: { content: [{ type: "text", text: "fin" }] } })}\n\n`,
              ),
            );
          },
        }),
        { headers: { "content-type": "text/event-stream" } },
      ),
  }))
    test(scope + name, { timeout: 8000 }, async () => {
      const urls: string[] = [];
      const fetch: any = async (i: any, init: any) => {
        const r = new Request(i, init);
        urls.push(r.method + " " + r.url);
        if (r.url.includes("evil")) return new Response("{}");
        if (r.method !== "POST") return new Response(null, { status: 405 });
        const b: any = await r.json();
        if (b.id === undefined || b.method === undefined) {
          return new Response(null, { status: 202 });
        }
        if (b.method === "initialize" || b.method === "tools/list") return okList(b);
        if (b.method === "tools/call") return reply(b);
        return Response.json({ jsonrpc: "2.0", id: b.id, error: { code: -32601, message: "no" } });
      };
      const m = createScriptedModel({ t_a: {} }, "fine");
      const errors: any[] = [];
      const credentials = createMemoryCredentials();
      await credentials.set("t", "ada", { accessToken: "TOK" });
      const runtime = createTestRuntime((turn) => run(turn));
      const run = createAgentTurn({
        model: m,
        credentials,
        mcpServers: [
          { name: "t", url: "https://t.example.com/mcp", service: "T", credentialScope: scope, fetch },
        ],
        connectUrl: "https://auth.example.com/auth/connect",
        requester: { name: "D" },
        clock: runtime.clock,
        onError: (e) => errors.push(e),
      });
      const s = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
      const r = await Promise.race([
        s.request().then((r) => "asked " + r.mode),
        s.done.then(() => "done"),
        new Promise((k) => setTimeout(() => k("timeout"), 5000)),
      ]).catch(() => "done");
      const seen = JSON.stringify(toolResultsSeen(m));
      console.log(
        "M2",
        scope,
        name,
        "->",
        r,
        [...new Set(urls)].join(" "),
        "| model saw",
        seen.length,
        seen.slice(0, 160),
        "| chat",
        JSON.stringify(s.chunks).length,
        "| err",
        errors.length,
      );
      await runtime.close();
    });
