/** SEP-3118: a host with elicitation shows the server's own view for a form. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  createEliciting,
  createElicitingHandler,
  elicitorFor,
} from "../../../src/protocols/mcp/serve/index.ts";

const UI = "io.modelcontextprotocol/ui";
const APPS = { mimeTypes: ["text/html;profile=mcp-app"] };

async function open(era: string, ui: Record<string, unknown>) {
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
    return params.mode === "url" ? { action: "accept" } : { action: "accept", content: { answer: "Ada" } };
  });
  const authInfo = { token: "ada", clientId: "client", scopes: [] };
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
      fetch: (input, init) => handler.fetch(new Request(input, init), { authInfo }),
    }),
  );
  onTestFinished(async () => {
    await client.close();
    await handler.close();
  });
  return { client, asked };
}

describe.each(["2025-11-25", "2026-07-28"])(
  "a host that shows the server's view for forms, in MCP %s",
  (era) => {
    test("gets the card with a form, and none with a page", async () => {
      const { client, asked } = await open(era, { elicitation: {} });
      expect(client.getServerCapabilities()?.extensions?.[UI]).toEqual({ elicitation: {} });
      const { content } = await client.callTool({ name: "book", arguments: {} });
      expect(content).toEqual([{ type: "text", text: "accepted, accepted" }]);
      const { resources } = await client.listResources();
      const [form, page] = asked;
      expect(form).toMatchObject({ message: "Who?", _meta: { ui: { resourceUri: resources[0]?.uri } } });
      expect(page).not.toHaveProperty("_meta.ui");
    });

    test("gets none when it has not declared that", async () => {
      const { client, asked } = await open(era, {});
      await client.callTool({ name: "book", arguments: {} });
      expect(asked).toHaveLength(2);
      for (const params of asked) expect(params).not.toHaveProperty("_meta.ui");
    });
  },
);
