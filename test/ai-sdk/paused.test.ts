import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { createElicitation, type ElicitationOptions } from "elicit-kit/ai-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createDeferred } from "../../src/base/deadlines.ts";
import { systemClock } from "../../src/client/clock.ts";
import { createMemoryTurnStream } from "../../src/runtime/index.ts";
import type { TurnLease } from "../../src/runtime/internal.ts";
import { serve } from "../../src/node/index.ts";
import { aiSdk } from "./ai-sdk.ts";
import { createSkippingClock } from "../stages/skipping-clock.ts";
import { createAgentServer } from "./agent-server.ts";

/** A hundred times as fast as real time. */
const FAST = {
  now: () => Date.now(),
  after: (ms: number, run: () => void) => systemClock.after(ms / 100, run),
};

const endings: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of endings.splice(0).toReversed()) await end();
});

/** After it, the server ends a stream. */
const MAX_STREAM_MS = 60_000;

/** A server over HTTP. The test can end its streams, and discard parts of its logs. */
async function setUp(maxStreamMs = MAX_STREAM_MS) {
  const clock = createSkippingClock();
  const stream = createMemoryTurnStream();
  const leases = new Map<string, TurnLease>();
  const takenBack = createDeferred<void>();
  const server = createAgentServer({
    untilTakenBack: takenBack.promise,
    platform: { maxStreamMs },
    ports: {
      clock,
      stream: {
        ...stream,
        async lease(turnId) {
          const lease = await stream.lease(turnId);
          leases.set(turnId, lease);
          return lease;
        },
      },
    },
  });
  const { url, close } = await serve({ fetch: server.fetch });
  endings.push(() => server.runtime.close(), close);

  /** A page with the kit, as after loading or reloading. */
  function open(options: ElicitationOptions = {}) {
    const calls: string[] = [];
    const ended: string[] = [];
    const errors: Error[] = [];
    const elicit = createElicitation({
      api: `${url}/plain/run/api`,
      headers: { authorization: "Bearer ada" },
      aiSdk,
      async fetch(input, init) {
        const { method, url: to } = new Request(input, init);
        const call = `${method} ${new URL(to).pathname.split("/").slice(4).join("/")}`;
        calls.push(call);
        const response = await globalThis.fetch(input, init);
        const end = new TransformStream<Uint8Array, Uint8Array>({ flush: () => void ended.push(call) });
        return new Response(response.body?.pipeThrough(end), response);
      },
      ...options,
    });
    endings.push(() => elicit.dispose());
    function chatOf(id: string, messages: UIMessage[] = []) {
      const transport = new DefaultChatTransport<UIMessage>(elicit.transportOptions);
      const chat = new Chat<UIMessage>({ id, messages, transport, onError: (error) => errors.push(error) });
      endings.push(elicit.observe(chat));
      return chat;
    }
    const items = () => elicit.getSnapshot().items;
    const asked = async () => {
      await expect.poll(() => items().map(({ status }) => status)).toContain("pending");
      return items().find(({ status }) => status === "pending")!.id;
    };
    /** Lets the server end the stream that replies to a call. */
    async function endStream(call: string) {
      clock.skip(MAX_STREAM_MS);
      await expect.poll(() => ended).toContain(call);
    }
    return { elicit, chatOf, items, asked, endStream, calls, errors };
  }

  /** Does the same as a runner when a model call runs again. */
  async function discard(chat: Chat<UIMessage>, from: number) {
    const turnId = (await stream.find(chat.id, "ada")) ?? "";
    await stream.discard(turnId, from, leases.get(turnId) ?? { fence: 0 });
    takenBack.resolve();
  }
  return { open, discard, runtime: server.runtime };
}

describe(`a chat on AI SDK ${aiSdk} whose server ends its streams early`, () => {
  it("has no open stream while the user thinks, and continues in the same message with the answer", async () => {
    const { open } = await setUp();
    const { elicit, chatOf, asked, endStream, calls, errors, items } = open();
    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather" });
    const id = await asked();
    await endStream("POST chat");
    expect(calls.filter((call) => call.endsWith("/stream"))).toEqual([]);
    expect(chat.status).toBe("streaming");
    await elicit.accept(id, { city: "Lisbon" });
    await turn;
    expect(textOf(chat)).toBe("The city is Lisbon.");
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(items().map(({ status }) => status)).toEqual(["accepted"]);
    expect(calls.filter((call) => !call.startsWith("GET elicitations/"))).toEqual([
      "POST chat",
      "POST elicitation-responses",
    ]);
    expect(errors).toEqual([]);
  });

  it("asks a second time after the first answer, and continues with both", async () => {
    const { open } = await setUp();
    const { elicit, chatOf, asked, endStream } = open();
    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather twice" });
    await elicit.accept(await asked(), { city: "Lisbon" });
    const second = await asked();
    await endStream("POST elicitation-responses");
    await elicit.accept(second, { city: "Porto" });
    await turn;
    expect(textOf(chat)).toBe("The city is Lisbon.");
    expect(chat.messages).toHaveLength(2);
  });

  it("continues reading at once while no request waits for the user", async () => {
    const { open } = await setUp(100);
    const { chatOf, calls, errors } = open();
    const chat = chatOf("c1");
    await chat.sendMessage({ text: "slowly" });
    expect(textOf(chat)).toMatch(/^word0 .* word49 $/);
    expect(chat.messages).toHaveLength(2);
    expect(calls).toContain("GET chat/c1/stream");
    expect(errors).toEqual([]);
  });

  it("continues reading when the user has answered in another tab", async () => {
    const { open } = await setUp();
    const { chatOf, asked, endStream } = open({ clock: FAST });
    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather" });
    const id = await asked();
    await endStream("POST chat");
    const other = open();
    await other.elicit.refresh("c1");
    await other.elicit.accept(id, { city: "Faro" });
    await turn;
    expect(textOf(chat)).toBe("The city is Faro.");
    expect(chat.messages).toHaveLength(2);
  });

  it("gets the whole turn as the reply to an answer after a reload", async () => {
    const { open } = await setUp();
    const before = open();
    const first = before.chatOf("c1");
    void first.sendMessage({ text: "weather" });
    await before.asked();
    before.elicit.dispose();
    const page = open();
    const chat = page.chatOf("c1", structuredClone(first.messages));
    await page.elicit.accept(await page.asked(), { city: "Porto" });
    await expect.poll(() => textOf(chat)).toBe("The city is Porto.");
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(page.calls[0]).toBe("POST elicitation-responses");
    expect(page.calls).not.toContain("GET chat/c1/stream");
  });

  it("withdraws open requests when it is stopped while no stream is being read", async () => {
    const { open } = await setUp();
    const { chatOf, asked, endStream, items, errors } = open();
    const chat = chatOf("c1");
    const turn = chat.sendMessage({ text: "weather" });
    await asked();
    await endStream("POST chat");
    await chat.stop();
    await turn;
    await expect.poll(() => items().map(({ status }) => status)).toEqual(["withdrawn"]);
    expect(chat.status).toBe("ready");
    expect(errors).toEqual([]);
  });
});

describe(`a chat on AI SDK ${aiSdk} whose model call runs again`, () => {
  it("replaces the old text with the new one, in the same message and without an error", async () => {
    const { open, discard } = await setUp();
    // Node's HTTP adapter prints broken connections.
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const { chatOf, errors, elicit, asked } = open();
    const chat = chatOf("c1");
    void chat.sendMessage({ text: "half a text" });
    await expect.poll(() => textOf(chat)).toBe("The weather in Li");
    await discard(chat, 1);
    await elicit.accept(await asked(), { city: "Rome" });
    await expect.poll(() => textOf(chat)).toBe("The city is Rome.");
    await expect.poll(() => chat.status).toBe("ready");
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(chat.messages[1]?.parts.filter(({ type }) => type === "text")).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});

function textOf(chat: Chat<UIMessage>): string {
  const last = chat.messages.at(-1);
  return last?.role === "assistant"
    ? last.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    : "";
}
