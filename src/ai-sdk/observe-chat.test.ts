import { Chat } from "@ai-sdk/react";
import type { UIMessage, UIMessageChunk } from "ai";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { ElicitationRequest } from "../protocol/contract.ts";
import { type ChatLike, observeChat } from "./observe-chat.ts";

const request = (elicitationId: string): ElicitationRequest => ({
  type: "elicitation-request",
  elicitationId,
  mode: "url",
  message: "Connect your account",
  url: "https://auth.example/connect",
});
const part = (id: string, data = request(id)) => ({ type: "data-elicitation-request" as const, id, data });
const answer = (id: string, ...parts: UIMessage["parts"]): UIMessage => ({ id, role: "assistant", parts });

function setUp(messages: UIMessage[] = [], receive?: () => void) {
  const told: [string, ElicitationRequest][] = [];
  let stream: ReadableStreamDefaultController<UIMessageChunk> | undefined;
  const chat = new Chat<UIMessage>({
    id: "c1",
    messages,
    transport: {
      sendMessages: async () =>
        new ReadableStream<UIMessageChunk>({ start: (controller) => void (stream = controller) }),
      reconnectToStream: async () => null,
    },
  });
  const stop = observeChat({ receive: receive ?? ((...given) => told.push(given)) }, chat);
  return {
    told,
    chat,
    stop,
    write: (chunk: UIMessageChunk) => stream?.enqueue(chunk),
    end: () => stream?.close(),
  };
}

describe("watching a chat", () => {
  it("takes in what its messages hold, at once and when they are replaced", () => {
    const { told, chat } = setUp([answer("m1", part("e1"))]);
    expect(told).toEqual([["c1", request("e1")]]);
    chat.messages = [answer("m1", part("e1")), answer("m2", part("e2"))];
    expect(told.map(([, { elicitationId }]) => elicitationId)).toEqual(["e1", "e1", "e2"]);
  });

  it("takes in what streams into it, once for each word on a request", async () => {
    const { told, chat, write, end } = setUp();
    const sent = chat.sendMessage({ text: "go" });
    await new Promise((resolve) => setTimeout(resolve));
    const ended = {
      ...request("e1"),
      resolution: { outcome: "accepted" as const, at: "2026-11-21T12:00:00Z" },
    };
    write({ type: "start", messageId: "m2" });
    write(part("e1"));
    write({ type: "text-start", id: "t" });
    for (let index = 0; index < 50; index++) write({ type: "text-delta", id: "t", delta: "word " });
    write(part("e1", ended));
    end();
    await sent;
    expect(told).toEqual([
      ["c1", request("e1")],
      ["c1", ended],
    ]);
  });

  it("survives a view that throws, and lets the page hear of it", async () => {
    const heard = new Promise((resolve) => process.once("uncaughtException", resolve));
    const { chat, write, end } = setUp([], () => {
      throw new Error("a bug of the page");
    });
    const sent = chat.sendMessage({ text: "go" });
    await new Promise((resolve) => setTimeout(resolve));
    write({ type: "start", messageId: "m2" });
    write(part("e1"));
    end();
    await sent;
    expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    expect(await heard).toEqual(new Error("a bug of the page"));
  });

  it("ends when told to", () => {
    const { told, chat, stop } = setUp();
    stop();
    chat.messages = [answer("m1", part("e1"))];
    expect(told).toEqual([]);
  });

  it("reads once what has no subscriptions", () => {
    const told: string[] = [];
    const chat = { id: "c1", status: "ready", messages: [answer("m1", part("e1"))] };
    observeChat({ receive: (_, { elicitationId }) => told.push(elicitationId) }, chat)();
    expect(told).toEqual(["e1"]);
  });

  it("takes any Chat", () => {
    expectTypeOf<Chat<UIMessage>>().toExtend<ChatLike>();
  });
});
