/** Tests for a page on which the user is while the agent asks for something else. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { FakeBrowser } from "../../../src/client/popup/testing/fake-browser.ts";
import { createElicitationClient } from "../../../src/client/index.ts";
import { createMcpChannel } from "../../../src/mcp/page/index.ts";
import { serveAgent } from "./agent.ts";
import { asks } from "./turns.ts";
import { ASK } from "./wire.ts";

test("a page keeps its card, and is not accepted, while the agent asks with a form", async () => {
  const pages: string[] = [];
  const agent = await serveAgent(
    asks((elicitor) =>
      Promise.all([
        elicitor.url("Connect Tracker", {
          url(id) {
            pages.push(id);
            return `https://auth.example.com/connect?id=${id}`;
          },
          service: "Tracker",
        }),
        elicitor.text("First?").then(() => elicitor.text("Second?")),
      ]),
    ),
  );
  const mcp = new Client(
    { name: "page", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const channel = createMcpChannel({ client: mcp, serverName: "Planner" });
  const client = createElicitationClient({ channel, storage: null, popupEnvironment: new FakeBrowser() });
  const requestInit = { headers: { authorization: "Bearer ada" } };
  await mcp.connect(new StreamableHTTPClientTransport(new URL(agent.url), { requestInit }));
  onTestFinished(async () => {
    client.dispose();
    await mcp.close();
  });
  const states = () =>
    client.getSnapshot().items.map(({ request, status }) => `${request.message}: ${status}`);
  const answer = (message: string) => {
    const item = client.getSnapshot().items.find(({ request }) => request.message === message);
    return client.accept(item?.id ?? "", { answer: "Oslo" });
  };

  const result = channel.callTool(ASK);
  result.catch(() => {});
  await expect.poll(states).toHaveLength(2);
  const [page] = client.getSnapshot().items.filter(({ request }) => request.mode === "url");
  void client.connect(page?.id ?? "");
  await answer("First?");
  await expect.poll(states).toHaveLength(3);
  expect(states()).toEqual(["Connect Tracker: opened", "First?: accepted", "Second?: pending"]);
  await answer("Second?");
  await agent.runtime.elicitations.complete(pages.at(-1) ?? "");
  expect(JSON.stringify(await result)).toContain("Oslo");
  expect(states()).toEqual(["Connect Tracker: accepted", "First?: accepted", "Second?: accepted"]);
});
