import { cleanup, renderHook } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createElicitation, type MessageLike } from "../ai-sdk/index.ts";
import { useElicitation } from "./use-elicitation.ts";

const NONE: MessageLike[] = [];
const question: MessageLike = { role: "user", parts: [{ type: "text" }] };
const answer: MessageLike = { role: "assistant", parts: [{ type: "text" }] };
const refusal: MessageLike = { role: "assistant", parts: [{ type: "data-tool-auth-required" }] };

/** A server that answers every run with an empty stream, and says nothing else. */
async function serve(url: RequestInfo | URL): Promise<Response> {
  const stream = url === "/run/api/chat";
  return new Response(stream ? "data: [DONE]\n\n" : "{}", {
    status: stream ? 200 : 404,
    headers: { "content-type": stream ? "text/event-stream" : "application/json" },
  });
}

let said: string[] = [];
beforeEach(() => {
  said = [];
  vi.spyOn(console, "warn").mockImplementation((text: string) => void said.push(text));
});
afterEach(() => {
  cleanup();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function chat(elicit = createElicitation({ fetch: serve })) {
  const { rerender } = renderHook(
    (messages: MessageLike[]) => useElicitation({ client: elicit, conversationId: "c1", messages }),
    { initialProps: NONE, wrapper: StrictMode },
  );
  return rerender;
}

describe("a chat whose requests go out without the header", () => {
  it("is told so once", () => {
    const show = chat();
    show([question]);
    show([question, answer]);
    show([question, { ...answer }]);
    expect(said).toEqual([expect.stringContaining('conversation "c1" ran without the header')]);
  });

  it("is told so when its own transport forgot the header and the server says what it would have asked", () => {
    const { rerender } = renderHook(
      (messages: MessageLike[]) => useElicitation({ fetch: serve, conversationId: "c1", messages }),
      { initialProps: NONE },
    );
    rerender([question]);
    rerender([question, answer]);
    expect(said).toEqual([]);
    rerender([question, answer, question]);
    rerender([question, answer, question, refusal]);
    expect(said).toHaveLength(1);
  });

  it("is not told so for history that is loaded late", () => {
    const show = chat();
    show([question, answer]);
    expect(said).toEqual([]);
  });

  it("is not told so when the kit's transport carried the run", async () => {
    const elicit = createElicitation({ fetch: serve });
    const show = chat(elicit);
    show([question]);
    const body = JSON.stringify({ id: "c1", messages: [] });
    const response = await elicit.transportOptions.fetch("/run/api/chat", { method: "POST", body });
    await response.text();
    show([question, answer]);
    expect(said).toEqual([]);
  });

  it("is not told so in production", () => {
    vi.stubEnv("NODE_ENV", "production");
    const show = chat();
    show([question]);
    show([question, answer]);
    expect(said).toEqual([]);
  });
});
