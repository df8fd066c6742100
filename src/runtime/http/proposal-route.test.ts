import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import type { FormQuestion, RuntimeOptions } from "../index.ts";

async function ask(proposeAnswer: RuntimeOptions["proposeAnswer"], question: FormQuestion = CITY) {
  const runtime = createTestRuntime(asking(question), { proposeAnswer });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const request = await stream.request();
  const say = (text: string) =>
    ada.fetch(`/run/api/elicitations/${request.elicitationId}/proposal`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text }),
    });
  return { runtime, request, say };
}

test("a sentence gives values that fit the form, and the request stays open", async () => {
  const heard: unknown[] = [];
  const { runtime, request, say } = await ask(async ({ text, user, conversationId }) => {
    heard.push([text, user.id, conversationId]);
    return { city: "Rome", nights: "many", price: 3 };
  });
  expect(request.context).toEqual({ trigger: "tool", takesSentence: true });
  const reply = await say("Rome, please");
  const { elicitationId } = request;
  expect(await reply.json()).toEqual({ success: true, elicitationId, content: { city: "Rome" } });
  expect(heard).toEqual([["Rome, please", "ada", "c1"]]);
  expect((await runtime.elicitations.get(elicitationId))?.status).toBe("pending");
});

test("a model that fails, or takes more than 20 seconds, is a 500 that tells the client nothing", async () => {
  const failing = await ask(() => Promise.reject(new Error("the key of the model is sk-1")));
  const reply = await failing.say("Rome");
  expect(reply.status).toBe(500);
  expect(await reply.text()).not.toContain("sk-1");
  const { runtime, say } = await ask(() => new Promise(() => {}));
  const idle = runtime.clock.waiting;
  const late = say("Rome");
  await expect.poll(() => runtime.clock.waiting).toBeGreaterThan(idle);
  runtime.clock.advance(20_000);
  expect((await late).status).toBe(500);
});

test("a form that asks for a secret takes no sentence, and neither does one without `proposeAnswer`", async () => {
  const requestedSchema = { type: "object", properties: { pin: { type: "string", title: "PIN" } } } as const;
  const secret = await ask(() => Promise.reject(new Error("asked")), { ...CITY, requestedSchema });
  expect(secret.request.context).toBeUndefined();
  expect((await secret.say("1234")).status).toBe(400);
  const without = await ask(undefined);
  expect(without.request.context).toBeUndefined();
  expect((await without.say("Rome")).status).toBe(404);
});
