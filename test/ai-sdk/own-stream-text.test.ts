import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createTravelAgent } from "../../docs/examples/own-stream-text.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { createScriptedModel, toolResultsSeen } from "../stages/scripted-model.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("docs/start/your-chat-route.md contains its example unchanged", () => {
  expect(read("docs/start/your-chat-route.md")).toContain(
    `\`\`\`ts\n${read("docs/examples/own-stream-text.ts")}\`\`\``,
  );
});

it("an app's own streamText asks, continues with the answer, and keeps its options", async () => {
  const fast = createScriptedModel();
  const careful = createScriptedModel({ bookHotel: {} }, "Have a good stay.");
  const runtime = createTestRuntime(createTravelAgent({ fast, careful }));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1", { mode: "careful" });
  const { elicitationId } = await stream.request();
  const content = { city: "Lisbon", nights: 3 };
  expect((await ada.answer("c1", { elicitationId, action: "accept", content })).status).toBe(200);
  await stream.done;

  expect(fast.doStreamCalls).toHaveLength(0);
  expect(toolResultsSeen(careful)).toEqual([{ type: "text", value: "Booked 3 nights in Lisbon." }]);
  expect(careful.doStreamCalls[0]).toMatchObject({
    temperature: 0.2,
    providerOptions: { openai: { reasoningEffort: "low" } },
  });
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ type: "finish", messageMetadata: { tokens: expect.any(Number) } }),
  );
  expect(runtime.errors).toEqual([]);
});
