import { once } from "node:events";
import { type ServerResponse, createServer } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ElicitationAnswer } from "../contract/contract.ts";
import { createDeferred } from "../base/deadlines.ts";
import { createManualClock, promisesSettled } from "../base/testing/manual-clock.ts";
import { urlRequest } from "../contract/testing/requests.ts";
import { listen } from "../../test/stages/listen.ts";
import type { ChannelEvent } from "./channel.ts";
import { createHttpChannel, type HttpChannelOptions } from "./http-channel.ts";

const signal = new AbortController().signal;
const answer: ElicitationAnswer = {
  conversationId: "c1",
  elicitationId: "e1",
  action: "accept",
  content: { city: "Lisbon" },
};

interface Call {
  url: string;
  method: string;
  headers: Headers;
  keepalive: boolean;
  body: unknown;
}

/** A channel to a server that always replies with `reply`, and the calls that it made. */
function against(reply: () => Response | Promise<Response>, options: HttpChannelOptions = {}) {
  const calls: Call[] = [];
  const channel = createHttpChannel({
    api: "https://chat.example/run/api",
    ...options,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const text = await request.text();
      calls.push({
        url: request.url,
        method: request.method,
        headers: request.headers,
        keepalive: request.keepalive,
        body: text === "" ? undefined : JSON.parse(text),
      });
      return reply();
    },
  });
  return { channel, calls };
}

function problem(status: number, extra: Record<string, unknown> = {}): Response {
  const body = { title: "Refused", status, detail: `because ${status}`, ...extra };
  return Response.json(body, { status, headers: { "content-type": "application/problem+json" } });
}

function statusReply(status: "accepted" | "completed" | "pending"): Response {
  const [expiresAt, now] = ["2026-11-21T12:10:00Z", "2026-11-21T12:00:01Z"];
  return Response.json({ elicitationId: "e1", status, expiresAt, now });
}

describe("an HTTP channel that sends answers", () => {
  it("posts one answer to the endpoint, with headers that are read for each call", async () => {
    let token = "one";
    const { channel, calls } = against(
      () => Response.json({ success: true, elicitationId: "e1", outcome: "accepted" }),
      {
        headers: () => ({ authorization: `Bearer ${token}` }),
      },
    );
    token = "two";
    expect(await channel.respond([answer], { signal })).toEqual([
      { elicitationId: "e1", kind: "settled", outcome: "accepted" },
    ]);
    expect(calls[0]).toMatchObject({
      url: "https://chat.example/run/api/elicitation-responses",
      method: "POST",
      body: answer,
    });
    expect(calls[0]?.headers.get("authorization")).toBe("Bearer two");
    expect(calls[0]?.headers.get("content-type")).toBe("application/json");
    // A script has no page that the user can leave.
    expect(calls[0]?.keepalive).toBe(false);
  });

  it("gives up an answer that gets no reply for 30 seconds, so that it can be sent again", async () => {
    const requests: ServerResponse[] = [];
    const server = createServer((_, response) => void requests.push(response));
    const { url, close } = await listen(server);
    onTestFinished(close);
    const replied = createDeferred<void>();
    const clock = createManualClock();
    const channel = createHttpChannel({
      clock,
      api: `${url}/run/api`,
      fetch: (...call) => fetch(...call).finally(() => requests.length > 1 && replied.resolve()),
    });
    const lost = channel.respond([answer], { signal }).catch((error: unknown) => error);
    await once(server, "request");
    clock.advance(30_000);
    expect(await lost).toMatchObject({ name: "ChannelError", retryable: true, cause: expect.anything() });

    const sent = channel.respond([answer], { signal });
    await once(server, "request");
    requests[1]?.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    await replied.promise;
    await promisesSettled();
    clock.advance(60_000);
    requests[1]?.end(JSON.stringify({ success: true, elicitationId: "e1", outcome: "accepted" }));
    expect(await sent).toEqual([{ elicitationId: "e1", kind: "settled", outcome: "accepted" }]);
  });

  it("sends an answer, and stops it, in a browser without `AbortSignal.any`", async () => {
    const any = vi.spyOn(AbortSignal, "any").mockImplementation(() => {
      throw new TypeError("AbortSignal.any is not a function");
    });
    onTestFinished(() => any.mockRestore());
    let count = 0;
    const server = createServer(() => {
      count += 1;
    });
    const { url, close } = await listen(server);
    onTestFinished(close);
    const channel = createHttpChannel({ api: `${url}/run/api` });
    const leaving = new AbortController();
    const respond = async () => channel.respond([answer], { signal: leaving.signal });
    const sent = respond().catch((error: unknown) => error);
    await once(server, "request");
    leaving.abort(new Error("the user has left"));
    expect(await sent).toBe(leaving.signal.reason);
    await expect(respond()).rejects.toBe(leaving.signal.reason);
    expect(count).toBe(1);
  });

  it("sends an answer that outlives the page when the user leaves right after the press", async () => {
    vi.stubGlobal("document", {});
    onTestFinished(() => void vi.unstubAllGlobals());
    const settled = () => Response.json({ success: true, elicitationId: "e1", outcome: "declined" });
    const { channel, calls } = against(settled);
    await channel.respond([{ conversationId: "c1", elicitationId: "e1", action: "decline" }], { signal });
    // More bytes than a browser would keep alive.
    const long = { ...answer, content: { city: "Lisbon".repeat(10_000) } };
    await channel.respond([long], { signal });
    expect(calls.map(({ keepalive }) => keepalive)).toEqual([true, false]);
  });

  it("makes no call without answers", async () => {
    const { channel, calls } = against(() => problem(500));
    expect(await channel.respond([], { signal })).toEqual([]);
    expect(calls).toEqual([]);
  });

  it.each([
    ["an empty reply", () => new Response(null, { status: 200 })],
    ["no content", () => new Response(null, { status: 204 })],
    ["a word", () => new Response("ok", { status: 201 })],
    ["a body of its own", () => Response.json({ received: true })],
  ])("accepts %s from a server of the basic level as a delivered answer", async (_name, reply) => {
    const { channel } = against(reply);
    expect(await channel.respond([answer], { signal })).toEqual([
      { elicitationId: "e1", kind: "settled", outcome: "accepted" },
    ]);
    expect(await channel.respond([{ ...answer, action: "cancel" }], { signal })).toMatchObject([
      { kind: "settled", outcome: "cancelled" },
    ]);
  });

  it("treats a 202 without a body as an answer that is not complete yet", async () => {
    const { channel } = against(() => new Response(null, { status: 202 }));
    expect(await channel.respond([answer], { signal })).toEqual([{ elicitationId: "e1", kind: "pending" }]);
  });

  it.each([
    ["a page", () => new Response("<!doctype html>")],
    ["a page after a blank line", () => new Response("\n <html>")],
    ["an empty page", () => new Response("", { headers: { "content-type": "text/html; charset=utf-8" } })],
    ["a failure in a 200", () => Response.json({ success: false })],
    ["an error in a 200", () => Response.json({ error: "no such request" })],
  ])("does not accept %s as a delivered answer", async (_name, reply) => {
    const { channel } = against(reply);
    expect(await channel.respond([answer], { signal })).toMatchObject([{ kind: "refused", status: 200 }]);
  });

  it("posts a message that contains only answers on the fast path, with all answers of a round together", async () => {
    const results = ["e1", "e2"].map((elicitationId) => ({
      elicitationId,
      status: 200,
      body: { success: true, elicitationId, outcome: elicitationId === "e1" ? "accepted" : "declined" },
    }));
    const { channel, calls } = against(() => Response.json({ success: true, results: results.toReversed() }));
    const second: ElicitationAnswer = { conversationId: "c1", elicitationId: "e2", action: "decline" };
    expect(await channel.respond([answer, second], { signal })).toEqual([
      { elicitationId: "e1", kind: "settled", outcome: "accepted" },
      { elicitationId: "e2", kind: "settled", outcome: "declined" },
    ]);
    expect(calls[0]).toMatchObject({
      url: "https://chat.example/run/api/chat",
      body: {
        id: "c1",
        trigger: "submit-message",
        messages: [
          {
            id: "answer-e1",
            role: "user",
            parts: [
              {
                type: "data-elicitation-response",
                data: { elicitationId: "e1", action: "accept", content: { city: "Lisbon" } },
              },
              { type: "data-elicitation-response", data: { elicitationId: "e2", action: "decline" } },
            ],
          },
        ],
      },
    });
  });

  it("gives each answer of a round its own result", async () => {
    const errors = [{ field: "city", code: "required", message: "Needed" }];
    const results = [
      "no object",
      { elicitationId: "e2", status: 400, body: { title: "t", status: 400, detail: "why", errors } },
      { elicitationId: "e3", status: 410, body: { title: "t", status: 410, detail: "late" } },
      { elicitationId: "e1", status: 200, body: { success: true, elicitationId: "e1", outcome: "declined" } },
    ];
    const { channel } = against(() => Response.json({ success: false, results }));
    const answers = ["e1", "e2", "e3", "e4"].map((elicitationId) => ({ ...answer, elicitationId }));
    expect(await channel.respond(answers, { signal })).toMatchObject([
      { elicitationId: "e1", kind: "settled", outcome: "declined" },
      { elicitationId: "e2", kind: "refused", status: 400, message: "why", errors },
      { elicitationId: "e3", kind: "settled", outcome: "expired", differs: true },
      { elicitationId: "e4", kind: "refused", status: 200 },
    ]);
  });

  it.each([
    [
      "an end",
      () =>
        Response.json({ success: true, elicitationId: "e1", outcome: "declined", alreadyProcessed: true }),
      { kind: "settled", outcome: "declined" },
    ],
    [
      "consent",
      () => Response.json({ success: true, elicitationId: "e1", status: "consented" }),
      { kind: "consented" },
    ],
    [
      "not yet",
      () =>
        Response.json(
          { success: true, elicitationId: "e1", status: "pending", lastError: "denied" },
          { status: 202 },
        ),
      { kind: "pending", lastError: "denied" },
    ],
    [
      "a cancel at the provider",
      () =>
        Response.json(
          { success: true, elicitationId: "e1", status: "pending", lastError: "denied", byUser: true },
          { status: 202 },
        ),
      { kind: "pending", lastError: "denied", byUser: true },
    ],
    ["a redirect", () => Response.json({ success: true }, { status: 300 }), { kind: "refused", status: 300 }],
    [
      "a refusal that names an outcome",
      () => problem(400, { outcome: "accepted" }),
      { kind: "refused", status: 400 },
    ],
    [
      "field errors",
      () => problem(400, { errors: [{ field: "city", code: "required", message: "Needed" }] }),
      {
        kind: "refused",
        status: 400,
        message: "because 400",
        errors: [{ field: "city", code: "required", message: "Needed" }],
      },
    ],
    ["no identity", () => problem(401), { kind: "refused", status: 401 }],
    ["a conflict it does not explain", () => problem(409), { kind: "refused", status: 409 }],
    ["an unknown request", () => problem(404), { kind: "gone" }],
    [
      "an earlier end",
      () => problem(409, { outcome: "cancelled" }),
      { kind: "settled", outcome: "cancelled", differs: true },
    ],
    [
      "an earlier answer with other content",
      () => problem(409, { code: "content-differs" }),
      { kind: "settled", outcome: "accepted", differs: true },
    ],
    ["expiry", () => problem(410), { kind: "settled", outcome: "expired", differs: true }],
    [
      "a reply from something else",
      () => new Response("<html>", { status: 200 }),
      {
        kind: "refused",
        status: 200,
        message: "The server's reply (200) is not one of an elicitation server. Is the API address right?",
      },
    ],
  ])("translates %s into its result", async (_name, reply, receipt) => {
    expect(await against(reply).channel.respond([answer], { signal })).toMatchObject([
      { elicitationId: "e1", ...receipt },
    ]);
  });

  it.each([
    ["the network is away", () => Promise.reject(new TypeError("fetch failed"))],
    ["the server fails", () => new Response("", { status: 503 })],
    ["the server is busy", () => new Response("", { status: 429 })],
  ])("throws a retryable error when %s", async (_name, reply) => {
    const failure = against(reply).channel.respond([answer], { signal });
    await expect(failure).rejects.toMatchObject({ name: "ChannelError", retryable: true });
    await expect(failure).rejects.toThrow(/^elicit-kit: /);
  });

  it("throws a retryable error after a 404 of a proxy, and says whether the route may be missing", async () => {
    const proxies = () => new Response("404 page not found", { status: 404 });
    let reply = proxies;
    const { channel } = against(() => reply());
    const first = channel.respond([answer], { signal });
    await expect(first).rejects.toMatchObject({ retryable: true, notOffered: true });
    await expect(first).rejects.toThrow("answered 404. Is `api` the base of the contract's routes?");
    reply = () => Response.json({ elicitations: [] });
    await channel.list?.("c1", { signal });
    reply = proxies;
    const second = channel.respond([answer], { signal });
    await expect(second).rejects.toMatchObject({ retryable: true, notOffered: false });
  });

  it("reports how long a busy server asked to wait", async () => {
    const busy = against(() => new Response("", { status: 429, headers: { "retry-after": "7" } }));
    await expect(busy.channel.respond([answer], { signal })).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  it("does not report an abort as a network failure", async () => {
    const aborted = AbortSignal.abort(new Error("gone"));
    const { channel } = against(() => Promise.reject(new TypeError("aborted")));
    await expect(channel.respond([answer], { signal: aborted })).rejects.toThrow("gone");
  });
});

describe("an HTTP channel that gets the rest of the turn as the reply to an answer", () => {
  const request = urlRequest({
    elicitationId: "e1",
    resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z" },
  });

  it("reads the requests in it, and then the status of the answered request", async () => {
    const chunks = [
      { type: "data-elicitation-request", id: "e1", data: request },
      { type: "text-delta", id: "t", delta: "Done." },
    ];
    const replies = [
      () =>
        new Response(
          [...chunks.map((chunk) => JSON.stringify(chunk)), "{broken"]
            .map((data) => `data: ${data}\n\n`)
            .join(""),
          {
            headers: { "content-type": "text/event-stream" },
          },
        ),
      () => statusReply("accepted"),
    ];
    const { channel, calls } = against(() => replies.shift()!());
    const events: ChannelEvent[] = [];
    channel.subscribe((event) => events.push(event));
    expect(await channel.respond([answer], { signal })).toEqual([
      { elicitationId: "e1", kind: "settled", outcome: "accepted" },
    ]);
    expect(calls.map((call) => call.url)).toEqual([
      "https://chat.example/run/api/elicitation-responses",
      "https://chat.example/run/api/elicitations/e1",
    ]);
    await expect
      .poll(() => events)
      .toEqual([
        { type: "live", conversationId: "c1", live: true },
        { type: "request", conversationId: "c1", request },
        { type: "live", conversationId: "c1", live: false },
      ]);
  });

  it.each<[string, HttpChannelOptions["onContinuation"], boolean[], string]>([
    ["asks for it if the app reads it", () => undefined, [], "text/event-stream, application/json"],
    ["does not ask for it if the app does not", undefined, [], "*/*"],
    ["does not ask for it while the turn has a stream", () => undefined, [true], "*/*"],
    [
      "asks for it when the stream of the turn has ended",
      () => undefined,
      [true, false],
      "text/event-stream, application/json",
    ],
  ])("%s", async (_, onContinuation, lives, accept) => {
    const { channel, calls } = against(() => Response.json({ success: true }), { onContinuation });
    for (const live of lives) channel.push({ type: "live", conversationId: "c1", live });
    channel.push({ type: "live", conversationId: "c2", live: !lives.at(-1) });
    channel.push({ type: "request", conversationId: "c1", request });
    await channel.respond([answer], { signal });
    expect(calls[0]?.headers.get("accept") ?? "*/*").toBe(accept);
  });

  it("cancels it if the code that reads it cannot be loaded, and reads the status", async () => {
    vi.doMock("./sse.ts", () => Promise.reject(new TypeError("Failed to fetch dynamically imported module")));
    onTestFinished(() => vi.doUnmock("./sse.ts"));
    let isCancelled = false;
    const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
    const replies = [
      () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
      () => statusReply("accepted"),
    ];
    const { channel } = against(() => replies.shift()!());
    expect(await channel.respond([answer], { signal })).toMatchObject([{ kind: "settled" }]);
    expect(isCancelled).toBe(true);
  });

  it("lets another reader read it, until that has found the outcome or reached the end", async () => {
    const accepted = () => statusReply("accepted");
    const stream = () => new Response("data: 1\n\n", { headers: { "content-type": "text/event-stream" } });
    for (const tells of [true, false]) {
      const replies = [stream, accepted];
      const given: unknown[] = [];
      const { channel } = against(() => replies.shift()!(), {
        async onContinuation(conversationId, response) {
          given.push(conversationId, await response.text());
          if (!tells) return;
          channel.push({ type: "request", conversationId, request });
          await new Promise(() => undefined);
        },
      });
      expect(await channel.respond([answer], { signal })).toEqual([
        { elicitationId: "e1", kind: "settled", outcome: "accepted" },
      ]);
      expect(given).toEqual(["c1", "data: 1\n\n"]);
    }
  });

  /** Replies with `body` as the rest of the run, and then with the reply of the status route. */
  async function receiptsAfter(body: BodyInit | null, status: () => Response) {
    const headers = { "content-type": "text/event-stream" };
    const replies = [() => new Response(body, { headers }), status];
    const { channel } = against(() => replies.shift()!());
    const live: boolean[] = [];
    channel.subscribe((event) => event.type === "live" && live.push(event.live));
    return { receipts: await channel.respond([answer], { signal }), live };
  }

  it("reads the status when the connection breaks, or when the reply has no outcome or other requests", async () => {
    const pending = () => statusReply("pending");
    const open = { ...request, resolution: undefined };
    const other = { ...request, elicitationId: "e9" };
    const frames = [open, other].map((data) =>
      JSON.stringify({ type: "data-elicitation-request", id: data.elicitationId, data }),
    );
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`data: ${frames[0]}\n\n`));
      },
      pull(controller) {
        controller.error(new TypeError("connection lost"));
      },
    });
    for (const body of [broken, null, frames.map((frame) => `data: ${frame}\n\n`).join("")]) {
      expect(await receiptsAfter(body, pending)).toEqual({
        receipts: [{ elicitationId: "e1", kind: "pending" }],
        live: [true, false],
      });
    }
  });

  it("reports that the page is done when the request has not ended yet", async () => {
    const { receipts } = await receiptsAfter("", () => statusReply("completed"));
    expect(receipts).toEqual([{ elicitationId: "e1", kind: "consented" }]);
  });

  it("reports that the request is gone when the server does not know it", async () => {
    const { receipts } = await receiptsAfter("", () => problem(404));
    expect(receipts).toEqual([{ elicitationId: "e1", kind: "gone" }]);
  });
});

describe("an HTTP channel", () => {
  it("passes pushed events to subscribers until they unsubscribe", () => {
    const { channel } = against(() => problem(500));
    const heard: ChannelEvent[] = [];
    const stop = channel.subscribe((event) => heard.push(event));
    const event = { type: "live", conversationId: "c1", live: true } as const;
    channel.push(event);
    stop();
    channel.push(event);
    expect(heard).toEqual([event]);
  });

  it("sends every answer over the network, and makes no call without answers", async () => {
    const { channel, calls } = against(() => problem(500));
    const delivery = channel.delivery({
      type: "elicitation-request",
      elicitationId: "e1",
      mode: "url",
      message: "Connect",
      url: "https://auth.example/",
    });
    expect(delivery).toEqual({ accept: "send", decline: "send", cancel: "send" });
    expect(await channel.respond([], { signal })).toEqual([]);
    expect(calls).toEqual([]);
  });

  it.each([
    ["without headers", undefined],
    ["with headers", { authorization: "Bearer one" }],
    ["with headers from a function", () => ({ authorization: "Bearer one" })],
  ])("sends the answer before the press has been handled, %s", async (_name, headers) => {
    let isSent = false;
    const channel = createHttpChannel({
      headers,
      fetch: async () => {
        isSent = true;
        return Response.json({ success: true });
      },
    });
    const receipts = channel.respond([answer], { signal });
    expect(isSent).toBe(true);
    await receipts;
  });

  it("waits for headers that a function returns later", async () => {
    const { channel, calls } = against(() => Response.json({ success: true }), {
      headers: async () => ({ authorization: "Bearer later" }),
    });
    await channel.respond([answer], { signal });
    expect(calls[0]?.headers.get("authorization")).toBe("Bearer later");
  });

  it("sends cookies with `credentials`, and leaves the default to fetch without it", async () => {
    const modes: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      modes.push(init?.credentials);
      return problem(404);
    };
    await createHttpChannel({ fetch, credentials: "include" }).status?.("e1", { signal });
    await createHttpChannel({ fetch }).status?.("e1", { signal });
    expect(modes).toEqual(["include", undefined]);
  });
});

describe("an HTTP channel that reads from the server", () => {
  const report = {
    elicitationId: "e1",
    status: "pending",
    expiresAt: "2026-11-21T12:10:00Z",
    now: "2026-11-21T12:00:00Z",
  };

  it("reads a status, and reports when the server does not know the request", async () => {
    expect(await against(() => Response.json(report)).channel.status?.("e1", { signal })).toEqual(report);
    expect(await against(() => problem(404)).channel.status?.("e1", { signal })).toBeUndefined();
  });

  it.each([
    ["a web page", "text/html", "<h1>404</h1>"],
    ["JSON", "application/json", { message: "no Route matched with those values" }],
    ["JSON that reads like a problem", "application/json", { title: "x", status: 404, detail: "no route" }],
  ])("does not treat a proxy's 404 with %s as an unknown request", async (_name, type, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { channel } = against(() => new Response(text, { status: 404, headers: { "content-type": type } }));
    const hint = "answered 404. Is `api` the base of the contract's routes?";
    const reading = channel.status?.("e1", { signal });
    await expect(reading).rejects.toThrow(hint);
    const answering = channel.respond([answer], { signal });
    await expect(answering).rejects.toThrow(hint);
    for (const call of [reading, answering, channel.list?.("c1", { signal })])
      await expect(call).rejects.toMatchObject({ name: "ChannelError", retryable: true });
  });

  it("treats the server's own 404 as its word after a proxy's 404 for the list", async () => {
    let reply = () => new Response("404 page not found", { status: 404 });
    const { channel } = against(() => reply());
    await expect(channel.list?.("c1", { signal })).rejects.toMatchObject({ retryable: true });
    reply = () => problem(404);
    expect(await channel.status?.("e1", { signal })).toBeUndefined();
  });

  it.each([404, 405, 501])("treats a %i as a missing route", async (status) => {
    const { channel } = against(() => new Response(null, { status }));
    await expect(channel.status?.("e1", { signal })).rejects.toMatchObject({ notOffered: true });
    await expect(channel.list?.("c1", { signal })).rejects.toMatchObject({ notOffered: true });
  });

  it("treats a 404 of a server without a list as a missing route, even with a problem body", async () => {
    const { channel } = against(() => problem(404));
    expect(await channel.status?.("e1", { signal })).toBeUndefined();
    await expect(channel.list?.("c1", { signal })).rejects.toMatchObject({ notOffered: true });
    await expect(channel.status?.("e1", { signal })).rejects.toMatchObject({ notOffered: true });
  });

  it("treats a 404 as a short outage if the server had the route before", async () => {
    let isAway = false;
    const { channel } = against(() =>
      isAway ? new Response("nginx", { status: 404 }) : Response.json({ elicitations: [] }),
    );
    await channel.list?.("c1", { signal });
    isAway = true;
    await expect(channel.status?.("e1", { signal })).rejects.toMatchObject({ notOffered: false });
  });

  it("accepts a request that has a relative address and no mode", async () => {
    const open = { type: "elicitation-request", elicitationId: "conv:1/x y", message: "m" };
    const { channel } = against(() =>
      Response.json({
        elicitations: [
          { ...open, url: "/auth/connect?id=1" },
          { ...open, elicitationId: "f", requestedSchema: { type: "object", properties: {} } },
        ],
      }),
    );
    expect(await channel.list?.("c1", { signal })).toMatchObject([
      { mode: "url", url: "https://chat.example/auth/connect?id=1" },
      { mode: "form" },
    ]);
  });

  it("lists open requests and omits malformed ones", async () => {
    const open = {
      type: "elicitation-request",
      elicitationId: "e2",
      mode: "url",
      message: "m",
      url: "https://a.example/",
    };
    const { channel, calls } = against(() =>
      Response.json({ elicitations: [open, { type: "elicitation-request" }] }),
    );
    expect(await channel.list?.("c 1", { signal })).toEqual([open]);
    expect(calls[0]?.url).toContain("conversationId=c%201");
  });

  it.each([{}, { elicitations: {} }, null, []])("finds no open request in the reply %j", async (body) => {
    expect(await against(() => Response.json(body)).channel.list?.("c1", { signal })).toEqual([]);
  });

  it("gets a ticket with which the user is recognised on the hosted page, and throws when the server refuses", async () => {
    const { channel, calls } = against(() =>
      Response.json({ success: true, elicitationId: "e1", ticket: "1.x" }),
    );
    expect(await channel.bind?.("e1", "challenge", { signal })).toBe("1.x");
    expect(calls[0]).toMatchObject({
      url: "https://chat.example/run/api/elicitations/e1/bind",
      body: { challenge: "challenge" },
    });
    for (const reply of [problem(403), new Response(null, { status: 204 })]) {
      const refused = against(() => reply).channel.bind?.("e1", "x", { signal });
      await expect(refused).rejects.toThrow(/^elicit-kit: /);
    }
  });
});

describe("an HTTP channel that asks the server for something", () => {
  type Ask = (channel: ReturnType<typeof createHttpChannel>) => Promise<unknown> | undefined;
  const propose: Ask = (channel) => channel.propose?.("e/1", "Lisbon", { signal });
  const forget: Ask = (channel) => channel.forget?.("r/1", { signal });
  const extend: Ask = (channel) => channel.extend?.("e/1", { signal });
  const give: Ask = (channel) => channel.assign?.("e/1", { user: "bo" }, { signal });
  const takeBack: Ask = (channel) => channel.assign?.("e/1", null, { signal });
  const remind: Ask = (channel) => channel.remind?.("e/1", { signal });
  const assignees: Ask = (channel) => channel.assignees?.("e/1", { signal });
  const bo = { name: "Bo" };
  const choices = [
    { to: { user: "bo" }, name: "Bo" },
    { to: { group: "finance" }, name: "Finance" },
  ];
  const broken = [null, { to: { user: "bo" } }, { to: { user: 1, group: 2 }, name: "x" }, { name: "x" }];

  it.each<[string, Ask, string, object | undefined, unknown, unknown]>([
    [
      "a proposal",
      propose,
      "elicitations/e%2F1/proposal",
      { text: "Lisbon" },
      { content: { a: 1 } },
      { a: 1 },
    ],
    ["that an answer is forgotten", forget, "remembered/r%2F1/forget", {}, { success: true }, undefined],
    ["more time", extend, "elicitations/e%2F1/extend", {}, { success: true }, undefined],
    ["a reminder", remind, "elicitations/e%2F1/remind", {}, { success: true }, { sent: true }],
    [
      "to be the one who decides",
      takeBack,
      "elicitations/e%2F1/assignee",
      { to: null },
      { success: true },
      undefined,
    ],
    [
      "an assignee",
      give,
      "elicitations/e%2F1/assignee",
      { to: { user: "bo" } },
      { assignee: bo },
      { ...bo, takeBack: false, remind: false },
    ],
    [
      "an assignee whom the user may remind",
      give,
      "elicitations/e%2F1/assignee",
      { to: { user: "bo" } },
      { assignee: { ...bo, takeBack: true, remind: true } },
      { ...bo, takeBack: true, remind: true },
    ],
    [
      "who can decide",
      assignees,
      "elicitations/e%2F1/assignees",
      undefined,
      { assignees: [...choices, ...broken] },
      choices,
    ],
  ])("gets %s", async (_, call, path, body, reply, result) => {
    const { channel, calls } = against(() => Response.json(reply));
    expect(await call(channel)).toEqual(result);
    expect(calls).toMatchObject([{ url: `https://chat.example/run/api/${path}`, body }]);
  });

  it.each<[string, Ask, string]>([
    ["a proposal", propose, "/elicitations/e%2F1/proposal"],
    ["that an answer is forgotten", forget, "/remembered/r%2F1/forget"],
    ["more time", extend, "/elicitations/e%2F1/extend"],
    ["a reminder", remind, "/elicitations/e%2F1/remind"],
    ["an assignee", give, "/elicitations/e%2F1/assignee"],
    ["who can decide", assignees, "/elicitations/e%2F1/assignees"],
    ["a ticket", (channel) => channel.bind?.("e/1", "c", { signal }), "/elicitations/e%2F1/bind"],
    ["a status", (channel) => channel.status?.("e/1", { signal }), "/elicitations/e%2F1"],
    ["a list", (channel) => channel.list?.("c1", { signal }), "/elicitations?conversationId=c1"],
  ])("says which route has refused %s, and tries no more", async (_, call, path) => {
    const { channel } = against(() => problem(403));
    const failure = call(channel);
    await expect(failure).rejects.toThrow(`elicit-kit: https://chat.example/run/api${path} answered 403`);
    await expect(failure).rejects.toMatchObject({ name: "ChannelError", retryable: false });
  });

  it("says which route is away for a moment", async () => {
    const { channel } = against(() => problem(503));
    await expect(extend(channel)).rejects.toThrow("https://chat.example/run/api/elicitations/e%2F1/extend");
    const { channel: offline } = against(() => Promise.reject(new TypeError("offline")));
    await expect(extend(offline)).rejects.toThrow("the server at https://chat.example/run/api could not");
  });
});
