import { expect, test } from "vitest";
import { parseStreamEvent } from "../../../protocol/schema.ts";
import { createChatClient, readStream } from "../../testing/chat-client.ts";
import { CITY, CONNECT, createTestRuntime, text } from "../../testing/test-runtime.ts";
import type { UrlQuestion } from "../index.ts";

const QUESTION: UrlQuestion = { ...CONNECT, toolCallId: "call_1" };

function setUp() {
  const runtime = createTestRuntime(async function* run(turn) {
    await turn.ask(QUESTION);
    await turn.ask({ ...QUESTION, toolCallId: "call_2" });
    await turn.ask({ ...CITY, toolCallId: "call_3" });
    const result = await turn.ask({ ...QUESTION, context: { trigger: "tool" } });
    yield* text(result.outcome);
  });
  return createChatClient(runtime.fetch, { user: "ada" });
}

const NOTICE = {
  type: "data-tool-auth-required",
  data: {
    type: "data-tool-auth-required",
    toolCallId: "call_1",
    toolName: "tracker_create_issue",
    toolId: "tracker",
    message: "To go on, the assistant needs access to your Tracker account.",
  },
};

test("a chat that cannot be asked is told once which connection is missing, and the tool does not wait", async () => {
  const stream = await setUp().send("c1", { capabilities: { elicitation: { form: {} } }, messages: [{}] });
  const form = await stream.request();
  expect(form.mode).toBe("form");
  const notices = stream.chunks.filter(({ type }) => type === "data-tool-auth-required");
  expect(notices).toEqual([NOTICE]);
  expect(parseStreamEvent(notices[0])).toMatchObject({ ok: true, known: true });
});

test("a client that does not stream finds the notice beside the answer", async () => {
  const response = await setUp().fetch("/run/api/chat", {
    body: { id: "c1", stream: false, messages: [{ role: "user", parts: [] }] },
  });
  expect(await response.json()).toMatchObject({
    parts: [{ type: "text", text: "unsupported" }],
    data: [NOTICE],
  });
});

test("an OpenAI client that said nothing of elicitation sees text only", async () => {
  const response = await setUp().fetch("/run/v1/chat/completions", {
    body: { conversationId: "c1", stream: true, messages: [{ role: "user", content: "Go" }] },
  });
  const stream = readStream(response);
  await stream.done;
  expect(JSON.stringify(stream.chunks)).not.toContain("tool-auth-required");
  expect(JSON.stringify(stream.chunks)).toContain("unsupported");
});
