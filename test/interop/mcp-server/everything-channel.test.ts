import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { createElicitationClient } from "../../../src/client/index.ts";
import { initialDrafts, parseRequestedSchema, validate } from "../../../src/form/index.ts";
import { createMcpChannel } from "../../../src/mcp/page/index.ts";
import { startEverything } from "../../stages/everything-server.ts";

const ASKS = "trigger-elicitation-request";

/** A page that is a client of the server, without its cards, once it has listed the tools. */
async function openPage(url: string) {
  const client = new Client({ name: "page", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const channel = createMcpChannel({ client, serverName: "Everything" });
  const elicitations = createElicitationClient({ channel, storage: null });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(async () => {
    elicitations.dispose();
    await client.close();
  });
  // The tool appears once the server knows that the client supports elicitation.
  await expect.poll(async () => (await client.listTools()).tools.map(({ name }) => name)).toContain(ASKS);
  return { channel, elicitations, items: () => elicitations.getSnapshot().items };
}

test("a page shows the form of server-everything with 13 fields, and the tool gets the answers", async () => {
  const { url, kill } = await startEverything();
  onTestFinished(kill);
  const { channel, elicitations, items } = await openPage(url);
  const result = channel.callTool({ name: ASKS, arguments: {} });
  await expect.poll(() => items().length).toBe(1);
  const [item] = items();
  const form = item?.request.mode === "form" ? parseRequestedSchema(item.request.requestedSchema) : undefined;
  if (item === undefined || form?.ok !== true) throw new Error("no form that can be shown");
  expect(form.fields).toHaveLength(13);
  const drafts = { ...initialDrafts(form.fields), name: "Ada Lovelace" };
  const checked = validate(form.fields, drafts);
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
  await elicitations.accept(item.id, checked.content);
  expect(JSON.stringify((await result).content)).toContain("Ada Lovelace");
});

test("the card is withdrawn, and the call fails, when server-everything disappears while the user thinks", async () => {
  const { url, kill } = await startEverything();
  onTestFinished(kill);
  const { channel, items } = await openPage(url);
  const result = channel.callTool({ name: ASKS, arguments: {} }).catch(String);
  await expect.poll(() => items().length).toBe(1);
  await kill();
  // The SDK first tries to reconnect.
  await expect.poll(() => items().map(({ status }) => status)).toEqual(["withdrawn"]);
  expect(await result).toContain("elicit-kit: the connection to Everything was lost during the call.");
});
