/** A host with the AppBridge of ext-apps, and a view on its App with the kit's channel, in one process. */
import { type CallToolResult, InMemoryTransport } from "@modelcontextprotocol/client";
import type { McpServer } from "@modelcontextprotocol/server";
import { App } from "@modelcontextprotocol/ext-apps";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { type ElicitationItem, createElicitationClient } from "../../../src/client/index.ts";
import { FakeBrowser } from "../../../src/client/popup/testing/fake-browser.ts";
import { createMcpAppChannel } from "../../../extras/mcp-app/index.ts";
import { type Eliciting, elicitorFor } from "../../../extras/mcp-server/index.ts";
import { type BridgeHost, type HostSwitches, createBridgeHost } from "../../stages/bridge-host.ts";
import { createSkippingClock } from "../../stages/skipping-clock.ts";
import { type Era, serveApp } from "./host.ts";

/** A tool that asks two questions and books once, and one that asks to open a page. */
export function parcels() {
  const booked: string[] = [];
  const register = (server: McpServer, eliciting: Eliciting) => {
    server.registerTool(
      "book",
      { inputSchema: z.object({ to: z.string().default("Lisbon") }) },
      eliciting("book", async ({ to }, ctx) => {
        const elicitor = elicitorFor(ctx);
        const who = await elicitor.text(`Who in ${to}?`, { minLength: 2 });
        if (who.outcome !== "accepted") return said(who.outcome);
        const sure = await elicitor.confirm("Sure?");
        if (sure.outcome !== "accepted") return said(sure.outcome);
        await elicitor.once("book", () => booked.push(who.value));
        return said(`Booked for ${who.value}.`);
      }),
    );
    server.registerTool(
      "pay",
      { inputSchema: z.object({}) },
      eliciting("pay", async (_, ctx) => {
        const paid = await elicitorFor(ctx).url("Pay", { url: PAGE, service: "Pay" });
        return said(paid.outcome === "accepted" ? "Paid." : paid.outcome);
      }),
    );
  };
  return { booked, register };
}

export const PAGE = "https://pay.example.com/1";
const said = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

export interface Stage {
  readonly clock: ReturnType<typeof createSkippingClock>;
  readonly host: BridgeHost;
  readonly callTool: (tool: string, args: Record<string, unknown>) => Promise<CallToolResult>;
  readonly booked: readonly string[];
  readonly links: readonly string[];
  readonly messages: readonly string[];
  readonly contexts: readonly string[];
  /** Resolves when the host has shown its view. */
  readonly view: Promise<AppView>;
}

type AppView = ReturnType<typeof openView>;

export async function openHost(era: Era, switches: HostSwitches): Promise<Stage> {
  const clock = createSkippingClock();
  const { booked, register } = parcels();
  const client = await serveApp(register, { clock }).client({ era });
  const [links, messages, contexts]: [string[], string[], string[]] = [[], [], []];
  const shown = createDeferred<AppView>();
  const host = createBridgeHost({
    client,
    switches,
    async place() {
      const [transport, ofView] = InMemoryTransport.createLinkedPair();
      shown.resolve(openView(ofView, clock));
      return { transport };
    },
    said: {
      link: (url) => links.push(url),
      message: (content) => messages.push(JSON.stringify(content)),
      context: (content) => contexts.push(JSON.stringify(content)),
    },
  });
  const callTool: Stage["callTool"] = (name, args) => client.callTool({ name, arguments: args });
  return { clock, host, callTool, booked, links, messages, contexts, view: shown.promise };
}

/** A view on the App of ext-apps, as in docs/protocols/hosts-without-elicitation.md. */
function openView(transport: InMemoryTransport, clock: Stage["clock"]) {
  const app = new App({ name: "parcels", version: "1.0.0" }, {}, { autoResize: false });
  const connected = app.connect(transport);
  const channel = createMcpAppChannel({
    serverName: "Parcel server",
    clock,
    host: {
      async callTool(params) {
        await connected;
        return app.callServerTool(params);
      },
      async report({ content }) {
        const text = [{ type: "text" as const, text: JSON.stringify(content) }];
        await app.updateModelContext({ content: text });
        if (app.getHostCapabilities()?.message === undefined) return;
        await app.sendMessage({ role: "user", content: text });
      },
    },
  });
  app.ontoolinput = ({ arguments: input }) => channel.toolInput(input);
  app.ontoolresult = (result) => channel.toolResult(result);
  app.ontoolcancelled = () => channel.toolCancelled();
  const client = createElicitationClient({
    channel,
    clock,
    storage: null,
    popupEnvironment: new FakeBrowser(),
    openUrl: async (url) => ((await app.openLink({ url })).isError === true ? "blocked" : "opened"),
  });
  onTestFinished(async () => {
    channel.close();
    client.dispose();
    await app.close();
  });
  const items = () => client.getSnapshot().items;
  /** The question that waits for the user. */
  async function asked(): Promise<ElicitationItem> {
    const find = () => items().find(({ status }) => status === "pending");
    await expect.poll(find).toBeDefined();
    const item = find();
    if (item === undefined) throw new Error("nothing is asked");
    return item;
  }
  return { client, items, asked };
}
