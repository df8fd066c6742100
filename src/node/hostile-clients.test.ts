import { type Socket, connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../test/stages/test-runtime.ts";
import type { RuntimeOptions } from "../runtime/index.ts";
import { serve } from "./index.ts";
import type { ServeOptions } from "./serve.ts";

/** A server that asks every user for a city, over real sockets. */
async function setUp(options: Partial<RuntimeOptions> = {}, serving: Partial<ServeOptions> = {}) {
  const runtime = createTestRuntime(asking(CITY), options);
  const served = await serve({ fetch: runtime.fetch, allowedHosts: ["runtime.example.com"], ...serving });
  onTestFinished(async () => {
    await runtime.close();
    await served.close();
  });
  const { port } = new URL(served.url);
  const over = (user?: string) =>
    createChatClient(
      (request) => {
        const { pathname, search } = new URL(request.url);
        return fetch(new Request(served.url + pathname + search, request));
      },
      { user },
    );
  return { runtime, served, over, dial: () => openConnection(Number(port)) };
}

/** A raw connection that can send any bytes. */
async function openConnection(port: number) {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  let isClosed = false;
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    /** Reads the status from the status line. Returns 0 if the connection was closed. */
    async status(): Promise<number> {
      socket.on("data", (piece) => {
        text += piece.toString("latin1");
      });
      await vi.waitUntil(() => isClosed || text.includes("\r\n\r\n"));
      return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
    },
    closed: () => vi.waitUntil(() => isClosed),
  };
}

const EVE = "Host: runtime.example.com\r\nAuthorization: Bearer eve\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";

/** Sends spaces until the server stops reading, at most 200 MB. */
function pour(socket: Socket, frame: (piece: Buffer) => Buffer): void {
  const piece = frame(Buffer.alloc(64 * 1024, " "));
  let left = 3000;
  const more = () => {
    while (left > 0 && socket.writable) {
      left -= 1;
      if (socket.write(piece)) continue;
      socket.once("drain", more);
      return;
    }
  };
  more();
}

test.each([
  ["says how long it is", "Content-Length: 1000000000", (piece: Buffer) => piece],
  [
    "does not say how long it is",
    "Transfer-Encoding: chunked",
    (piece: Buffer) =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]),
  ],
])("an endless body that %s gets 413, and its connection is closed", async (_, header, frame) => {
  const { dial, over, runtime } = await setUp();
  const { socket, status, closed } = await dial();
  socket.write(`POST /run/api/chat HTTP/1.1\r\n${EVE}${JSON_TYPE}${header}\r\n\r\n`);
  pour(socket, frame);
  expect(await status()).toBe(413);
  await closed();
  expect((await over("ada").fetch("/run/api/elicitations/x")).status).toBe(404);
  expect(runtime.errors).toEqual([]);
});

test("a request whose body never arrives is dropped, and frees its capacity", async () => {
  const maxTurns = { bytesPerPerson: 1200 };
  const { dial, over } = await setUp(
    { limits: { chatBytes: 1000, turns: maxTurns } },
    { requestTimeoutMs: 400 },
  );
  const slow = await Promise.all(Array.from({ length: 4 }, dial));
  for (const [index, { socket }] of slow.entries()) {
    // The last request has not even sent its headers.
    const ending = index === 3 ? "" : "Content-Length: 600\r\n\r\n{";
    socket.write(`POST /run/api/chat HTTP/1.1\r\n${EVE}${JSON_TYPE}${ending}`);
  }
  const statuses = await Promise.all(slow.map(({ status }) => status()));
  // The capacity is two requests.
  expect(statuses.toSorted((a, b) => a - b)).toEqual([408, 408, 408, 429]);
  await Promise.all(slow.map(({ closed }) => closed()));
  await (await over("eve").send("c1")).request();
});

test("one user with 55 large chats reaches the limit for one user, and other users can still chat", async () => {
  const { over } = await setUp();
  const eve = over("eve");
  const message = { role: "user", parts: [{ type: "text", text: "x".repeat(1_000_000) }] };
  const statuses: number[] = [];
  for (let index = 0; index < 55; index += 1) {
    const { response } = await eve.send(`c${index}`, { messages: [message] });
    statuses.push(response.status);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  expect(new Set(statuses.slice(4))).toEqual(new Set([429]));
  await (await over("ada").send("c1")).request();
});

test("many users at once fill the server up to its limit, and are served when others have finished", async () => {
  const { over, runtime } = await setUp({ limits: { turns: { bytes: 1_000_000 } } });
  const message = { role: "user", parts: [{ type: "text", text: "x".repeat(30_000) }] };
  const streams = await Promise.all(
    Array.from({ length: 60 }, (_, index) => over(`user${index}`).send("c1", { messages: [message] })),
  );
  const open = streams.filter(({ response }) => response.status === 200);
  expect(open.length).toBeGreaterThan(10);
  expect(open.length).toBeLessThan(30);
  expect(new Set(streams.map(({ response }) => response.status))).toEqual(new Set([200, 503]));
  for (const stream of open) await runtime.elicitations.decline((await stream.request()).elicitationId);
  await Promise.all(open.map(({ done }) => done));
  await (await over("somebody").send("c1")).request();
});

test("a client that does not read its streams gets no new ones until its connections have closed", async () => {
  const { dial, over } = await setUp();
  const eve = over("eve");
  await (await eve.send("c1")).request();
  const deaf = await Promise.all(Array.from({ length: 49 }, dial));
  for (const { socket } of deaf) {
    socket.pause();
    socket.write(`GET /run/api/chat/c1/stream HTTP/1.1\r\n${EVE}\r\n`);
  }
  await vi.waitFor(async () => expect((await attach()).status).toBe(429));
  for (const { socket } of deaf) socket.destroy();
  await vi.waitFor(async () => expect((await attach()).status).toBe(200));

  async function attach(): Promise<Response> {
    const response = await eve.fetch("/run/api/chat/c1/stream");
    await response.body?.cancel();
    return response;
  }
});

const DEEP = `${"[".repeat(400_000)}${"]".repeat(400_000)}`;
const chatOf = (part: string) => `{"id":"c1","messages":[{"role":"user","parts":[${part}]}]}`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\n${EVE}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n${body}`;

test.each<[string, string, number]>([
  [
    "a header of 20,000 characters",
    `GET /run/api/elicitations/x HTTP/1.1\r\n${EVE}X-A: ${"a".repeat(20_000)}\r\n\r\n`,
    431,
  ],
  [
    "three hundred headers",
    `GET /run/api/elicitations/x HTTP/1.1\r\n${EVE}${"X-A: a\r\n".repeat(300)}\r\n`,
    404,
  ],
  [
    "an id of 15,000 characters",
    `GET /run/api/elicitations/${"a".repeat(15_000)} HTTP/1.1\r\n${EVE}\r\n`,
    404,
  ],
  [
    "a conversation of 15,000 characters to read",
    `GET /run/api/chat/${"a".repeat(15_000)}/stream HTTP/1.1\r\n${EVE}\r\n`,
    204,
  ],
  [
    "a conversation of 15,000 characters to stop",
    `POST /run/api/chat/${"a".repeat(15_000)}/stop HTTP/1.1\r\n${EVE}Content-Length: 0\r\n\r\n`,
    204,
  ],
  ["half an escape in a path", `GET /run/api/elicitations/%E0%A4%A HTTP/1.1\r\n${EVE}\r\n`, 404],
  [
    "seven thousand parameters",
    `GET /run/api/elicitations?${"a&".repeat(7000)}conversationId=c HTTP/1.1\r\n${EVE}\r\n`,
    200,
  ],
  ["no host", "GET /run/api/elicitations/x HTTP/1.1\r\n\r\n", 400],
  ["a host that is none", "GET /run/api/elicitations/x HTTP/1.1\r\nHost: a b@c/../\r\n\r\n", 400],
  ["an address that is none", `GET http://[ HTTP/1.1\r\n${EVE}\r\n`, 400],
  [
    "a length and chunks at once",
    `POST /run/api/chat HTTP/1.1\r\n${EVE}${JSON_TYPE}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    "two lengths",
    `POST /run/api/chat HTTP/1.1\r\n${EVE}${JSON_TYPE}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    400,
  ],
  ["a method that no request may have", `TRACE /run/api/elicitations/x HTTP/1.1\r\n${EVE}\r\n`, 400],
  ["a tunnel", `CONNECT elsewhere.example.com:443 HTTP/1.1\r\n${EVE}\r\n`, 0],
  [
    "another protocol",
    `GET /run/api/chat/c/stream HTTP/1.1\r\n${EVE}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    204,
  ],
  [
    "a chat nested 400,000 deep",
    post("/run/api/chat", chatOf(`{"type":"text","text":"x","more":${DEEP}}`)),
    200,
  ],
  [
    "an answer by message nested 400,000 deep",
    post("/run/api/chat", chatOf(`{"type":"data-elicitation-response","data":${DEEP}}`)),
    400,
  ],
  [
    "a part whose type is a list",
    post("/run/api/chat", chatOf(`{"type":["text"]},null,7,{"type":{"toString":1}}`)),
    200,
  ],
  ["capabilities that are a list", post("/run/api/chat", '{"capabilities":[],"messages":[1]}'), 200],
])("%s does not affect other users", async (_, request, expected) => {
  const { dial, over, runtime } = await setUp();
  const { socket, status } = await dial();
  socket.write(request);
  expect(await status()).toBe(expected);
  expect((await over("ada").fetch("/run/api/elicitations/x")).status).toBe(404);
  expect(runtime.errors).toEqual([]);
});

test("three hundred idle connections block no other user and do not delay the shutdown of the server", async () => {
  const { dial, over } = await setUp();
  const silent = await Promise.all(Array.from({ length: 300 }, dial));
  await (await over("ada").send("c1")).request();
  expect(silent).toHaveLength(300);
});
