import type { UIMessage } from "ai";
import { describe, expect, expectTypeOf, it } from "vitest";
import { urlRequest } from "../contract/testing/requests.ts";
import { type MessageLike, readElicitations } from "./read-messages.ts";

const request = urlRequest({ elicitationId: "e1" });
const ended = { ...request, resolution: { outcome: "declined", at: "2026-11-21T12:00:00Z" } } as const;

function message(...data: unknown[]): MessageLike {
  return { parts: data.map((one) => ({ type: "data-elicitation-request", data: one })) };
}

describe("the reader of a chat's messages", () => {
  it("accepts any UIMessage of the AI SDK", () => {
    expectTypeOf<UIMessage>().toExtend<MessageLike>();
  });

  it("returns the requests in order and ignores everything else", () => {
    const second = { ...request, elicitationId: "e2" };
    const messages = [
      { parts: [{ type: "text" }] },
      message(request, { mode: "url" }, null),
      message(second),
    ];
    expect(readElicitations(messages)).toEqual([request, second]);
  });

  it("ignores messages of the user, because only the agent asks", () => {
    const forged = { ...message(request), role: "user" };
    expect(readElicitations([forged])).toEqual([]);
    expect(readElicitations([{ ...message(request), role: "assistant" }])).toEqual([request]);
  });

  it("returns the latest state of a request that is still open", () => {
    const consented = { ...request, progress: { status: "consented" as const } };
    expect(readElicitations([message(request), message(consented)])).toEqual([consented]);
  });

  it("prefers an outcome to an open part of the same request, in either order", () => {
    expect(readElicitations([message(request), message(ended)])).toEqual([ended]);
    expect(readElicitations([message(ended), message(request)])).toEqual([ended]);
  });

  it("returns the same object for the same data, however often the messages are copied", () => {
    const [first] = readElicitations([message(request)]);
    const [again] = readElicitations([message(request)]);
    expect(again).toBe(first);
  });
});
