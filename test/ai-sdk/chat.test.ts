import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { createElicitation, type ElicitationOptions } from "elicit-kit/ai-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/client/clock.ts";
import { serve } from "../../src/node/index.ts";
import { aiSdk } from "./ai-sdk.ts";
import { createAgentServer, type Wire } from "./agent-server.ts";

const person = { authorization: "Bearer ada" };

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
  vi.restoreAllMocks();
});

/** `fetch` without a network, which releases a body when the request is aborted, as the network does. */
function inProcess(server: (request: Request) => Promise<Response>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const response = await server(request);
    if (response.body === null) return response;
    return new Response(
      response.body.pipeThrough(new TransformStream(), { signal: request.signal }),
      response,
    );
  };
}

async function startServer(way: "in process" | "over HTTP") {
  const { fetch, runtime } = createAgentServer();
  endings.push(() => runtime.close());
  if (way === "in process") return { url: "https://agent.example.com", fetch: inProcess(fetch), runtime };
  const { url, close } = await serve({ fetch });
  endings.push(close);
  return { url, fetch: globalThis.fetch, runtime };
}

describe.each(["in process", "over HTTP"] as const)(`a chat on AI SDK ${aiSdk}, %s`, (way) => {
  async function setUp(wire: Wire = "plain", options: ElicitationOptions = {}) {
    const server = await startServer(way);
    // Node's HTTP adapter prints broken connections.
    if (wire.startsWith("broken")) vi.spyOn(console, "error").mockReturnValue(undefined);
    const api = `${server.url}/${wire}/run/api`;

    let resumes = 0;
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (isResume(input, init)) resumes++;
      return server.fetch(input, init);
    };

    /** A page with the kit, as after loading or reloading. */
    function open(more: ElicitationOptions = {}) {
      const elicit = createElicitation({
        api,
        fetch,
        headers: person,
        aiSdk,
        ...options,
        ...more,
      });
      endings.push(
        elicit.subscribe(() => undefined),
        () => elicit.dispose(),
      );
      const chatOf = (id: string, messages: UIMessage[] = []) => {
        const transport = new DefaultChatTransport<UIMessage>(elicit.transportOptions);
        const chat = new Chat<UIMessage>({ id, messages, transport, onError: () => undefined });
        endings.push(elicit.observe(chat));
        return chat;
      };
      const items = () => elicit.getSnapshot().items;
      const statuses = () => items().map(({ status }) => status);
      const asked = async (count = 1) => {
        await expect.poll(() => statuses().filter((status) => status === "pending")).toHaveLength(count);
        return items().find(({ status }) => status === "pending")!.id;
      };
      return { elicit, chatOf, items, statuses, asked };
    }
    return { ...server, fetch, api, open, resumes: () => resumes, ...open() };
  }

  /** A chat whose connection is lost after an answer, with a network that then fails this many times. */
  async function lostAfterTheAnswer({ failures, ...options }: ElicitationOptions & { failures: number }) {
    const server = await setUp("broken-late");
    let tries = 0;
    const page = server.open({
      ...options,
      fetch(input, init) {
        if (isResume(input, init) && ++tries <= failures)
          return Promise.reject(new TypeError("the network is gone"));
        return server.fetch(input, init);
      },
    });
    const chat = page.chatOf("c1");
    const turn = chat.sendMessage({ text: "weather twice" });
    await page.elicit.accept(await page.asked(), { city: "Lisbon" });
    return { ...page, chat, turn, resumes: () => tries };
  }

  it("continues in the same turn with the answer to a form", async () => {
    const { elicit, chatOf, asked, statuses } = await setUp();
    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather" });
    const id = await asked();
    expect(chat.status).toBe("streaming");
    await elicit.accept(id, { city: "Lisbon" });
    await turn;
    expect(textOf(chat)).toBe("The city is Lisbon.");
    expect(statuses()).toEqual(["accepted"]);
    expect(chat.status).toBe("ready");
    expect(chat.messages).toHaveLength(2);
  });

  it("continues in the same turn after a decline, and when the requested page is complete", async () => {
    const { elicit, chatOf, asked, runtime } = await setUp();
    const chat = chatOf("c1");
    const first = chat.sendMessage({ text: "connect" });
    await elicit.decline(await asked());
    await first;
    expect(textOf(chat)).toBe("The account is declined.");
    const second = chat.sendMessage({ text: "connect" });
    await runtime.elicitations.complete(await asked());
    await second;
    expect(textOf(chat)).toBe("The account is accepted.");
  });

  it("can send an answer as a message, and shows no bubble for it", async () => {
    const { elicit, chatOf, asked } = await setUp("plain", { answerBy: "message" });
    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather" });
    await elicit.accept(await asked(), { city: "Lisbon" });
    await turn;
    expect(textOf(chat)).toBe("The city is Lisbon.");
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("finds open requests after a reload, and continues reading when the chat resumes", async () => {
    const { chatOf, asked, open } = await setUp();
    const before = chatOf("c1");
    void before.sendMessage({ text: "weather" });
    await asked();
    const page = open();
    const chat = page.chatOf("c1", before.messages.slice(0, 1));
    const resumed = chat.resumeStream();
    await page.elicit.accept(await page.asked(), { city: "Porto" });
    await resumed;
    expect(textOf(chat)).toBe("The city is Porto.");
    expect(chat.messages).toHaveLength(2);
    expect(page.statuses()).toEqual(["accepted"]);
  });

  it("finds open requests after a reload without resuming, and re-attaches when the user has answered", async () => {
    const { chatOf, asked, open } = await setUp();
    const before = chatOf("c1");
    void before.sendMessage({ text: "weather" });
    await asked();
    const page = open();
    const chat = page.chatOf("c1", structuredClone(before.messages));
    expect(page.statuses()).toEqual(["pending"]);
    await page.elicit.accept(await page.asked(), { city: "Porto" });
    await expect.poll(() => textOf(chat)).toBe("The city is Porto.");
  });

  it("shows an ended request as ended after a reload", async () => {
    const { elicit, chatOf, asked, open } = await setUp();
    const before = chatOf("c1");
    const turn = before.sendMessage({ text: "weather" });
    await elicit.cancel(await asked());
    await turn;
    const page = open();
    page.chatOf("c1", structuredClone(before.messages));
    await page.elicit.refresh("c1");
    expect(page.statuses()).toEqual(["cancelled"]);
  });

  it("keeps two chats on a page apart", async () => {
    const { elicit, chatOf, asked, items } = await setUp();
    const [one, two] = [chatOf("c1"), chatOf("c2")];
    const turns = [one.sendMessage({ text: "weather" }), two.sendMessage({ text: "weather" })];
    await asked(2);
    for (const { id, conversationId } of items())
      await elicit.accept(id, { city: `City of ${conversationId}` });
    await Promise.all(turns);
    expect([textOf(one), textOf(two)]).toEqual(["The city is City of c1.", "The city is City of c2."]);
  });

  it("withdraws open requests when it is stopped, but not those of another chat", async () => {
    const { chatOf, asked, items } = await setUp();
    const [one, two] = [chatOf("c1"), chatOf("c2")];
    void one.sendMessage({ text: "weather" });
    void two.sendMessage({ text: "weather" });
    await asked(2);
    await one.stop();
    const statusIn = (chat: string) => items().find(({ conversationId }) => conversationId === chat)?.status;
    await expect.poll(() => statusIn("c1")).toBe("withdrawn");
    expect(statusIn("c2")).toBe("pending");
    expect(one.status).toBe("ready");
  });

  it("lets the turn continue when it only detaches", async () => {
    const { elicit, chatOf, asked, statuses } = await setUp("plain", { detach: true });
    const chat = chatOf("c1");
    void chat.sendMessage({ text: "weather" });
    const id = await asked();
    await chat.stop();
    await elicit.accept(id, { city: "Faro" });
    expect(statuses()).toEqual(["accepted"]);
    await expect.poll(() => textOf(chat)).toBe("The city is Faro.");
  });

  it("supports a server whose requests are events of their own, which would break a chat without the kit", async () => {
    const { elicit, api, fetch, chatOf, asked, statuses } = await setUp("bare");
    const headers = { ...person, "x-supports-elicitation": "true" };
    const transport = new DefaultChatTransport<UIMessage>({ api: `${api}/chat`, fetch, headers });
    const unprotected = new Chat<UIMessage>({ id: "c0", transport, onError: () => undefined });
    await unprotected.sendMessage({ text: "weather" });
    expect(unprotected.status).toBe("error");
    expect(unprotected.error?.message).toContain("Type validation failed");

    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather" });
    await elicit.accept(await asked(), { city: "Lisbon" });
    await turn;
    expect(textOf(chat)).toBe("The city is Lisbon.");
    expect(chat.error).toBe(undefined);
    expect(statuses()).toEqual(["accepted"]);
    const part = chat.messages.at(-1)?.parts.find(({ type }) => type === "data-elicitation-request");
    expect(part).toMatchObject({ data: { resolution: { outcome: "accepted" } } });
  });

  it("skips events that no AI SDK knows, or keeps them as data if configured", async () => {
    const { api, fetch, chatOf, open } = await setUp("chatty");
    const transport = new DefaultChatTransport<UIMessage>({ api: `${api}/chat`, fetch });
    const unprotected = new Chat<UIMessage>({ id: "c0", transport, onError: () => undefined });
    await unprotected.sendMessage({ text: "hello" });
    expect(unprotected.status).toBe("error");

    const chat = chatOf("c1");
    await chat.sendMessage({ text: "hello" });
    expect(textOf(chat)).toMatch(/^word0 .* word49 $/);
    expect(chat.messages.at(-1)?.parts.filter(({ type }) => type === "data-unknown")).toEqual([]);
    const curious = open({ unknownChunks: "data" }).chatOf("c2");
    await curious.sendMessage({ text: "hello" });
    expect(curious.status).toBe("ready");
    expect(curious.messages.at(-1)?.parts).toContainEqual({
      type: "data-unknown",
      data: { type: "tool-auth-required", toolName: "tracker" },
    });
  });

  it("re-attaches by itself when the connection is lost while it waits, and continues with the answer", async () => {
    const { elicit, chatOf, asked, statuses, resumes } = await setUp("broken");
    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather" });
    await expect.poll(resumes).toBe(1);
    await elicit.accept(await asked(), { city: "Lisbon" });
    await turn;
    expect(textOf(chat)).toBe("The city is Lisbon.");
    expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    expect(statuses()).toEqual(["accepted"]);
    expect(chat.messages).toHaveLength(2);
  });

  it("re-attaches when the connection is lost after the answer was sent", async () => {
    const { elicit, chatOf, asked } = await setUp("broken-late");
    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather twice" });
    await elicit.accept(await asked(), { city: "Lisbon" });
    await elicit.accept(await asked(), { city: "Porto" });
    await turn;
    expect(textOf(chat)).toBe("The city is Lisbon.");
    expect(chat.status).toBe("ready");
    expect(chat.messages).toHaveLength(2);
  });

  it("reads the rest of a turn that ended while the connection was lost", async () => {
    const { elicit, chatOf, asked, statuses } = await setUp("broken-late");
    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather" });
    await elicit.accept(await asked(), { city: "Lisbon" });
    await turn;
    expect(textOf(chat)).toBe("The city is Lisbon.");
    expect(chat.status).toBe("ready");
    expect(statuses()).toEqual(["accepted"]);
    expect(chat.messages).toHaveLength(2);
  });

  it("retries while the network is away, and then reads the rest of the turn", async () => {
    const { chat, turn, resumes, elicit, asked } = await lostAfterTheAnswer({
      failures: 2,
      clock: { now: () => Date.now(), after: (ms, run) => systemClock.after(ms / 100, run) },
    });
    await elicit.accept(await asked(), { city: "Porto" });
    await turn;
    expect(textOf(chat)).toBe("The city is Lisbon.");
    expect(resumes()).toBe(3);
    expect(chat.status).toBe("ready");
  });

  it("retries at once when the browser is online again, and no more once the chat is stopped", async () => {
    const network = new Set<() => void>();
    const { chat, turn, resumes } = await lostAfterTheAnswer({
      failures: 2,
      clock: { now: () => Date.now(), after: () => () => undefined },
      onOnline(listener) {
        network.add(listener);
        return () => network.delete(listener);
      },
    });
    await expect.poll(() => network.size).toBe(1);
    for (const listener of network) listener();
    await expect.poll(() => [resumes(), network.size]).toEqual([2, 1]);
    expect(chat.status).toBe("streaming");
    await chat.stop();
    await turn;
    expect(network.size).toBe(0);
    expect([chat.status, chat.error]).toEqual(["ready", undefined]);
  });

  it("continues reading when the server ends its stream to ask, and sends the rest of the turn as the reply to the answer", async () => {
    const { elicit, chatOf, asked, statuses } = await setUp("durable", { answerBy: "message" });
    const chat = chatOf("c1");
    await chat.sendMessage({ text: "weather" });
    expect(chat.status).toBe("ready");
    await elicit.accept(await asked(), { city: "Lisbon" });
    await expect.poll(() => textOf(chat)).toBe("The city is Lisbon.");
    expect(statuses()).toEqual(["accepted"]);
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });
});

function isResume(input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  return init?.body == null && new URL(new Request(input, init).url).pathname.endsWith("/stream");
}

function textOf(chat: Chat<UIMessage>): string {
  const last = chat.messages.at(-1);
  return last?.role === "assistant"
    ? last.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    : "";
}
