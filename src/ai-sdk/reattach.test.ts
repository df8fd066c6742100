import { array, assert, asyncProperty, constantFrom, nat, string } from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ChannelEvent } from "../client/channel.ts";
import { createHardenedFetch, type HardenedFetchParts } from "./hardened-fetch.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 200) };
const STREAM = { headers: { "content-type": "text/event-stream" } };
const message: RequestInit = { method: "POST", body: JSON.stringify({ id: "c 1", messages: [] }) };
const event = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;
const START = event({ type: "start", messageId: "m1" });
const HELLO = event({ type: "text-delta", id: "t", delta: "Hello" });
const REST = event({ type: "text-delta", id: "t", delta: " world" });
const FINISH = event({ type: "finish" });

type Reply = Response | Error | ((sent: Request) => Response | Promise<Response>);

/** A body with this content that then fails like a lost connection. */
function broken(...pieces: (string | Uint8Array)[]): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(new TypeError("network error"));
        else controller.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, STREAM);
}

const whole = (...pieces: string[]): Response => new Response(pieces.join(""), STREAM);

const dataIn = (text: string): string[] => text.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data"));

/** A server that sends these replies in order, with a clock that only the test advances. */
function setUp(replies: Reply[], options: HardenedFetchParts = {}) {
  const calls: Request[] = [];
  const told: ChannelEvent[] = [];
  const timers: { ms: number; run: () => void }[] = [];
  const network = new Set<() => void>();
  const { fetch } = createHardenedFetch({
    async fetch(input, init) {
      const sent = new Request(
        typeof input === "string" ? new URL(input, "https://chat.example") : input,
        init,
      );
      calls.push(sent);
      const reply = replies.shift() ?? new TypeError("Failed to fetch");
      if (reply instanceof Error) throw reply;
      return typeof reply === "function" ? reply(sent) : reply;
    },
    push: (one) => told.push(one),
    clock: {
      now: () => 0,
      after(ms, run) {
        const timer = { ms, run };
        timers.push(timer);
        return () => {
          if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
        };
      },
    },
    onOnline(listener) {
      network.add(listener);
      return () => network.delete(listener);
    },
    ...options,
  });
  const paths = () => calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  const send = async (init: RequestInit = {}) => fetch("/run/api/chat", { ...message, ...init });
  const wait = async (): Promise<number> => {
    await expect.poll(() => timers).toHaveLength(1);
    const { ms, run } = timers.shift()!;
    run();
    return ms;
  };
  return { calls, told, timers, network, fetch, paths, send, wait };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a stream whose connection is lost", () => {
  it("continues where it broke, and no one but the client learns of it", async () => {
    const { told, paths, send } = setUp([
      broken(START, HELLO, REST.slice(0, 9)),
      whole(START, ": keep-alive\n\n", HELLO, REST, FINISH),
    ]);
    const response = await send();
    expect(await response.text()).toBe(START + HELLO + REST + FINISH);
    expect(paths()).toEqual(["POST /run/api/chat", "GET /run/api/chat/c%201/stream"]);
    expect(told).toEqual(
      [true, false, true, false].map((live) => ({ type: "live", conversationId: "c 1", live })),
    );
  });

  it("continues after a silence in which comments of the server are missing", async () => {
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    const { timers, paths, send, wait } = setUp([
      new Response(stream.readable, STREAM),
      whole(START, HELLO, FINISH),
    ]);
    const read = (await send()).text();
    await writer.write(new TextEncoder().encode(START));
    expect(timers).toEqual([]);
    await writer.write(new TextEncoder().encode(": keep-alive\n\n"));
    expect([await wait(), await wait()]).toEqual([30_000, 15_000]);
    expect(await read).toBe(`${START}: keep-alive\n\n${HELLO}${FINISH}`);
    expect(paths()).toEqual(["POST /run/api/chat", "GET /run/api/chat/c%201/stream"]);
    await expect(writer.closed).rejects.toBeUndefined();
  });

  it("loses and repeats no chunk, wherever and however often it breaks", async () => {
    const text = string({ unit: "grapheme" });
    const end = constantFrom("\n", "\r\n", "\r");
    await assert(
      asyncProperty(array(text), array(nat(), { maxLength: 4 }), end, async (words, breaks, lineEnd) => {
        const deltas = words.map((delta) => event({ type: "text-delta", id: "t", delta }));
        const events = [START, ": keep-alive\n\n", ...deltas, FINISH].map((one) =>
          one.replaceAll("\n", lineEnd),
        );
        const bytes = new TextEncoder().encode(events.join(""));
        // Do not cut inside the last event: the chunks after it could be missing.
        const limit = bytes.length - events.at(-1)!.length + 1;
        const cuts = breaks.map((at) => at % limit);
        const { send, timers } = setUp([
          ...cuts.map((at) => broken(bytes.slice(0, at >> 1), bytes.slice(at >> 1, at))),
          new Response(bytes, STREAM),
        ]);
        const ticking = setInterval(() => timers[0]?.run());
        const read = await (await send()).text();
        clearInterval(ticking);
        expect(dataIn(read)).toEqual(dataIn(events.join("")));
      }),
      RUNS,
    );
  });

  it.each(["/run/api/chat", "/run/api/chat?tenant=t1"])(
    "is requested by the id of its message: %s",
    async (url) => {
      const { calls, fetch } = setUp([
        broken(event({ type: "start", messageId: "m 1" })),
        whole(START, FINISH),
      ]);
      await (await fetch(url, message)).text().catch(() => undefined);
      expect(new URL(calls[1]!.url).searchParams.get("messageId")).toBe("m 1");
      expect(new URL(calls[1]!.url).searchParams.get("tenant")).toBe(
        new URL(calls[0]!.url).searchParams.get("tenant"),
      );
    },
  );

  it("is requested with the headers of its turn, and with a fresh token", async () => {
    const { calls, send } = setUp([broken(START), whole(START, FINISH)], {
      headers: async () => ({ authorization: "Bearer fresh" }),
    });
    const headers = { authorization: "Bearer stale", "x-own": "1", "content-type": "application/json" };
    await (await send({ headers, credentials: "include" })).text();
    expect(calls[1]?.credentials).toBe("include");
    const sent = Object.fromEntries(calls[1]?.headers ?? []);
    expect(sent).toEqual({
      authorization: "Bearer fresh",
      "x-own": "1",
      "x-supports-elicitation": "true",
    });
  });

  it("is requested at its own address if it was a re-attached stream", async () => {
    const { paths, fetch } = setUp([broken(START), whole(START, FINISH)]);
    expect(await (await fetch("/api/agent/a%20b/stream")).text()).toBe(START + FINISH);
    expect(paths()).toEqual(["GET /api/agent/a%20b/stream", "GET /api/agent/a%20b/stream"]);
  });

  it.each<[string, Reply]>([
    ["does not know how to re-attach", new Response(null, { status: 405 })],
    [
      "refuses it with a 404 of its own",
      new Response("{}", { status: 404, headers: { "content-type": "application/problem+json" } }),
    ],
    ["answers with a page", new Response("<!doctype html>", { headers: { "content-type": "text/html" } })],
    ["replays another run", () => whole(event({ type: "start", messageId: "m2" }), HELLO, FINISH)],
    ["replays less than was read", () => whole(START)],
  ])("fails with its original error when the server %s", async (_, reply) => {
    const { paths, send, told } = setUp([broken(START, HELLO), reply]);
    await expect((await send()).text()).rejects.toThrow("network error");
    expect(paths()).toHaveLength(2);
    expect(told.at(-1)).toMatchObject({ live: false });
  });

  it("reports that the turn has ended when the server has no stream of it", async () => {
    const { send } = setUp([broken(START), new Response(null, { status: 204 })]);
    await expect((await send()).text()).rejects.toThrow(
      /^elicit-kit: the connection was lost, and the turn ended before it was back/,
    );
  });

  it.each([FINISH, "data: [DONE]\n\n", event({ type: "abort" }), event({ type: "error", errorText: "no" })])(
    "is complete when the connection broke after the last event: %j",
    async (last) => {
      const { paths, send } = setUp([broken(START, last)]);
      expect(await (await send()).text()).toBe(START + last);
      expect(paths()).toHaveLength(1);
    },
  );

  it("is requested with growing pauses, and given up after a minute", async () => {
    const busy = () => new Response("busy", { status: 503 });
    const { paths, send, wait } = setUp([broken(START), busy, new Response(null, { status: 429 })]);
    const failed = (await send()).text().catch(String);
    const pauses: number[] = [];
    for (let tries = 0; tries < 6; tries++) pauses.push(await wait());
    expect(await failed).toContain("network error");
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    expect(paths()).toHaveLength(8);
  });

  it("is requested every 30 seconds without limit while a request waits for the user", async () => {
    const failures = Array.from({ length: 20 }, () => new TypeError("Failed to fetch"));
    let isWaiting = true;
    const { send, wait } = setUp([broken(START), ...failures, whole(START, FINISH)], {
      paused: { waits: () => isWaiting, untilAnswered: async () => {}, take: () => undefined },
    });
    const read = (await send()).text();
    const pauses: number[] = [];
    for (let tries = 0; tries < 20; tries++) pauses.push(await wait());
    expect(await read).toBe(START + FINISH);
    expect(pauses.slice(5)).toEqual(pauses.slice(5).map(() => 30_000));

    isWaiting = false;
    const other = setUp([broken(START)], {
      paused: { waits: () => isWaiting, untilAnswered: async () => {}, take: () => undefined },
    });
    const failed = (await other.send()).text().catch(String);
    for (let tries = 0; tries < 6; tries++) await other.wait();
    expect(await failed).toContain("network error");
  });

  it("continues when a proxy has replied 404 for a server that starts again", async () => {
    const { send, wait } = setUp([
      broken(START, HELLO),
      new Response("404 page not found", { status: 404 }),
      whole(START, HELLO, REST, FINISH),
    ]);
    const read = (await send()).text();
    expect(await wait()).toBe(1_000);
    expect(await read).toBe(START + HELLO + REST + FINISH);
  });

  it.each([404, 501])(
    "is given up after a minute if the server replies %i, even while a request waits for the user",
    async (status) => {
      const { paths, send, wait } = setUp(
        [broken(START), ...Array.from({ length: 20 }, () => new Response(null, { status }))],
        { paused: { waits: () => true, untilAnswered: async () => {}, take: () => undefined } },
      );
      const failed = (await send()).text().catch(String);
      for (let tries = 0; tries < 6; tries++) await wait();
      expect(await failed).toContain("network error");
      expect(paths()).toHaveLength(8);
    },
  );

  it("continues after a proxy's 404 at the end of a long outage, while a request waits for the user", async () => {
    const busy = Array.from({ length: 10 }, () => new Response("busy", { status: 503 }));
    const { send, wait } = setUp(
      [broken(START), ...busy, new Response("404 page not found", { status: 404 }), whole(START, FINISH)],
      { paused: { waits: () => true, untilAnswered: async () => {}, take: () => undefined } },
    );
    const read = (await send()).text();
    for (let tries = 0; tries < 11; tries++) await wait();
    expect(await read).toBe(START + FINISH);
  });

  it("waits for the network without limit while the browser is offline", async () => {
    vi.stubGlobal("navigator", { onLine: false });
    const { timers, network, paths, send } = setUp([
      broken(START),
      new TypeError("Failed to fetch"),
      whole(START, FINISH),
    ]);
    const read = (await send()).text();
    await expect.poll(() => network.size).toBe(1);
    expect(timers).toEqual([]);
    expect(paths()).toHaveLength(2);
    for (const listener of network) listener();
    expect(await read).toBe(START + FINISH);
    expect(network.size).toBe(0);
  });

  it("pauses between requests when it breaks again at once, even if the server replies to other requests", async () => {
    const replies = new Set<() => void>();
    const breaksAgain = () => {
      setTimeout(() => replies.forEach((listener) => listener()));
      return broken(START);
    };
    const { paths, send, wait } = setUp(
      [broken(START), breaksAgain, breaksAgain, broken(START, HELLO), whole(START, HELLO, FINISH)],
      {
        onReached(listener) {
          replies.add(listener);
          return () => replies.delete(listener);
        },
      },
    );
    const read = (await send()).text();
    expect(await wait()).toBe(1_000);
    expect(await wait()).toBe(2_000);
    expect(await read).toBe(START + HELLO + FINISH);
    expect(paths()).toHaveLength(5);
  });

  it("pauses between requests when the server repeatedly ends it at once", async () => {
    const continues = event({ type: "data-turn-continues", data: {}, transient: true });
    const { paths, send, wait } = setUp([
      whole(START, continues),
      whole(START, continues),
      whole(START, continues),
      whole(START, continues),
      whole(START, HELLO, FINISH),
    ]);
    const read = (await send()).text();
    expect([await wait(), await wait(), await wait()]).toEqual([1_000, 2_000, 4_000]);
    expect(await read).toBe(START + HELLO + FINISH);
    expect(paths()).toHaveLength(5);
  });

  it("ends without an error when the user sends a new message", async () => {
    const { timers, send } = setUp([broken(START), new TypeError("Failed to fetch"), whole(FINISH)]);
    const read = (await send()).text();
    await expect.poll(() => timers).toHaveLength(1);
    expect(await (await send()).text()).toBe(FINISH);
    expect(await read).toBe(START);
    expect(timers).toEqual([]);
  });

  it("ends without an error when the chat re-attaches itself in between", async () => {
    const { timers, fetch, send } = setUp([
      broken(START),
      new TypeError("Failed to fetch"),
      whole(START, FINISH),
    ]);
    const read = (await send()).text();
    await expect.poll(() => timers).toHaveLength(1);
    expect(await (await fetch("/run/api/chat/c%201/stream")).text()).toBe(START + FINISH);
    expect(await read).toBe(START);
  });

  it("stops the turn on the server when the chat is stopped in between", async () => {
    const { timers, network, paths, send } = setUp([
      broken(START),
      new TypeError("Failed to fetch"),
      new Response(null, { status: 204 }),
    ]);
    const abort = new AbortController();
    const read = (await send({ signal: abort.signal })).text();
    await expect.poll(() => timers).toHaveLength(1);
    abort.abort();
    await expect(read).rejects.toThrow("aborted");
    await expect.poll(paths).toContain("POST /run/api/chat/c%201/stop");
    expect([timers, network.size]).toEqual([[], 0]);
  });

  it("is released when it is no longer read", async () => {
    let isReleased = false;
    const late = new ReadableStream({ cancel: () => void (isReleased = true) });
    let reply: (response: Response) => void = () => undefined;
    const { send, paths } = setUp([broken(START), () => new Promise((resolve) => (reply = resolve))]);
    const reader = (await send()).body!.getReader();
    await reader.read();
    void reader.read();
    await expect.poll(paths).toHaveLength(2);
    await reader.cancel();
    reply(new Response(late, STREAM));
    await expect.poll(() => isReleased).toBe(true);
  });
});
