import type { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { expect, test } from "vitest";
import { chatWith } from "./chat.ts";
import { serveV1 } from "./servers.ts";

const saying = (text: string) => async () => ({ content: [{ type: "text" as const, text }] });

function headersSaid(server: McpServerV1): void {
  server.registerTool("who", {}, async ({ requestInfo }) => {
    const { "x-tenant": tenant, "x-api-key": key } = requestInfo?.headers ?? {};
    return { content: [{ type: "text", text: [tenant, key].flat().join(" ") }] };
  });
}

test("a server gets fixed headers, and a key that it echoes is removed from its results", async () => {
  const { url } = await serveV1(headersSaid);
  const headers = { "x-tenant": "acme-corporation", "x-api-key": "k3y-0123456789" };
  const chat = chatWith(url, [{ srv_who: {} }, "Done."], { headers });
  await (
    await chat.send()
  ).done;
  expect(chat.results()).toContain("acme-corporation [credential]");
});

test("a server gets headers that are computed for the user of the turn", async () => {
  const { url } = await serveV1(headersSaid);
  const headers = async (user: { id: string } | undefined) => ({ "x-tenant": `tenant of ${user?.id}` });
  const chat = chatWith(url, [{ srv_who: {} }, "Done."], { headers });
  await (
    await chat.send()
  ).done;
  expect(chat.results()).toContain("tenant of ada");
});

test("the model gets only the tools of the allow-list, and cannot call others", async () => {
  const { url, received } = await serveV1((server) => {
    server.registerTool("read", {}, saying("read"));
    server.registerTool("remove", {}, saying("removed"));
  });
  const chat = chatWith(url, [{ srv_remove: {} }, { srv_read: {} }, "Done."], { tools: ["read"] });
  await (
    await chat.send()
  ).done;
  expect(chat.results()).toContain("read");
  const called = received
    .filter(({ method }) => method === "tools/call")
    .map(({ params }) => params?.["name"]);
  expect(called).toEqual(["read"]);
});

test("a tool that a server adds during a call is available in the next step of the turn", async () => {
  let isUnlocked = false;
  const { url } = await serveV1((server) => {
    if (isUnlocked) server.registerTool("open", {}, saying("opened"));
    server.registerTool("unlock", {}, async ({ sendNotification }) => {
      isUnlocked = true;
      await sendNotification({ method: "notifications/tools/list_changed" });
      return { content: [{ type: "text", text: "unlocked" }] };
    });
  });
  const chat = chatWith(url, [{ srv_unlock: {} }, { srv_open: {} }, "Done."]);
  await (
    await chat.send()
  ).done;
  expect(chat.results()).toContain("opened");
  expect(chat.errors).toEqual([]);
});
