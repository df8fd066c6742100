/** Tests for earlier messages, on surfaces whose clients send only the new one. */
import type { UIMessage } from "ai";
import type { RunTurn } from "elicit-kit/runtime";
import type { LoadMessages } from "../../src/runtime/internal.ts";
import { expect, test } from "vitest";
import { text } from "../stages/test-runtime.ts";
import { caller, replyOf, serve } from "./a2a/served.ts";
import { serveAgent } from "./mcp-server/agent.ts";
import { clientV2 } from "./mcp-server/clients.ts";

const echo: RunTurn = async function* run({ messages, user }) {
  yield* text(
    JSON.stringify([user?.id, ...(messages as UIMessage[]).map(({ role, parts }) => [role, parts])]),
  );
};

const said = (words: string) => [{ type: "text", text: words }];

test("one function loads the conversation of an agent for MCP and for A2A", async () => {
  const history = new Map([
    ["ada c-1", [{ id: "m-0", role: "assistant" as const, parts: said("Hello Ada.") }]],
  ]);
  const messagesFor: LoadMessages = ({ user, conversationId, message }): readonly UIMessage[] => [
    ...((history.get(`${user?.id} ${conversationId}`) ?? []) as UIMessage[]),
    message,
  ];
  const expected = JSON.stringify(["ada", ["assistant", said("Hello Ada.")], ["user", said("Book a trip")]]);
  const overMcp = await serveAgent(echo, { surface: { messagesFor } });
  const client = await clientV2(overMcp.url, "2025-11-25");
  expect((await client.call({ message: "Book a trip", conversationId: "c-1" })).text).toBe(expected);
  const ada = await caller(serve(echo, { surface: { messagesFor } }));
  expect(replyOf(await ada.send("Book a trip", { contextId: "c-1" }))).toBe(expected);
});
