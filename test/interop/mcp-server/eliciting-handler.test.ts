import { expect, test } from "vitest";
import { z } from "zod";
import { elicitorFor } from "../../../extras/mcp-server/index.ts";
import { serveTools } from "./tools.ts";
import { INITIALIZE } from "./wire.ts";

function post(url: string, token: string, body: object, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: "POST",
    headers: {
      authorization: token,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

test("a session of a 2025 client cannot be used by another user, nor after its end", async () => {
  const { url } = await serveTools((server, eliciting) => {
    server.registerTool(
      "ask",
      { inputSchema: z.object({}) },
      eliciting("ask", async (_, ctx) => {
        const { outcome } = await elicitorFor(ctx).confirm("Sure?");
        return { content: [{ type: "text", text: outcome }] };
      }),
    );
  });
  const opened = await post(url, "Bearer ada", INITIALIZE);
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  await opened.body?.cancel();
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  expect((await post(url, "Bearer eve", list, session)).status).toBe(404);
  const own = await post(url, "Bearer ada", list, session);
  expect(await own.text()).toContain('"ask"');
  const end = { method: "DELETE", headers: { authorization: "Bearer ada", ...session } };
  expect((await fetch(url, end)).status).toBe(200);
  expect((await post(url, "Bearer ada", list, session)).status).toBe(404);
});
