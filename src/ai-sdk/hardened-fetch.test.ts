import { afterEach, describe, expect, it, vi } from "vitest";
import type { ChannelEvent } from "../client/channel.ts";
import { urlRequest } from "../contract/testing/requests.ts";
import { createHardenedFetch, type HardenedFetchOptions } from "./hardened-fetch.ts";

const request = urlRequest({ elicitationId: "e1" });
const STREAM = { headers: { "content-type": "text/event-stream; charset=utf-8" } };
const run: RequestInit = { method: "POST", body: JSON.stringify({ id: "c1", messages: [] }) };

/** A server whose streams the test writes. It breaks a stream when its HTTP request is aborted, as the network does. */
function setUp(options: HardenedFetchOptions = {}) {
  const calls: Request[] = [];
  const told: ChannelEvent[] = [];
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const stops = () =>
    calls.filter(({ url }) => url.endsWith("/stop")).map(({ url }) => new URL(url).pathname);
  const server = vi.fn(async (sent: Request): Promise<Response> => {
    if (sent.url.endsWith("/stop")) return new Response(null, { status: 204 });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.push(controller);
        sent.signal.addEventListener("abort", () => controller.error(sent.signal.reason));
      },
    });
    return new Response(body, STREAM);
  });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const sent = new Request(
      typeof input === "string" ? new URL(input, "https://chat.example") : input,
      init,
    );
    sent.signal.throwIfAborted();
    calls.push(sent);
    return server(sent);
  };
  const { fetch: hardened } = createHardenedFetch({
    fetch,
    push: (event) => told.push(event),
    ...options,
  });
  return { calls, told, streams, stops, server, hardened };
}

const write = (stream: ReadableStreamDefaultController<Uint8Array> | undefined, chunk: unknown): void =>
  stream?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
const live = (conversationId: string, isLive: boolean): ChannelEvent => ({
  type: "live",
  conversationId,
  live: isLive,
});
/** Long enough for a stop that is cancelled immediately. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the startId of a message", () => {
  const startIds = (calls: readonly Request[]) =>
    Promise.all(calls.map(async (call) => (await call.clone().json()).startId as unknown));
  const message = (body: object): RequestInit => ({
    method: "POST",
    body: JSON.stringify({ id: "c1", messages: [{ id: "m1" }], ...body }),
  });

  it("is the same when a message is sent again because no reply came, and a new one after a reply", async () => {
    const { calls, server, hardened } = setUp();
    server.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    server.mockResolvedValueOnce(new Response(null, { status: 503 }));
    const first = { trigger: "submit-message", model: "m" };
    const again = { trigger: "regenerate-message", model: "m" };
    await expect(hardened("/run/api/chat", message(first))).rejects.toThrow("Failed to fetch");
    for (let sent = 0; sent < 3; sent += 1) await hardened("/run/api/chat", message(again));
    const [lost, refused, replied, next] = await startIds(calls);
    expect(lost).toMatch(/^[0-9a-f]{32}$/);
    expect([refused, replied]).toEqual([lost, lost]);
    expect(next).not.toBe(lost);
  });

  it.each([
    { changed: "text", body: { messages: [{ id: "m1", text: "other" }] } },
    { changed: "conversation", body: { id: "c2" } },
    { changed: "model", body: { model: "other" } },
  ])("is a new one for a message with another $changed", async ({ body }) => {
    const { calls, server, hardened } = setUp();
    server.mockResolvedValue(new Response(null, { status: 503 }));
    await hardened("/run/api/chat", message({}));
    await hardened("/run/api/chat", message(body));
    expect(new Set(await startIds(calls)).size).toBe(2);
  });

  it("is a new one after the user has stopped the message", async () => {
    const { calls, server, hardened } = setUp();
    const stop = new AbortController();
    server.mockImplementationOnce(async () => {
      stop.abort();
      throw stop.signal.reason;
    });
    await expect(hardened("/run/api/chat", { ...message({}), signal: stop.signal })).rejects.toThrow(
      "aborted",
    );
    await hardened("/run/api/chat", message({}));
    const sent = calls.filter(({ url }) => url.endsWith("/chat"));
    expect(new Set(await startIds(sent)).size).toBe(2);
  });

  it("is that of the app, and none where the body is not one of the contract", async () => {
    const { calls, hardened } = setUp();
    await hardened("/run/api/chat", message({ startId: "own" }));
    await hardened("/mine", { method: "POST", body: JSON.stringify({ chatId: "c1", message: {} }) });
    expect(await startIds(calls)).toEqual(["own", undefined]);
  });
});

describe("outgoing requests", () => {
  it.each([
    ["no headers", undefined],
    ["an object", { authorization: "Bearer x" }],
    ["a Headers object", new Headers({ authorization: "Bearer x" })],
    ["a list", [["authorization", "Bearer x"] satisfies [string, string]]],
  ])("declare support for elicitation, in addition to %s", async (_, headers) => {
    const { calls, hardened } = setUp();
    await hardened("/run/api/chat", { ...run, ...(headers && { headers }) });
    expect(calls[0]?.headers.get("x-supports-elicitation")).toBe("true");
    expect(calls[0]?.headers.get("authorization")).toBe(headers === undefined ? null : "Bearer x");
    expect(await calls[0]?.json()).toMatchObject({ id: "c1", messages: [] });
  });

  it("keep the body, headers, credentials and signal of a Request", async () => {
    const { calls, told, streams, stops, hardened } = setUp();
    const abort = new AbortController();
    const headers = { authorization: "Bearer x", "content-type": "application/json" };
    const sent = new Request("https://chat.example/run/api/chat", {
      ...run,
      headers,
      signal: abort.signal,
      credentials: "include",
    });
    const reader = (await hardened(sent)).body!.getReader();
    write(streams[0], { type: "data-elicitation-request", id: "e1", data: request });
    await reader.read();
    expect(told).toEqual([live("c1", true), { type: "request", conversationId: "c1", request }]);
    expect(await calls[0]?.json()).toEqual({ id: "c1", messages: [] });
    expect(calls[0]?.headers.get("authorization")).toBe("Bearer x");
    abort.abort();
    await expect.poll(() => stops()).toEqual(["/run/api/chat/c1/stop"]);
    expect(calls[1]?.credentials).toBe("include");
    expect(calls[1]?.headers.get("authorization")).toBe("Bearer x");
    expect(calls[1]?.headers.get("content-type")).toBe(null);
  });

  it("use the global fetch at the time of the call", async () => {
    const { fetch } = createHardenedFetch();
    const replaced = vi.fn(async () => Response.json({}));
    vi.stubGlobal("fetch", replaced);
    await fetch("/run/api/chat", run);
    expect(replaced).toHaveBeenCalledTimes(1);
  });
});

describe("a response", () => {
  it("is passed on unchanged when it is not an event stream, or is an error", async () => {
    const { told, server, hardened } = setUp();
    for (const response of [
      Response.json({ success: true }),
      new Response(null, { status: 204 }),
      new Response("data: x\n\n", { ...STREAM, status: 500 }),
    ]) {
      server.mockResolvedValueOnce(response);
      expect(await hardened("/run/api/chat", run)).toBe(response);
    }
    expect(told).toEqual([]);
  });

  it("keeps status and headers, except a length that may be wrong now", async () => {
    const { server, hardened } = setUp();
    const headers = {
      "content-type": "Text/Event-Stream",
      "content-length": "9",
      "x-vercel-ai-ui-message-stream": "v1",
    };
    server.mockResolvedValueOnce(new Response("data: x\n\n", { status: 201, statusText: "Made", headers }));
    const response = await hardened("/run/api/chat", run);
    expect([response.status, response.statusText]).toEqual([201, "Made"]);
    expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    expect(response.headers.has("content-length")).toBe(false);
    expect(await response.text()).toBe("");
  });

  it.each([
    ["conversationId", { conversationId: "c1", id: "other" }],
    ["chatId", { chatId: "c1", id: "m1" }],
    ["id", { id: "c1" }],
  ])("belongs to the conversation that the body names as %s", async (_, body) => {
    const { told, streams, hardened } = setUp();
    const reader = (
      await hardened("/run/api/chat", { method: "POST", body: JSON.stringify(body) })
    ).body!.getReader();
    write(streams[0], request);
    await reader.read();
    expect(told[1]).toEqual({ type: "request", conversationId: "c1", request });
    await reader.cancel();
  });

  it("belongs to the conversation in the path of a re-attached stream", async () => {
    const { told, streams, hardened } = setUp();
    const reader = (await hardened("/api/agent/a%20b/stream?x=1")).body!.getReader();
    write(streams[0], request);
    await reader.read();
    expect(told).toEqual([live("a b", true), { type: "request", conversationId: "a b", request }]);
    await reader.cancel();
  });

  it("is made safe for the AI SDK even when its conversation is unknown", async () => {
    for (const [url, init] of [
      ["/run/api/chat", { method: "POST", body: "not JSON" }],
      ["/run/api/chat", { method: "POST", body: "[]" }],
      ["/run/api/chat", { method: "POST", body: new Uint8Array([1]) }],
      ["/run/api/chat/%zz/stream", {}],
    ] as const) {
      const { told, streams, hardened } = setUp();
      const reader = (await hardened(url, init)).body!.getReader();
      write(streams[0], request);
      expect(new TextDecoder().decode((await reader.read()).value)).toContain("data-elicitation-request");
      expect(told).toEqual([]);
      await reader.cancel();
    }
  });

  it("is reported once when its requests came as text", async () => {
    const onUnconfirmed = vi.fn();
    const { told, streams, hardened } = setUp({ onUnconfirmed });
    const reader = (await hardened("/run/api/chat", run)).body!.getReader();
    write(streams[0], { type: "custom", kind: "elicit-kit.elicitation-request" });
    await reader.read();
    expect(onUnconfirmed.mock.calls).toEqual([["c1"]]);
    expect(told).toEqual([live("c1", true)]);
    await reader.cancel();
  });
});

describe("the live state of a conversation", () => {
  it("begins when its stream is read and ends with it", async () => {
    const { told, streams, hardened } = setUp();
    const response = await hardened("/run/api/chat", run);
    expect(told).toEqual([]);
    const text = response.text();
    await expect.poll(() => told).toEqual([live("c1", true)]);
    streams[0]?.close();
    await text;
    expect(told).toEqual([live("c1", true), live("c1", false)]);
  });

  it("ends when the stream breaks, is cancelled, or is aborted while not being read", async () => {
    for (const end of ["break", "cancel", "abort"] as const) {
      const { told, streams, server, hardened } = setUp();
      const abort = new AbortController();
      const reader = (await hardened("/run/api/chat", { ...run, signal: abort.signal })).body!.getReader();
      write(streams[0], { type: "start" });
      await reader.read();
      server.mockResolvedValueOnce(new Response(null, { status: 405 }));
      if (end === "break") streams[0]?.error(new TypeError("network error"));
      if (end === "abort") abort.abort();
      else await (end === "cancel" ? reader.cancel() : reader.read().catch(() => undefined));
      expect(told).toEqual([live("c1", true), live("c1", false)]);
    }
  });

  it("continues while any of its streams is open, independent of other conversations", async () => {
    const { told, streams, hardened } = setUp();
    const texts = [
      (await hardened("/run/api/chat", run)).text(),
      (await hardened("/run/api/chat/c1/stream")).text(),
      (await hardened("/run/api/chat/c2/stream")).text(),
    ];
    await expect.poll(() => told).toEqual([live("c1", true), live("c2", true)]);
    streams[0]?.close();
    await texts[0];
    streams[2]?.close();
    await texts[2];
    expect(told.slice(2)).toEqual([live("c2", false)]);
    streams[1]?.close();
    await texts[1];
    expect(told.slice(3)).toEqual([live("c1", false)]);
  });
});

describe("a request to stop the turn", () => {
  it("is sent once, when the signal aborts before the stream has ended", async () => {
    const { calls, stops, hardened } = setUp();
    const abort = new AbortController();
    const headers = { authorization: "Bearer x" };
    const response = await hardened("/run/api/chat", { ...run, headers, signal: abort.signal });
    abort.abort();
    await expect(response.text()).rejects.toThrow("aborted");
    await settled();
    expect(stops()).toEqual(["/run/api/chat/c1/stop"]);
    expect(calls[1]?.method).toBe("POST");
    expect(calls[1]?.keepalive).toBe(true);
    expect(calls[1]?.headers.get("authorization")).toBe("Bearer x");
  });

  it("is also sent when the signal aborts before the server has answered", async () => {
    const { stops, server, hardened } = setUp();
    server.mockImplementationOnce(
      (sent) =>
        new Promise((_, reject) => sent.signal.addEventListener("abort", () => reject(sent.signal.reason))),
    );
    const abort = new AbortController();
    const response = hardened("/run/api/chat", { ...run, signal: abort.signal });
    await settled();
    abort.abort();
    await expect(response).rejects.toThrow("aborted");
    await settled();
    expect(stops()).toEqual(["/run/api/chat/c1/stop"]);
  });

  it.each([
    [
      "the stream is over",
      async (streams: ReadableStreamDefaultController[], body: Promise<string>) => {
        streams[0]?.close();
        await body;
      },
    ],
    [
      "the connection is lost for good",
      async (streams: ReadableStreamDefaultController[], body: Promise<string>) => {
        streams[0]?.error(new TypeError("network error"));
        await body.catch(() => undefined);
      },
    ],
  ])("is not sent once %s", async (_, end) => {
    const { streams, stops, server, hardened } = setUp();
    const abort = new AbortController();
    const response = await hardened("/run/api/chat", { ...run, signal: abort.signal });
    server.mockResolvedValueOnce(new Response(null, { status: 405 }));
    await end(streams, response.text());
    abort.abort();
    await settled();
    expect(stops()).toEqual([]);
  });

  it("is not sent for a turn that has not begun", async () => {
    const { calls, server, hardened } = setUp();
    await expect(hardened("/run/api/chat", { ...run, signal: AbortSignal.abort() })).rejects.toThrow(
      "aborted",
    );
    expect(calls).toEqual([]);

    const abort = new AbortController();
    server.mockRejectedValueOnce(new TypeError("fetch failed"));
    await expect(hardened("/run/api/chat", { ...run, signal: abort.signal })).rejects.toThrow("fetch failed");
    server.mockResolvedValueOnce(new Response("no", { status: 500 }));
    await hardened("/run/api/chat", { ...run, signal: abort.signal });
    abort.abort();
    await settled();
    expect(calls).toHaveLength(2);
  });

  it("is not sent for a chat that only detaches", async () => {
    const { told, stops, hardened } = setUp({ detach: true });
    const abort = new AbortController();
    const response = await hardened("/run/api/chat", { ...run, signal: abort.signal });
    const text = response.text().catch(() => "");
    await expect.poll(() => told).toHaveLength(1);
    abort.abort();
    await text;
    await settled();
    expect(stops()).toEqual([]);
    expect(told).toEqual([live("c1", true), live("c1", false)]);
  });

  it("is not sent when the chat only re-attaches, because another reader takes over", async () => {
    const { calls, stops, hardened } = setUp();
    const first = new AbortController();
    await hardened("/run/api/chat/c1/stream", { signal: first.signal });
    first.abort();
    await hardened("/run/api/chat/c1/stream");
    await settled();
    expect(stops()).toEqual([]);
    expect(calls).toHaveLength(2);
  });

  it("is not sent when a new message follows at once, because the server then ends the turn itself", async () => {
    const { stops, hardened } = setUp();
    const first = new AbortController();
    await hardened("/run/api/chat", { ...run, signal: first.signal });
    first.abort();
    await hardened("/run/api/chat", run);
    await settled();
    expect(stops()).toEqual([]);
  });

  it("ends before a later message is sent, so that it cannot stop the new turn", async () => {
    const { calls, server, hardened } = setUp();
    const first = new AbortController();
    await hardened("/run/api/chat", { ...run, signal: first.signal });
    let reply: (response: Response) => void = () => undefined;
    server.mockImplementationOnce(() => new Promise((resolve) => (reply = resolve)));
    first.abort();
    await settled();
    const second = hardened("/run/api/chat", run);
    await settled();
    expect(calls.map(({ url }) => new URL(url).pathname)).toEqual(["/run/api/chat", "/run/api/chat/c1/stop"]);
    reply(new Response("stopped"));
    await second;
    expect(calls).toHaveLength(3);
  });

  it("does not delay a later message that is aborted itself", async () => {
    const { calls, server, hardened } = setUp();
    const first = new AbortController();
    await hardened("/run/api/chat", { ...run, signal: first.signal });
    server.mockImplementationOnce(() => new Promise(() => undefined));
    first.abort();
    await settled();
    const abort = new AbortController();
    const second = hardened("/run/api/chat", { ...run, signal: abort.signal });
    await settled();
    abort.abort();
    await expect(second).rejects.toThrow("aborted");
    expect(calls).toHaveLength(2);
  });

  it("is not repeated when the server cannot be reached", async () => {
    const { stops, server, hardened } = setUp();
    const abort = new AbortController();
    await hardened("/run/api/chat", { ...run, signal: abort.signal });
    server.mockRejectedValueOnce(new TypeError("fetch failed"));
    abort.abort();
    await settled();
    await hardened("/run/api/chat", run);
    expect(stops()).toEqual(["/run/api/chat/c1/stop"]);
  });
});
