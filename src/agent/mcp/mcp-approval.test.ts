import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createAgentTurn } from "../agent-turn.ts";

/** A server with a tool that reads, one that destroys something, and one that does not say what it does. */
function setUp(askFirst: "destructive" | "all" | undefined, ...calls: readonly string[]) {
  const called: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "files", version: "1" });
    const add = (name: string, annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean }) =>
      server.registerTool(
        name,
        {
          title: `The ${name}`,
          inputSchema: z.object({ path: z.string() }),
          ...(annotations && { annotations }),
        },
        ({ path }) => {
          called.push(`${name} ${path}`);
          return { content: [{ type: "text", text: "Done." }] };
        },
      );
    add("read", { readOnlyHint: true });
    add("append", { readOnlyHint: false, destructiveHint: false });
    add("delete", { readOnlyHint: false, destructiveHint: true });
    add("unknown");
    return server;
  });
  const fetch: typeof globalThis.fetch = (input, init) => handler.fetch(new Request(input, init));
  const steps = calls.map((name) => ({ [`files_${name}`]: { path: "/a" } }));
  const model = createScriptedModel(...steps, "Done.");
  const server = {
    name: "files",
    service: "Files",
    url: "https://files.example.com/mcp",
    credentialScope: "none",
  } as const;
  const runTurn = createAgentTurn({
    model,
    mcpServers: [{ ...server, askFirst, fetch }],
    requester: { name: "Agent" },
    onError: console.error,
  });
  const runtime = createTestRuntime(runTurn);
  return { called, model, ada: createChatClient(runtime.fetch, { user: "ada" }) };
}

test.each(["delete", "unknown"])("the user approves the tool %s of a server before it runs", async (name) => {
  const { called, ada } = setUp("destructive", name);
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toBe(`Files: “The ${name}”\n\nPath: /a`);
  expect(called).toEqual([]);
  await ada.answer("c1", { elicitationId, action: "accept", content: {} });
  await stream.done;
  expect(called).toEqual([`${name} /a`]);
});

test("a tool that only reads, or destroys nothing, runs without a card", async () => {
  const { called, ada } = setUp("destructive", "read", "append");
  await (
    await ada.send("c1")
  ).done;
  expect(called).toEqual(["read /a", "append /a"]);
});

test('with "all", a declined call does not reach the server, whatever it says of its tool', async () => {
  const { called, model, ada } = setUp("all", "read");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(called).toEqual([]);
  expect(JSON.stringify(toolResultsSeen(model))).toContain("The user declined");
});

test("without the option, no tool of a server asks", async () => {
  const { called, ada } = setUp(undefined, "delete");
  await (
    await ada.send("c1")
  ).done;
  expect(called).toEqual(["delete /a"]);
});
