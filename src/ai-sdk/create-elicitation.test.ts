import { DefaultChatTransport, type UIMessage } from "ai";
import { Chat } from "@ai-sdk/react";
import { afterEach, describe, expect, it } from "vitest";
import { nextTask } from "../base/deadlines.ts";
import { createManualClock } from "../base/testing/manual-clock.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import { createElicitation, type ChatElicitation, type ElicitationOptions } from "./create-elicitation.ts";

const request = urlRequest({ elicitationId: "e1" });
const STREAM = { headers: { "content-type": "text/event-stream" } };
const made: ChatElicitation[] = [];

/** A server whose replies the test sets by path. */
function setUp(
  replies: Readonly<Record<string, (sent: Request) => Response>>,
  options: ElicitationOptions = {},
) {
  const calls: Request[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const sent = new Request(
      new URL(input instanceof Request ? input.url : input, "https://chat.example"),
      init,
    );
    calls.push(sent);
    const { pathname, search } = new URL(sent.url);
    return (
      replies[pathname + search]?.(sent) ??
      Response.json(
        { title: "?", status: 404, detail: "?" },
        { status: 404, headers: { "content-type": "application/problem+json" } },
      )
    );
  };
  const elicit = createElicitation({ fetch, storage: null, ...options });
  made.push(elicit);
  const chat = new Chat<UIMessage>({
    id: "c1",
    transport: new DefaultChatTransport(elicit.transportOptions),
  });
  return { calls, elicit, chat, items: () => elicit.getSnapshot().items };
}

const streamOf = (...chunks: unknown[]) =>
  new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""), STREAM);

/** A stream whose connection breaks after these chunks. */
function lostAfter(...chunks: unknown[]): Response {
  const events = chunks.map((chunk) => new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const event = events.shift();
      if (event === undefined) controller.error(new TypeError("network error"));
      else controller.enqueue(event);
    },
  });
  return new Response(body, STREAM);
}

afterEach(() => {
  for (const elicit of made.splice(0)) elicit.dispose();
});

describe("createElicitation", () => {
  it("passes requests from the chat's stream to the client, and marks the conversation as live", async () => {
    const { calls, chat, items } = setUp({
      "/run/api/chat": () => streamOf({ type: "start", messageId: "m1" }, request, { type: "finish" }),
    });
    await chat.sendMessage({ text: "go" });
    expect(chat.status).toBe("ready");
    expect(calls[0]?.headers.get("x-supports-elicitation")).toBe("true");
    expect(items()).toMatchObject([{ id: "e1", conversationId: "c1", request }]);
  });

  it.each([
    ["an object", { "x-token": "1" }],
    ["a function", () => new Headers({ "x-token": "1" })],
    ["a function that waits", async () => [["x-token", "1"] satisfies [string, string]]],
  ])("sends headers from %s with the chat and with answers", async (_, headers) => {
    const { calls, elicit, chat } = setUp(
      { "/app/chat": () => streamOf({ type: "finish" }) },
      { api: "/app", headers, credentials: "include" },
    );
    await chat.sendMessage({ text: "go" }, { headers: { "x-own": "2" } });
    elicit.receive("c1", request);
    await elicit.decline("e1");
    expect(calls.map(({ url }) => new URL(url).pathname)).toEqual([
      "/app/chat",
      "/app/elicitation-responses",
    ]);
    for (const call of calls) {
      expect(call.headers.get("x-token")).toBe("1");
      expect(call.credentials).toBe("include");
    }
    expect(calls[0]?.headers.get("x-own")).toBe("2");
    expect(calls[0]?.headers.get("x-supports-elicitation")).toBe("true");
  });

  it("shows only the server's data of a request that came as text, and reads it with few HTTP requests", async () => {
    const custom = {
      type: "custom",
      kind: "elicit-kit.elicitation-request",
      providerMetadata: { "elicit-kit": { ...request, url: "https://evil.example" } },
    };
    const { calls, chat, items } = setUp({
      "/run/api/chat": () =>
        streamOf({ type: "start", messageId: "m1" }, ...Array.from({ length: 40 }, () => custom)),
      "/run/api/elicitations?conversationId=c1": () => Response.json({ elicitations: [request] }),
    });
    await chat.sendMessage({ text: "go" });
    await expect.poll(() => items()).toMatchObject([{ id: "e1", request }]);
    expect(calls.filter(({ url }) => url.includes("conversationId")).length).toBeLessThanOrEqual(2);
    expect(JSON.stringify(items())).not.toContain("evil");
  });

  it("reads the messages of a chat that it observes", () => {
    const { elicit, chat, items } = setUp({});
    const stop = elicit.observe(chat);
    chat.messages = [
      { id: "m1", role: "assistant", parts: [{ type: "data-elicitation-request", id: "e1", data: request }] },
    ];
    expect(items()).toMatchObject([{ id: "e1", conversationId: "c1" }]);
    stop();
  });

  it("reads a reply that the page has fetched itself, and removes the requests from it", async () => {
    const { elicit, items } = setUp({}, { api: "https://chat.example/run/api" });
    const seen: string[] = [];
    const relative = { ...request, url: "/connect", mode: undefined };
    const reply = streamOf({ type: "start" }, relative, { type: "unheard-of" }, { type: "finish" });
    for await (const { type } of elicit.read("c1", reply)) seen.push(type);
    expect(seen).toEqual(["start", "data-elicitation-request", "finish"]);
    expect(items()).toMatchObject([{ id: "e1", conversationId: "c1" }]);
  });

  it("throws the server's message when a reply is not a stream", async () => {
    const { elicit } = setUp({});
    const refused = Response.json({ title: "No", status: 403, detail: "You may not." }, { status: 403 });
    await expect(elicit.read("c1", refused).next()).rejects.toThrow("You may not.");
  });

  it("stops observing a chat when it is disposed of", () => {
    const { elicit, chat, items } = setUp({});
    elicit.observe(chat);
    elicit.dispose();
    chat.messages = [
      { id: "m1", role: "assistant", parts: [{ type: "data-elicitation-request", id: "e1", data: request }] },
    ];
    expect(items()).toEqual([]);
  });
});

describe("a broken stream that waits for its next try", () => {
  it.each([
    ["an answer", (elicit: ChatElicitation) => elicit.accept("e1", {})],
    ["a question about a request", (elicit: ChatElicitation) => elicit.check("e1")],
  ])("is read again as soon as the server replies to %s", async (_, ask) => {
    let isDown = false;
    const asked = formRequest({ elicitationId: "e1" });
    const START = { type: "start", messageId: "m1" };
    const { elicit, chat, items } = setUp(
      {
        "/run/api/chat": () => lostAfter(START, asked),
        "/run/api/chat/c1/stream?messageId=m1": () =>
          isDown ? new Response(null, { status: 503 }) : streamOf(START, asked, { type: "finish" }),
        "/run/api/elicitation-responses": () => Response.json({ elicitationId: "e1", outcome: "accepted" }),
        "/run/api/elicitations/e1": () =>
          Response.json({ elicitationId: "e1", status: "pending", now: new Date().toISOString() }),
      },
      // No pause ever ends.
      { clock: { now: () => 0, after: () => () => undefined } },
    );
    elicit.observe(chat);
    isDown = true;
    const sent = chat.sendMessage({ text: "go" });
    await expect.poll(() => items()).toMatchObject([{ id: "e1" }]);
    isDown = false;
    await ask(elicit);
    await sent;
    expect(chat.status).toBe("ready");
    expect(chat.messages).toHaveLength(2);
  });

  it("is not read again when a proxy replies for a server that is away", async () => {
    const clock = createManualClock();
    const away = () => new Response("404 page not found", { status: 404 });
    let list = away;
    const { calls, elicit, chat } = setUp(
      {
        "/run/api/chat": () => lostAfter({ type: "start", messageId: "m1" }),
        "/run/api/chat/c1/stream?messageId=m1": away,
        "/run/api/elicitations?conversationId=c1": () => list(),
      },
      { clock },
    );
    const tries = () => calls.filter(({ url }) => url.includes("/stream")).length;
    void chat.sendMessage({ text: "go" });
    await expect.poll(() => [tries(), clock.waiting]).toEqual([1, 1]);
    await elicit.refresh("c1");
    await nextTask();
    expect(tries()).toBe(1);
    list = () => Response.json({ elicitations: [] });
    await elicit.refresh("c1");
    await expect.poll(tries).toBe(2);
  });
});

it("an error of the chat has the server's refusal as its cause, so that a page can show words of its own", async () => {
  const refusal = { title: "Too many requests", status: 429, detail: "Too many requests. Wait a little." };
  const { elicit } = setUp({ "/run/api/chat": () => Response.json(refusal, { status: 429 }) });
  const chat = new Chat<UIMessage>({ id: "c1", transport: elicit.createTransport() });
  await chat.sendMessage({ text: "go" });
  expect(chat.error?.cause).toEqual(refusal);
});
