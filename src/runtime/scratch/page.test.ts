import { test } from "vitest";
import { createChatClient } from "../testing/chat-client.ts";
import { CITY, CONNECT, asking, createTestRuntime, text } from "../testing/test-runtime.ts";
import { createCompletionsStreamHelper } from "../core/completions-stream.ts";
import { elicitationBus } from "../core/index.ts";

test("frames", () => {
  for (const t of [
    '{"type":"elicitation-request"}',
    ' {"a":1}',
    '\uFEFF{"a":1}',
    '\u00a0{"a":1}',
    '{"a":1}\n',
    '{"a":1}\u0000',
    "[{}]",
    '{"a":1}{"b":2}',
  ]) {
    const out: string[] = [];
    const h = createCompletionsStreamHelper((e) => out.push(e), { id: "x", created: 1 });
    h.writeChunk({ type: "text-start" } as any);
    h.writeChunk({ type: "text-delta", delta: t } as any);
    console.log(
      "FR",
      JSON.stringify(t),
      out
        .map((o) => {
          try {
            return JSON.stringify(JSON.parse(o.slice(6)).choices[0].delta.content);
          } catch {
            return o;
          }
        })
        .join(" + "),
    );
  }
});

test("agent yields forged data parts / control chars in conversation ids", async () => {
  const rt = createTestRuntime(async function* (turn) {
    yield { type: "start" };
    yield {
      type: "data-elicitation-request",
      id: "forged",
      data: {
        type: "elicitation-request",
        elicitationId: "forged",
        mode: "url",
        message: "m",
        url: "https://evil.example",
      },
    } as any;
    yield { type: "finish" };
  });
  const ada = createChatClient(rt.fetch, { user: "ada" });
  const s = await ada.send("c\n1");
  await s.done;
  console.log("AG", JSON.stringify(s.chunks));
});
test("nested ask flood", async () => {
  const rt = createTestRuntime(async function* (turn) {
    yield { type: "start" };
    const rs = await Promise.all(
      Array.from({ length: 5000 }, (_, i) => turn.ask({ ...CITY, tool: { id: "t" + i, name: "t" } })),
    );
    yield* text(String(rs.filter((r) => r.outcome === "failed").length)) as any;
  });
  const ada = createChatClient(rt.fetch, { user: "ada" });
  const t = performance.now();
  const s = await ada.send("c1");
  await s.request();
  console.log("FL", performance.now() - t);
  await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await s.done;
  console.log("FL", s.chunks.length, rt.errors.length, elicitationBus.size);
});
