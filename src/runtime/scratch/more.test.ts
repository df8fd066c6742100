import { test, vi } from "vitest";
import { z } from "zod";
import { tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createChatClient } from "../testing/chat-client.ts";
import { createScriptedModel, toolResultsSeen } from "../testing/scripted-model.ts";
import { CITY, CONNECT, asking, createTestRuntime, text } from "../testing/test-runtime.ts";
import {
  createMemoryCredentials,
  createMemoryWaiter,
  createMemoryRecords,
  type Waiter,
} from "../core/index.ts";
import { createAgentTurn } from "../agent/index.ts";

function setUp(model: any, tools: any) {
  const errors: unknown[] = [];
  const runtime = createTestRuntime((turn) => run(turn));
  const run = createAgentTurn({
    model,
    tools,
    credentials: createMemoryCredentials(),
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "D" },
    clock: runtime.clock,
    onError: (e) => errors.push(e),
  });
  return { runtime, errors, ada: createChatClient(runtime.fetch, { user: "ada" }) };
}
const ask = ({ elicit }: any) =>
  tool({
    inputSchema: z.object({}),
    execute: async (_: any, { toolCallId }: any) => {
      const a = await elicit({
        mode: "form",
        message: "m",
        requestedSchema: CITY.requestedSchema,
        toolCallId,
      });
      return a.outcome === "accepted" ? "ok" : a.text;
    },
  });

test("60 form calls at once", async () => {
  const m = createScriptedModel(
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`book#${i}`, {}])),
    "fine",
  );
  const { ada, runtime, errors } = setUp(m, { book: ask });
  const s = await ada.send("c1");
  await s.request(49);
  const open: any = await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  console.log("60:", open.elicitations.length);
  // decline one -> others?
  let i = 0;
  for (const e of open.elicitations) {
    const r = await ada.answer("c1", {
      elicitationId: e.elicitationId,
      action: i++ % 2 ? "decline" : "cancel",
    });
    if (r.status !== 200) console.log("st", r.status);
  }
  await s.done;
  console.log("60 results", toolResultsSeen(m).length, errors.length);
});
test("duplicate call ids", async () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  let n = 0;
  const m = new MockLanguageModelV4({
    doStream: async () => ({
      stream: new ReadableStream({
        start(c) {
          c.enqueue({ type: "stream-start", warnings: [] });
          if (n++ === 0) {
            for (let i = 0; i < 3; i++)
              c.enqueue({ type: "tool-call", toolCallId: "same", toolName: "book", input: "{}" });
            c.enqueue({
              type: "finish",
              finishReason: { unified: "tool-calls", raw: undefined },
              usage,
            } as any);
          } else {
            c.enqueue({ type: "text-start", id: "t" });
            c.enqueue({ type: "text-delta", id: "t", delta: "fin" });
            c.enqueue({ type: "text-end", id: "t" });
            c.enqueue({ type: "finish", finishReason: { unified: "stop", raw: undefined }, usage } as any);
          }
          c.close();
        },
      }),
    }),
  } as any);
  const { ada, runtime, errors } = setUp(m, { book: ask });
  const s = await ada.send("c1");
  const r = await s.request();
  await new Promise((k) => setTimeout(k, 50));
  const open: any = await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  console.log("DUP open", open.elicitations.length);
  for (const e of open.elicitations)
    await ada.answer("c1", { elicitationId: e.elicitationId, action: "accept", content: { city: "Oslo" } });
  await s.done;
  console.log(
    "DUP",
    s.chunks.map((c) => c["type"]).join(","),
    errors.map(String),
    runtime.errors.map(String),
  );
});
test("model loops on ask (infinite steps), bad inputs", async () => {
  const m = createScriptedModel(
    ...Array.from({ length: 30 }, () => ({ book: { __proto__: { a: 1 }, x: "[".repeat(100) } })),
    "x",
  );
  const { ada, errors } = setUp(m, { book: ask });
  const s = await ada.send("c1");
  const r = await s.request();
  await ada.answer("c1", { elicitationId: r.elicitationId, action: "decline" });
  await s.done;
  console.log("LOOP", m.doStreamCalls.length, errors.length);
});
test("slow records", async () => {
  const mem = createMemoryRecords();
  const slow =
    (f: any) =>
    async (...a: any[]) => {
      await new Promise((r) => setTimeout(r, 200));
      return f(...a);
    };
  const rt = createTestRuntime(asking(CITY), {
    records: {
      create: slow(mem.create),
      get: slow(mem.get),
      compareAndSet: slow(mem.compareAndSet),
      listOpen: slow(mem.listOpen),
    } as any,
  });
  const ada = createChatClient(rt.fetch, { user: "ada" });
  const s = await ada.send("c1");
  // stop while record is being created
  await new Promise((r) => setTimeout(r, 100));
  await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await s.done;
  await new Promise((r) => setTimeout(r, 800));
  console.log(
    "SLOW",
    JSON.stringify(s.chunks.map((c: any) => [c.type, c.data?.resolution?.outcome])),
    JSON.stringify(await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json()),
    rt.errors,
  );
});
test("CAS that was stored but said false / threw", async () => {
  const mem = createMemoryRecords();
  let n = 0;
  const rt = createTestRuntime(asking(CITY), {
    records: {
      ...mem,
      compareAndSet: async (x) => {
        const ok = await mem.compareAndSet(x);
        if (n++ === 0) throw new Error("connection lost after commit");
        return ok;
      },
    },
  });
  const ada = createChatClient(rt.fetch, { user: "ada" });
  const s = await ada.send("c1");
  const { elicitationId } = await s.request();
  const a = await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Oslo" } });
  const b = await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Oslo" } });
  await Promise.race([s.done, new Promise((r) => setTimeout(r, 500))]);
  console.log(
    "CASLOST",
    a.status,
    b.status,
    await b.text(),
    JSON.stringify(s.chunks.at(-1)),
    s.chunks.map((c: any) => c.data?.resolution?.outcome ?? c.type).join(","),
  );
});
test("waiter twice and forged order", async () => {
  const mem = createMemoryWaiter();
  const waiter: Waiter = {
    wait: mem.wait,
    settle: async (id, st) => {
      await mem.settle(id, st);
      await mem.settle(id, { outcome: "declined" });
    },
  };
  const rt = createTestRuntime(asking(CITY), { waiter });
  const ada = createChatClient(rt.fetch, { user: "ada" });
  const s = await ada.send("c1");
  const { elicitationId } = await s.request();
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Oslo" } });
  await s.done;
  console.log(
    "TWICE",
    s.chunks
      .filter((c: any) => c.type === "text-delta")
      .map((c: any) => c.delta)
      .join(),
  );
});
