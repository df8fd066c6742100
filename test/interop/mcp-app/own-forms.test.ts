/** SEP-3118: a host with elicitation shows the server's own view for a form, for any tool and for the agent. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createEliciting, createElicitingHandler, elicitorFor } from "../../../extras/mcp-server/index.ts";
import { serveAgent } from "../mcp-server/agent.ts";
import { asks } from "../mcp-server/turns.ts";

const UI = "io.modelcontextprotocol/ui";
const APPS = { mimeTypes: ["text/html;profile=mcp-app"] };

interface Served {
  readonly call: { readonly name: string; readonly arguments: Record<string, unknown> };
  readonly path: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Tools on a third-party server. */
async function tools(): Promise<Served> {
  const eliciting = createEliciting({ app: true });
  const handler = createElicitingHandler(
    () => {
      const server = eliciting.createServer({ name: "parcels", version: "1" });
      server.registerTool(
        "book",
        { inputSchema: z.object({}) },
        eliciting("book", async (_, ctx) => {
          const elicitor = elicitorFor(ctx);
          const who = await elicitor.text("Who?");
          const paid = await elicitor.url("Pay", { url: "https://pay.example.com/", service: "Pay" });
          return { content: [{ type: "text", text: `${who.outcome}, ${paid.outcome}` }] };
        }),
      );
      return server;
    },
    { onError: () => {} },
  );
  onTestFinished(() => handler.close());
  const authInfo = { token: "ada", clientId: "client", scopes: [] };
  return {
    call: { name: "book", arguments: {} },
    path: "/mcp",
    fetch: (request) => handler.fetch(request, { authInfo }),
  };
}

/** The agent of a runtime. */
async function agent(): Promise<Served> {
  const { surface } = await serveAgent(
    asks(async (elicitor) => {
      const who = await elicitor.text("Who?");
      const paid = await elicitor.url("Pay", { url: "https://pay.example.com/", service: "Pay" });
      return `${who.outcome}, ${paid.outcome}`;
    }),
    { surface: { app: true } },
  );
  return {
    call: { name: "ask_agent", arguments: { message: "Book" } },
    path: "/run/v1/mcp",
    fetch(request) {
      request.headers.set("authorization", "Bearer ada");
      return surface.fetch(request);
    },
  };
}

async function open(serve: () => Promise<Served>, era: string, ui: Record<string, unknown>) {
  const { fetch, path, call } = await serve();
  const asked: unknown[] = [];
  const client = new Client(
    { name: "chat", version: "1" },
    {
      capabilities: { elicitation: { form: {}, url: {} }, extensions: { [UI]: { ...APPS, ...ui } } },
      ...(era === "2026-07-28"
        ? { versionNegotiation: { mode: { pin: era } } }
        : { supportedProtocolVersions: [era] }),
    },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params);
    return params.mode === "url" ? { action: "decline" } : { action: "accept", content: { answer: "Ada" } };
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), {
      fetch: (input, init) => fetch(new Request(input, init)),
    }),
  );
  onTestFinished(() => client.close());
  return { client, call, asked };
}

describe.each([
  { what: "a tool", serve: tools },
  { what: "an agent", serve: agent },
])("$what in a host that shows the server's view for forms", ({ serve }) => {
  test.each(["2025-11-25", "2026-07-28"])(
    "adds the URI of the view to form requests, but not to URL requests, in MCP %s",
    async (era) => {
      const { client, call, asked } = await open(serve, era, { elicitation: {} });
      expect(client.getServerCapabilities()?.extensions?.[UI]).toEqual({ elicitation: {} });
      expect((await client.callTool(call)).content).toEqual([
        { type: "text", text: expect.stringContaining("accepted, declined") },
      ]);
      const { resources } = await client.listResources();
      const [form, page] = asked;
      expect(form).toMatchObject({ message: "Who?", _meta: { ui: { resourceUri: resources[0]?.uri } } });
      expect(page).not.toHaveProperty("_meta.ui");
    },
  );

  test.each(["2025-11-25", "2026-07-28"])(
    "does not add the URI of the view if the host has not declared that it shows one, in MCP %s",
    async (era) => {
      const { client, call, asked } = await open(serve, era, {});
      await client.callTool(call);
      expect(asked).toHaveLength(2);
      for (const params of asked) expect(params).not.toHaveProperty("_meta.ui");
    },
  );
});
