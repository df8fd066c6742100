import { TaskState } from "@a2a-js/sdk";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Channel, type ElicitationItem, createElicitationClient } from "elicit-kit/client";
import { createMcpChannel } from "elicit-kit/mcp";
import { elicitorFor } from "elicit-kit/mcp/server";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { FakeBrowser } from "../../src/client/popup/testing/fake-browser.ts";
import { CITY, asking } from "../stages/test-runtime.ts";
import { serveAgent } from "./a2a/agents.ts";
import { openPage } from "./a2a/page.ts";
import { FORM, createPage, prompt } from "./acp/apps.ts";
import { open, serve } from "./ag-ui/thread.ts";
import { serveTools } from "./mcp-server/tools.ts";

/** A channel whose other side asks for a city, with its conversation, and the answer that the other side gets. */
interface Asked {
  channel: Channel;
  conversationId: string;
  isAsked: Promise<unknown>;
  got: Promise<unknown>;
}

const requestedSchema = { type: "object", properties: { city: { type: "string" } } } as const;

/** Each asks before the client of the test exists. */
const PROTOCOLS: Readonly<Record<string, () => Promise<Asked>>> = {
  async MCP() {
    const { url } = await serveTools((server, eliciting) => {
      server.registerTool(
        "ask",
        { inputSchema: z.object({}) },
        eliciting("ask", async (_, ctx) => ({
          content: [{ type: "text", text: JSON.stringify(await elicitorFor(ctx).text("Where to?")) }],
        })),
      );
    });
    const client = new Client({ name: "page", version: "1" });
    const channel = createMcpChannel({ client, serverName: "Planner" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    onTestFinished(() => client.close());
    const isAsked = tellsOf(channel);
    const got = channel.callTool({ name: "ask", arguments: {} }, { conversationId: "c1" });
    return { channel, conversationId: "c1", isAsked, got };
  },
  async A2A() {
    const agent = await serveAgent(
      (task) => {
        if (task.isNew)
          return task.ask([{ elicitationId: "f1", mode: "form", message: "Where to?", requestedSchema }]);
        task.artifact(JSON.stringify(task.message));
        task.status(TaskState.TASK_STATE_COMPLETED);
      },
      { transport: "JSONRPC", streaming: true },
    );
    const { channel } = await openPage(agent.url, { conversationId: "c1" });
    return { channel, conversationId: "c1", isAsked: tellsOf(channel), got: channel.send("Book") };
  },
  async ACP() {
    const page = createPage();
    return {
      channel: page.channel,
      conversationId: "s1",
      isAsked: tellsOf(page.channel),
      got: prompt(page, (asked) => asked.request("elicitation/create", FORM)),
    };
  },
  async "AG-UI"() {
    const page = open(serve(asking(CITY)));
    const isAsked = page.say("Book");
    const got = new Promise((resolve) => {
      page.agent.subscribe({ onTextMessageContentEvent: ({ event }) => resolve(event.delta) });
    });
    return { channel: page.channel, conversationId: "thread-1", isAsked, got };
  },
};

test.each(Object.entries(PROTOCOLS))(
  "a client that is created after a question shows the question, and can answer it (%s)",
  async (_, ask) => {
    const { channel, conversationId, isAsked, got } = await ask();
    await isAsked;
    const client = createElicitationClient({ channel, storage: null, popupEnvironment: new FakeBrowser() });
    onTestFinished(() => client.dispose());
    const { items } = client.getSnapshot();
    expect(items).toMatchObject([{ conversationId, status: "pending", request: { mode: "form" } }]);
    const [{ id, request }] = items as [ElicitationItem];
    const [field = ""] = Object.keys((request.mode === "form" && request.requestedSchema.properties) || {});
    await client.accept(id, { [field]: "Rome" });
    expect(JSON.stringify(await got)).toContain("Rome");
    expect(client.getSnapshot().items).toMatchObject([{ status: "accepted" }]);
  },
);

/** Resolves when the channel reports a question. */
const tellsOf = (channel: Channel): Promise<unknown> => new Promise((resolve) => channel.subscribe(resolve));
