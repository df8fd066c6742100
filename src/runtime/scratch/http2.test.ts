import { test } from "vitest";
import { serve } from "../node/index.ts";
import { createTestRuntime } from "../testing/test-runtime.ts";
import { systemClock } from "../core/index.ts";

test("gone", { timeout: 60000 }, async () => {
  for (const [name, path, body, auth] of [
    [
      "stream:false user",
      "/run/api/chat",
      { id: "c1", stream: false, messages: [{ role: "user", parts: [] }] },
      true,
    ],
    [
      "stream:false anon",
      "/run/api/chat",
      { id: "c1", stream: false, messages: [{ role: "user", parts: [] }] },
      false,
    ],
    ["stream anon", "/run/api/chat", { id: "c1", messages: [{ role: "user", parts: [] }] }, false],
    [
      "openai",
      "/run/v1/chat/completions",
      { stream: true, messages: [{ role: "user", content: "x" }] },
      true,
    ],
    ["openai false", "/run/v1/chat/completions", { messages: [{ role: "user", content: "x" }] }, true],
    ["stream user (goes on)", "/run/api/chat", { id: "c1", messages: [{ role: "user", parts: [] }] }, true],
  ] as const) {
    let aborted: string = "no";
    const rt = createTestRuntime(
      async function* (turn) {
        turn.signal.addEventListener("abort", () => (aborted = String(turn.signal.reason?.message)));
        yield { type: "start" };
        await new Promise((r) => setTimeout(r, 3000));
      },
      { clock: systemClock },
    );
    const s = await serve({ fetch: rt.fetch });
    const ac = new AbortController();
    const p = fetch(s.url + path, {
      method: "POST",
      signal: ac.signal,
      headers: { "content-type": "application/json", ...(auth && { authorization: "Bearer ada" }) },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    await new Promise((r) => setTimeout(r, 400));
    ac.abort();
    await p;
    await new Promise((r) => setTimeout(r, 400));
    console.log("GONE", name, "->", aborted, rt.errors);
    await rt.close();
    await s.close();
  }
});
