import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import type { FormQuestion, RuntimeOptions } from "../../runtime/index.ts";

async function ask(
  proposeAnswer: RuntimeOptions["proposeAnswer"],
  question: FormQuestion = CITY,
  options: Partial<RuntimeOptions> = {},
) {
  const runtime = createTestRuntime(asking(question), { proposeAnswer, ...options });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const request = await stream.request();
  const say = (text: string, signal?: AbortSignal) =>
    ada.fetch(`/run/api/elicitations/${request.elicitationId}/proposal`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text }),
      ...(signal && { signal }),
    });
  return { runtime, ada, request, say };
}

test("a sentence of the user yields valid values for the form, and the request stays open", async () => {
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

test("a proposal that is longer than any answer does not reach the page", async () => {
  const { request, say } = await ask(async () => ({ city: "x".repeat(1_000_000) }));
  const { elicitationId } = request;
  expect(await (await say("Rome, please")).json()).toEqual({ success: true, elicitationId, content: {} });
});

test("when the model fails or takes more than 20 seconds, the reply is a 500 without details", async () => {
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

test("a form that asks for a secret accepts no sentence, and no form does without `proposeAnswer`", async () => {
  const requestedSchema = { type: "object", properties: { pin: { type: "string", title: "PIN" } } } as const;
  const secret = await ask(() => Promise.reject(new Error("asked")), { ...CITY, requestedSchema });
  expect(secret.request.context).toBeUndefined();
  expect((await secret.say("1234")).status).toBe(400);
  const without = await ask(undefined);
  expect(without.request.context).toBeUndefined();
  expect((await without.say("Rome")).status).toBe(404);
});

test("a tool cannot make a form accept a sentence if the runtime does not offer that", async () => {
  const context = { trigger: "tool", source: "crm", takesSentence: true } as const;
  const without = await ask(undefined, { ...CITY, context });
  expect(without.request.context).toEqual({ trigger: "tool", source: "crm" });
  const requestedSchema = { type: "object", properties: { pin: { type: "string", title: "PIN" } } } as const;
  const secret = await ask(async () => ({}), { ...CITY, context, requestedSchema });
  expect(secret.request.context).toEqual({ trigger: "tool", source: "crm" });
});

test("when the client disconnects, the model call for its sentence ends without an error", async () => {
  const heard: AbortSignal[] = [];
  const { runtime, say } = await ask(({ signal }) => {
    heard.push(signal);
    return new Promise(() => {});
  });
  const leaving = new AbortController();
  const reply = say("Rome", leaving.signal);
  await expect.poll(() => heard).toHaveLength(1);
  leaving.abort();
  await reply.catch(() => undefined);
  expect(heard[0]?.aborted).toBe(true);
  expect(runtime.errors).toEqual([]);
});

test("a user can send thirty sentences a minute, and can still answer", async () => {
  let calls = 0;
  const { runtime, ada, request, say } = await ask(async () => ({ city: `City ${(calls += 1)}` }));
  for (let count = 0; count < 30; count += 1) expect((await say("Rome")).status).toBe(200);
  const refused = await say("Rome");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(calls).toBe(30);
  runtime.clock.advance(60_000);
  expect((await say("Rome")).status).toBe(200);
  for (let count = 0; count < 30; count += 1) await say("Rome");
  const { elicitationId } = request;
  expect((await ada.answer("c1", { elicitationId, action: "decline" })).status).toBe(200);
});

test("sentences count towards a limit that all processes share, separate from the limit of other writes", async () => {
  const counted: unknown[] = [];
  const { say } = await ask(async () => ({}), CITY, {
    ports: {
      writeLimit(sender, count, perMinute) {
        counted.push([sender, count, perMinute]);
        return { ok: true };
      },
    },
  });
  counted.length = 0;
  await say("Rome");
  expect(counted).toEqual([
    ["user ada", 1, 60],
    ["proposals of user ada", 1, 30],
  ]);
});
