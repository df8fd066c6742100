import { test } from "vitest";
import net from "node:net";
import { serve } from "../node/index.ts";
import { createTestRuntime, asking, CITY } from "../testing/test-runtime.ts";
import { authenticateTestUser } from "../testing/chat-client.ts";
import { systemClock } from "../core/index.ts";

test("gone early", { timeout: 60000 }, async () => {
  let ran = 0;
  const rt = createTestRuntime(
    (t) => {
      ran++;
      return asking(CITY)(t);
    },
    {
      clock: systemClock,
      authenticate: async (r) => {
        await new Promise((k) => setTimeout(k, 300));
        return authenticateTestUser(r);
      },
    },
  );
  const s = await serve({ fetch: rt.fetch });
  const u = new URL(s.url);
  // 1. slow authenticate
  const ac = new AbortController();
  const p = fetch(s.url + "/run/api/chat", {
    method: "POST",
    signal: ac.signal,
    headers: { "content-type": "application/json", authorization: "Bearer ada" },
    body: '{"id":"c1","messages":[{"role":"user","parts":[]}]}',
  }).catch((e) => e.name);
  await new Promise((r) => setTimeout(r, 100));
  ac.abort();
  const st = await fetch(s.url + "/run/api/chat/c1/stop", {
    method: "POST",
    headers: { authorization: "Bearer ada" },
  });
  await new Promise((r) => setTimeout(r, 600));
  console.log(
    "GE1",
    await p,
    st.status,
    "ran",
    ran,
    await (
      await fetch(s.url + "/run/api/elicitations?conversationId=c1", {
        headers: { authorization: "Bearer ada" },
      })
    )
      .text()
      .then((t) => t.slice(0, 80)),
  );
  // 2. cut-off body
  const k = net.connect(Number(u.port), u.hostname);
  k.write(
    "POST /run/api/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ada\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
  );
  await new Promise((r) => setTimeout(r, 600));
  k.destroy();
  await new Promise((r) => setTimeout(r, 300));
  console.log("GE2", rt.errors.map(String), "ran", ran);
  await rt.close();
  await s.close();
});
