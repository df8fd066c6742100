import { expect, test, vi } from "vitest";
import { createChatClient } from "../testing/chat-client.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../testing/test-runtime.ts";
import {
  createMemoryRecords,
  createMemoryWaiter,
  createMemoryTurnStream,
  type Waiter,
} from "../core/index.ts";
import { createRateLimit } from "../core/rate-limit.ts";
import { createManualClock } from "../testing/manual-clock.ts";

test("D waiter rejects", async () => {
  const memory = createMemoryWaiter();
  const waiter: Waiter = {
    ...memory,
    wait: async () => {
      await new Promise((r) => setTimeout(r, 20));
      throw new Error("redis gone");
    },
  };
  const rt = createTestRuntime(asking(CITY), { waiter });
  const ada = createChatClient(rt.fetch, { user: "ada" });
  const s = await ada.send("c1");
  await s.done;
  console.log("D", JSON.stringify(s.chunks), rt.errors);
  console.log("D open:", await (await ada.fetch("/run/api/elicitations?conversationId=c1")).text());
});

test("C stale records", async () => {
  const clock = createManualClock();
  const memory = createMemoryRecords({ clock });
  let casCount = 0;
  let stale: any;
  const records = {
    ...memory,
    async get(id: string) {
      await new Promise((r) => setImmediate(r));
      const now = await memory.get(id);
      stale ??= now;
      return stale ?? now;
    },
    async compareAndSet(n: any) {
      casCount++;
      if (casCount > 3000) throw new Error("enough");
      return memory.compareAndSet(n);
    },
  };
  const rt = createTestRuntime(asking(CITY), { records });
  const ada = createChatClient(rt.fetch, { user: "ada" });
  const s = await ada.send("c1");
  const { elicitationId } = await s.request();
  await ada.fetch(`/run/api/elicitations/${elicitationId}`);
  const a = await ada.answer("c1", { elicitationId, action: "decline" });
  const b = await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Oslo" } });
  console.log("C", a.status, b.status, casCount, rt.errors);
});

test("E reattach wake", async () => {
  const rt = createTestRuntime(asking(CITY));
  const ada = createChatClient(rt.fetch, { user: "ada" });
  const s = await ada.send("c1");
  await s.request();
  const N = 3000;
  const rs = await Promise.all(
    Array.from({ length: N }, async () => {
      const r = await ada.fetch("/run/api/chat/c1/stream");
      const rd = r.body!.getReader();
      await rd.read();
      return rd;
    }),
  );
  for (const r of rs) void r.read();
  await new Promise((r) => setTimeout(r, 100));
  const t = performance.now();
  await Promise.all(rs.map((r) => r.cancel()));
  await new Promise((r) => setTimeout(r, 0));
  console.log("E", N, performance.now() - t, "ms");
});

test("J deep", async () => {
  const rt = createTestRuntime(asking(CITY));
  const ada = createChatClient(rt.fetch, { user: "ada" });
  for (const depth of [1000, 10000, 20000]) {
    const deep = "[".repeat(depth) + "]".repeat(depth);
    const r = await ada.fetch("/run/api/chat", {
      body: `{"id":"c1","messages":[{"role":"user","parts":[{"type":"data-elicitation-response","data":{"elicitationId":"x","action":"accept","content":{"a":${deep}}}}]}]}`,
    });
    console.log("J fast", depth, r.status, rt.errors.length);
    const r2 = await ada.fetch("/run/api/elicitation-responses", {
      body: `{"conversationId":"c1","elicitationId":"x","action":"accept","content":{"a":${deep}}}`,
    });
    console.log("J", depth, r2.status, rt.errors.length);
  }
});

test("L clock back", () => {
  const clock = createManualClock();
  let skew = 0;
  const limit = createRateLimit({ clock: { ...clock, now: () => clock.now() + skew }, perMinute: 1 });
  limit("a");
  skew = -3600_000;
  console.log("L", limit("a"));
});

test("S no id", async () => {
  for (const id of [undefined, "", 7]) {
    const rt = createTestRuntime(asking(CITY), { authenticate: () => ({ id }) as any });
    const ada = createChatClient(rt.fetch, {});
    const s = await ada.send("c1");
    const q = await Promise.race([
      s.request().then((r) => r.mode),
      s.done.then(() => "done"),
      new Promise((r) => setTimeout(() => r("t"), 500)),
    ]).catch(String);
    console.log("S", id, s.response.status, q);
    await rt.close();
  }
});

test("Q cors on error", async () => {
  const rt = createTestRuntime(asking(CITY), {
    authenticate: () => {
      throw new Error("db");
    },
  });
  const ada = createChatClient(rt.fetch, {});
  const r = await ada.fetch("/run/api/elicitations/x");
  console.log("Q", r.status, [...r.headers]);
  const p = await rt.fetch(
    new Request("https://r.example.com/run/api/chat", {
      method: "OPTIONS",
      headers: { origin: "null", "access-control-request-method": "POST" },
    }),
  );
  console.log("Q", p.status, [...p.headers]);
});

test("path tricks", async () => {
  const rt = createTestRuntime(asking(CITY));
  const ada = createChatClient(rt.fetch, { user: "ada" });
  const s = await ada.send("a/b;c");
  const { elicitationId } = await s.request();
  for (const p of [
    "/run/api/chat/a%2Fb;c/stream",
    "/run/api/chat/a%2Fb%3Bc/stream",
    "//run/api/chat/a%2Fb;c/stream",
    "/run//api/elicitations/" + elicitationId,
    "/run/api/elicitations/" + elicitationId + "/",
    "/run/api/elicitations/" + elicitationId + ";x",
    "/run/api/elicitations/%E0%A4%A",
    "/run/api/elicitations/" + elicitationId.replace(/^./, (c) => "%" + c.charCodeAt(0).toString(16)),
    "/run/api/elicitations/__proto__",
    "/run/api/elicitations/%00",
  ]) {
    const r = await ada.fetch(p);
    console.log("P", p, r.status);
    await r.body?.cancel();
  }
  await rt.close();
  console.log(rt.errors);
});
