/** Sessions that a client leaves behind at MCP servers. */
import { expect, onTestFinished } from "vitest";
import { isObject } from "../../src/contract/json.ts";
import { createDeferred } from "../../src/base/deadlines.ts";
import { chatWith } from "../interop/mcp/chat.ts";
import { serveV1 } from "../interop/mcp/servers.ts";
import { fieldCase } from "./field-case.ts";

/** A server of 2025-11-25 that keeps a session for each client. `end` handles its end, and `call` a call of its tool. */
function keepingSessions({
  end = () => new Response(null, { status: 204 }),
  call = () => ({ content: [{ type: "text", text: "The result." }] }),
}: {
  end?: (signal: AbortSignal) => Response | Promise<Response>;
  call?: (signal: AbortSignal) => unknown;
} = {}) {
  const begun: string[] = [];
  const ended: string[] = [];
  /** The methods of what the server got, in its order. */
  const received: string[] = [];
  const credentials: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method === "DELETE") {
      received.push("DELETE");
      ended.push(request.headers.get("mcp-session-id") ?? "none");
      credentials.push(request.headers.get("authorization"));
      return end(init?.signal ?? request.signal);
    }
    const message: unknown = request.method === "POST" ? await request.json() : undefined;
    if (!isObject(message)) return new Response(null, { status: 405 });
    const { id, method } = message;
    received.push(String(method));
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === "initialize") begun.push(`session-${begun.length}`);
    const results: Readonly<Record<string, unknown>> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "srv", version: "1" },
      },
      "tools/list": { tools: [{ name: "ask", inputSchema: { type: "object" } }] },
    };
    const result = method === "tools/call" ? await call(request.signal) : results[String(method)];
    const headers = method === "initialize" ? { "mcp-session-id": begun.at(-1) ?? "" } : {};
    const error = { code: -32601, message: "Method not found" };
    return Response.json(
      { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) },
      { headers },
    );
  };
  return { fetch, begun, ended, credentials, received };
}

const ADDRESS = "https://srv.example/mcp";
const CITY = {
  type: "object" as const,
  properties: { city: { type: "string" as const, title: "City" } },
  required: ["city"],
};

fieldCase(
  {
    sources: ["danny-avila/LibreChat#14248", "FlowFuse/device-agent#688", "augmentcode/auggie#162"],
    before: "failed",
  },
  "each session at a server is ended once, with the credential of its call",
  async () => {
    const { fetch, begun, ended, credentials } = keepingSessions();
    const credential = { accessToken: "token-of-ada" };
    const chat = chatWith(ADDRESS, [{ srv_ask: {} }, { srv_ask: {} }, "Done."], {
      fetch,
      credentialScope: "user",
      credential,
    });
    await (
      await chat.send()
    ).done;
    expect(chat.results()).toContain("The result.");
    await expect.poll(() => ended).toHaveLength(3);
    expect(begun).toHaveLength(3);
    expect(ended.toSorted((a, b) => a.localeCompare(b))).toEqual(begun);
    expect(new Set(credentials)).toEqual(new Set(["Bearer token-of-ada"]));
  },
);

fieldCase(
  { sources: ["danny-avila/LibreChat#14248", "augmentcode/auggie#162"], before: "failed" },
  "the session of a call that the user has stopped is ended, after its cancellation",
  async () => {
    const called = createDeferred<void>();
    const { fetch, begun, ended, received } = keepingSessions({
      call: (signal) =>
        new Promise((_resolve, reject) => {
          called.resolve();
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const chat = chatWith(ADDRESS, [{ srv_ask: {} }, "Done."], { fetch });
    const stream = await chat.send();
    await called.promise;
    await chat.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
    await stream.done;
    await expect.poll(() => ended).toHaveLength(2);
    expect(ended.toSorted((a, b) => a.localeCompare(b))).toEqual(begun);
    expect(received.slice(-2)).toEqual(["notifications/cancelled", "DELETE"]);
  },
);

fieldCase(
  { sources: ["FlowFuse/device-agent#688"], before: "failed" },
  "a server that does not answer the end of a session delays no result, and is not waited for",
  async () => {
    const signals: AbortSignal[] = [];
    const answer = createDeferred<Response>();
    onTestFinished(() => answer.resolve(new Response(null, { status: 204 })));
    const { fetch } = keepingSessions({
      end(signal) {
        signals.push(signal);
        return answer.promise;
      },
    });
    const chat = chatWith(ADDRESS, [{ srv_ask: {} }, "Done."], { fetch });
    await (
      await chat.send()
    ).done;
    expect(chat.results()).toContain("The result.");
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(chat.errors).toEqual([]);
  },
);

fieldCase(
  { sources: ["danny-avila/LibreChat#14248"], before: "failed" },
  "a session is kept as long as a question of its server is open, and ended after that",
  async () => {
    const ended: string[] = [];
    const { url } = await serveV1((server) => {
      server.registerTool("ask", {}, async () => {
        const asked = { message: "Where to?", requestedSchema: CITY };
        const { action } = await server.server.elicitInput(asked);
        return { content: [{ type: "text", text: `The user said: ${action}` }] };
      });
    });
    const chat = chatWith(url, [{ srv_ask: {} }, "Done."], {
      fetch: async (input, init) => {
        if (init?.method === "DELETE") ended.push(new Headers(init.headers).get("mcp-session-id") ?? "none");
        return globalThis.fetch(input, init);
      },
    });
    const stream = await chat.send();
    await stream.request();
    await expect.poll(() => ended).toHaveLength(1);
    await chat.answer(stream, "accept", { city: "Oslo" });
    await stream.done;
    expect(chat.results()).toContain("The user said: accept");
    await expect.poll(() => ended).toHaveLength(2);
    expect(new Set(ended).size).toBe(2);
  },
);
