import { Chat } from "@ai-sdk/react";
import type { UIMessage, UIMessageChunk } from "ai";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { createElicitationClient, createHttpChannel } from "../client/index.ts";
import type { ElicitationRequest } from "../contract/contract.ts";
import { urlRequest } from "../contract/testing/requests.ts";
import { type ChatLike, observeChat } from "./observed-chats.ts";

const request = (elicitationId: string): ElicitationRequest => urlRequest({ elicitationId });
const part = (id: string, data = request(id)) => ({ type: "data-elicitation-request" as const, id, data });
const answer = (id: string, ...parts: UIMessage["parts"]): UIMessage => ({ id, role: "assistant", parts });

function setUp(messages: UIMessage[] = []) {
  const client = createElicitationClient({ channel: createHttpChannel(), storage: null });
  /** The states that a view gets, one for each change. */
  const told: string[] = [];
  client.subscribe(() => {
    told.push(
      client
        .getSnapshot()
        .items.map(({ id, status }) => `${id} ${status}`)
        .join(),
    );
  });
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
  const stop = observeChat(client, chat);
  onTestFinished(client.dispose);
  return {
    client,
    told,
    chat,
    stop,
    write: (chunk: UIMessageChunk) => stream?.enqueue(chunk),
    end: () => stream?.close(),
  };
}

describe("a chat that is observed", () => {
  it("passes its requests to the client, immediately and when its messages are replaced", () => {
    const { client, told, chat } = setUp([answer("m1", part("e1"))]);
    expect(client.getSnapshot().items).toMatchObject([{ conversationId: "c1", request: request("e1") }]);
    chat.messages = [answer("m1", part("e1")), answer("m2", part("e2"))];
    expect(told).toEqual(["e1 pending", "e1 pending,e2 pending"]);
  });

  it("notifies a view once of each change, however many tokens stream in", async () => {
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
    expect(told).toEqual(["e1 pending", "e1 accepted"]);
  });

  it("continues when a view throws, and reports the error to the page", async () => {
    const heard = new Promise((resolve) => process.once("uncaughtException", resolve));
    const { client, chat, write, end } = setUp();
    client.subscribe(() => {
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

  it("is no longer read after its observation has ended", () => {
    const { told, chat, stop } = setUp();
    stop();
    chat.messages = [answer("m1", part("e1"))];
    expect(told).toEqual([]);
  });

  it("has its messages read once if it has no callbacks", () => {
    const { client } = setUp();
    const chat = { id: "c2", status: "ready", messages: [answer("m1", part("e1"))] };
    observeChat(client, chat)();
    expect(client.getSnapshot().items).toMatchObject([{ id: "e1", conversationId: "c2" }]);
  });

  it("may be any Chat implementation", () => {
    expectTypeOf<Chat<UIMessage>>().toExtend<ChatLike>();
  });
});
