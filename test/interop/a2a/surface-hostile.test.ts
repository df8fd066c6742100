/** Tests for invalid HTTP requests, and for callers without permission. */
import fc from "fast-check";
import { type RunTurn, createMemoryTurnStream } from "elicit-kit/runtime";
import { describe, expect, test } from "vitest";
import { isObject } from "../../../src/contract/json.ts";
import { CITY, asking, text } from "../../stages/test-runtime.ts";
import { type Served, caller, collect, replyOf, serve } from "./served.ts";

const URL_OF_AGENT = "https://agent.example.com/run/v1/a2a";

const greet: RunTurn = async function* run() {
  yield* text("Hello.");
};

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

function send(served: Served, { method = "POST", path = "", headers = {}, body }: Sent): Promise<Response> {
  return served.fetch(`${URL_OF_AGENT}${path}`, {
    method,
    headers: {
      authorization: "Bearer ada",
      "content-type": "application/json",
      "a2a-version": "1.0",
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

const rpc = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "Hello" }] };

async function errorOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await response.json();
  const error = isObject(body) ? body["error"] : undefined;
  return isObject(error) ? error : {};
}

describe("the endpoint", () => {
  test("refuses an unsupported protocol version, in both transports", async () => {
    const served = serve(greet);
    const headers = { "a2a-version": "7.0" };
    const call = rpc("SendMessage", { message });
    expect(await errorOf(await send(served, { headers, body: call }))).toMatchObject({ code: -32009 });
    const rest = await send(served, { path: "/message:send", headers, body: { message } });
    expect(rest.status).toBe(400);
    expect(JSON.stringify(await errorOf(rest))).toContain("VERSION_NOT_SUPPORTED");
  });

  test.each([
    [
      "a body that is too large",
      { body: JSON.stringify(rpc("SendMessage", { pad: "x".repeat(2048) })) },
      413,
    ],
    [
      "a body of a form on another site (415)",
      { headers: { "content-type": "text/plain" }, body: "{}" },
      415,
    ],
    ["a body that is not JSON (400)", { body: "{" }, 400],
    [
      "a caller without a token (401)",
      { headers: { authorization: "" }, body: rpc("GetTask", { id: "x" }) },
      401,
    ],
    ["a page of another site (403)", { headers: { origin: "https://evil.example.com" }, body: "{}" }, 403],
    ["a path that is not the protocol's (404)", { path: "/tasks/x/y", method: "GET" }, 404],
  ] as const)("refuses %s", async (_, sent, status) => {
    const served = serve(greet, { surface: { maxBytes: 2000 } });
    expect((await send(served, sent)).status).toBe(status);
    expect(served.errors).toEqual([]);
  });

  test.each([
    ["no message", rpc("SendMessage", {}), -32602],
    ["a message without an id", rpc("SendMessage", { message: { ...message, messageId: "" } }), -32602],
    ["a message without parts", rpc("SendMessage", { message: { ...message, parts: [] } }), -32602],
    [
      "a message id without end",
      rpc("SendMessage", { message: { ...message, messageId: "m".repeat(999) } }),
      -32602,
    ],
    ["a task id that was made up", rpc("GetTask", { id: "../../etc" }), -32001],
    ["a method that does not exist", rpc("Hack", {}), -32601],
    ["a method of protocol 0.3", rpc("message/send", { message }), -32601],
    ["a push notification configuration", rpc("CreateTaskPushNotificationConfig", { taskId: "x" }), -32003],
    ["the extended card", rpc("GetExtendedAgentCard", {}), -32004],
  ])("replies to %s with the error of the protocol", async (_, body, code) => {
    const served = serve(greet);
    expect(await errorOf(await send(served, { body }))).toMatchObject({ code });
    expect(served.errors).toEqual([]);
  });

  test("replies to any JSON in the format of the protocol, and logs nothing", async () => {
    const served = serve(greet);
    const methods = fc.constantFrom(
      ["SendMessage", "message/send"],
      ["SendStreamingMessage", "message/stream"],
      ["GetTask", "tasks/get"],
      ["CancelTask", "tasks/cancel"],
      ["SubscribeToTask", "tasks/resubscribe"],
      ["ListTasks", "agent/getAuthenticatedExtendedCard"],
    );
    const odd = fc.jsonValue({ maxDepth: 3 });
    const part = fc.record({ raw: odd, url: odd, data: odd, kind: odd, file: odd }, { requiredKeys: [] });
    const like = fc.record(
      {
        messageId: odd,
        role: odd,
        parts: fc.oneof(odd, fc.array(odd), fc.array(part)),
        taskId: odd,
        metadata: odd,
        extensions: odd,
      },
      { requiredKeys: [] },
    );
    const params = fc.oneof(
      odd,
      fc.record({ message: fc.oneof(odd, like), id: odd, pageSize: odd, status: odd }),
    );
    await fc.assert(
      fc.asyncProperty(methods, params, async ([method, older], given) => {
        const legacy = {
          headers: { "a2a-version": "0.3" },
          body: rpc(older ?? "", given),
        };
        for (const call of [{ body: rpc(method ?? "", given) }, legacy]) {
          const response = await send(served, call);
          expect(response.status).toBe(200);
          const reply = await response.text();
          expect(reply).toContain('"jsonrpc":"2.0"');
          expect(reply).not.toMatch(/Cannot read|is not (?:a function|iterable|defined)|-32603/);
        }
        const rest = await send(served, { path: "/message:send", body: given });
        expect([200, 400, 404]).toContain(rest.status);
      }),
    );
    expect([...served.errors, ...served.runtime.errors]).toEqual([]);
  });

  test("hides internal errors from a caller, and logs them", async () => {
    const stream = createMemoryTurnStream();
    const broken = new Error("password of the database is hunter2");
    const served = serve(greet, { ports: { stream: { ...stream, get: () => Promise.reject(broken) } } });
    const response = await send(served, { body: rpc("GetTask", { id: "x" }) });
    expect(await errorOf(response)).toMatchObject({
      code: -32603,
      message: "The agent failed to handle the request.",
    });
    expect(served.errors).toHaveLength(1);
  });

  test("can be called by a page of an allowed origin", async () => {
    const origin = "https://app.example.com";
    const served = serve(greet, { surface: { allowedOrigins: [origin] } });
    const preflight = await send(served, { method: "OPTIONS", headers: { origin } });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("a2a-extensions");
    const reply = await send(served, { headers: { origin }, body: rpc("SendMessage", { message }) });
    expect(reply.headers.get("access-control-allow-origin")).toBe(origin);
    expect(await reply.text()).toContain("Hello.");
  });
});

test("creating the surface fails if its address is one that no client could call", () => {
  for (const url of ["/run/v1/a2a", "https://agent.example.com/a2a?tenant=7"]) {
    expect(() => serve(greet, { surface: { url } })).toThrow(
      `elicit-kit: url must be the public URL of the endpoint`,
    );
  }
});

describe("a service account that acts for many users", () => {
  const many = { surface: { authenticate: () => ({}) } };

  test("gets replies, and no questions", async () => {
    const service = await caller(serve(asking(CITY), many));
    expect(replyOf(await service.send("Book"))).toBe('{"outcome":"unsupported"}');
  });

  test("gets a stream to its end", async () => {
    const service = await caller(serve(greet, many));
    const events = await collect(service.stream("Hi"));
    expect(JSON.stringify(events)).toContain("Hello.");
  });

  test("is limited by the client that its token was issued to", async () => {
    const authenticate = (request: Request) => ({ clientId: request.headers.get("x-client") ?? undefined });
    const served = serve(greet, { limits: { writesPerMinute: 2 }, surface: { authenticate } });
    const busy = await caller(served, { client: "busy" });
    await busy.send("Hi");
    await busy.send("Hi");
    await expect(busy.send("Hi")).rejects.toThrow(/Too many messages at once. Try again in \d+ seconds/);
    const other = await caller(served, { client: "other" });
    expect(replyOf(await other.send("Hi"))).toBe("Hello.");
    // Without a client id it cannot be identified.
    const unknown = await caller(served);
    for (let count = 0; count < 3; count += 1) expect(replyOf(await unknown.send("Hi"))).toBe("Hello.");
  });
});
