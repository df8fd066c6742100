import { test } from "vitest";
import net from "node:net";
import { serve } from "../node/index.ts";
import { createTestRuntime, CITY, asking } from "../testing/test-runtime.ts";
import { systemClock } from "../core/index.ts";

function raw(url: string, text: string, ms = 1500): Promise<string> {
  const u = new URL(url);
  return new Promise((resolve) => {
    const s = net.connect(Number(u.port), u.hostname, () => s.write(text));
    let out = "";
    let closed = false;
    s.on("data", (d) => (out += d));
    s.on("close", () => {
      closed = true;
    });
    s.on("error", (e) => (out += "ERR " + e.message));
    setTimeout(() => {
      resolve(out.slice(0, 300).replaceAll("\r\n", " | ") + (closed ? " [closed]" : " [open]"));
      s.destroy();
    }, ms);
  });
}
test("raw", { timeout: 60000 }, async () => {
  const rt = createTestRuntime(asking(CITY), { clock: systemClock });
  const s = await serve({ fetch: rt.fetch });
  const auth = "Authorization: Bearer ada\r\n";
  const H = "Host: x\r\n";
  const cases: [string, string][] = [
    [
      "413 big CL",
      `POST /run/api/elicitation-responses HTTP/1.1\r\n${H}${auth}Content-Type: application/json\r\nContent-Length: 10000000\r\n\r\n{`,
    ],
    [
      "chunked over",
      `POST /run/api/elicitation-responses HTTP/1.1\r\n${H}${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${("10000\r\n" + "x".repeat(0x10000) + "\r\n").repeat(3)}`,
    ],
    [
      "two CL",
      `POST /run/api/elicitation-responses HTTP/1.1\r\n${H}${auth}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
    ],
    [
      "CL+TE",
      `POST /run/api/elicitation-responses HTTP/1.1\r\n${H}${auth}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["absolute", `GET http://evil.example/run/api/elicitations?conversationId=c HTTP/1.1\r\n${H}${auth}\r\n`],
    ["bad host", `GET /run/api/elicitations?conversationId=c HTTP/1.1\r\nHost: a b/<x>\r\n${auth}\r\n`],
    ["no host 1.0", `GET /run/api/elicitations?conversationId=c HTTP/1.0\r\n${auth}\r\n`],
    ["star", `OPTIONS * HTTP/1.1\r\n${H}\r\n`],
    ["//", `GET //run/api/elicitations?conversationId=c HTTP/1.1\r\n${H}${auth}\r\n`],
    ["nul", `GET /run/api/elicitations/%00%0d%0aX:y HTTP/1.1\r\n${H}${auth}\r\n`],
    ["TRACE", `TRACE /run/api/elicitations HTTP/1.1\r\n${H}${auth}\r\n`],
    [
      "override",
      `POST /run/api/elicitations?conversationId=c HTTP/1.1\r\n${H}${auth}X-HTTP-Method-Override: GET\r\nContent-Length: 0\r\n\r\n`,
    ],
    [
      "ct",
      `POST /run/api/elicitation-responses HTTP/1.1\r\n${H}${auth}Content-Type: application/json;charset=utf-16\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      "ct2",
      `POST /run/api/elicitation-responses HTTP/1.1\r\n${H}${auth}Content-Type: text/plain, application/json\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      "origin null cookie",
      `POST /run/api/elicitation-responses HTTP/1.1\r\n${H}Cookie: user=ada\r\nOrigin: null\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      "origin twice",
      `POST /run/api/elicitation-responses HTTP/1.1\r\n${H}Cookie: user=ada\r\nOrigin: https://chat.example.com\r\nOrigin: https://evil.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      "auth Bearer space cookie",
      `POST /run/api/elicitation-responses HTTP/1.1\r\n${H}Cookie: user=ada\r\nAuthorization: Bearer \r\nOrigin: https://evil.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      "upgrade",
      `GET /run/api/elicitations?conversationId=c HTTP/1.1\r\n${H}${auth}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    ],
  ];
  for (const [n, t] of cases) console.log(n.padEnd(14), (await raw(s.url, t, 400)).slice(0, 260));
  console.log("errors", rt.errors);
  await rt.close();
  await s.close();
});

test("never reads", { timeout: 60000 }, async () => {
  const big = "x".repeat(100_000);
  let made = 0;
  const rt = createTestRuntime(
    async function* () {
      yield { type: "start" };
      yield { type: "text-start", id: "t" } as any;
      for (let i = 0; i < 300; i++) {
        made++;
        yield { type: "text-delta", id: "t", delta: big + i } as any;
      }
      await new Promise((r) => setTimeout(r, 8000));
    },
    { clock: systemClock, keepAliveMs: 50 },
  );
  const s = await serve({ fetch: rt.fetch });
  const u = new URL(s.url);
  const body = '{"id":"c1","messages":[{"role":"user","parts":[]}]}';
  const first = net.connect(Number(u.port), u.hostname);
  first.write(
    `POST /run/api/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ada\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  first.pause();
  await new Promise((r) => setTimeout(r, 1500));
  globalThis.gc?.();
  const m0 = process.memoryUsage();
  const socks = Array.from({ length: 200 }, () => {
    const k = net.connect(Number(u.port), u.hostname);
    k.on("error", () => {});
    k.pause();
    k.write(`GET /run/api/chat/c1/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ada\r\n\r\n`);
    return k;
  });
  await new Promise((r) => setTimeout(r, 4000));
  globalThis.gc?.();
  const m1 = process.memoryUsage();
  console.log(
    "never reads: made",
    made,
    "rss",
    (m1.rss - m0.rss) / 1e6,
    "heap",
    (m1.heapUsed - m0.heapUsed) / 1e6,
    "ext",
    (m1.external - m0.external) / 1e6,
    "MB for 200 readers of 30 MB",
  );
  for (const k of socks) k.destroy();
  first.destroy();
  await new Promise((r) => setTimeout(r, 500));
  console.log(rt.errors);
  await rt.close();
  await s.close();
});
