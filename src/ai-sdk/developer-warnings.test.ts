import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageLike } from "../client/read-messages.ts";
import { createElicitation } from "./create-elicitation.ts";

const question: MessageLike = { role: "user", parts: [{ type: "text" }] };
const answer: MessageLike = { role: "assistant", parts: [{ type: "text" }] };
const refusal: MessageLike = { role: "assistant", parts: [{ type: "data-tool-auth-required" }] };

/** A server that replies to every message with an empty stream. */
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
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function setUp() {
  const elicit = createElicitation({ fetch: serve, storage: null });
  const show = (...messages: MessageLike[]): void => elicit.readMessages("c1", messages);
  async function send(): Promise<void> {
    const body = JSON.stringify({ id: "c1", messages: [] });
    const response = await elicit.transportOptions.fetch("/run/api/chat", { method: "POST", body });
    await response.text();
  }
  return { show, send };
}

describe("a chat whose messages are sent without the header", () => {
  it("gets one warning", () => {
    const { show } = setUp();
    show();
    show(question);
    show(question, answer);
    show(question, { ...answer });
    expect(said).toEqual([expect.stringContaining('conversation "c1" was sent without the header')]);
  });

  it("gets a warning when the server reports a question that it could not ask", async () => {
    const { show, send } = setUp();
    show(question);
    await send();
    show(question, answer);
    expect(said).toEqual([]);
    const second = { ...question };
    show(question, answer, second);
    show(question, answer, second, refusal);
    expect(said).toEqual([
      expect.stringContaining("the header did not reach it, or `authenticate` found no user"),
    ]);
  });

  it("gets no warning for history that is loaded late", () => {
    const { show } = setUp();
    show();
    show(question, answer);
    expect(said).toEqual([]);
  });

  it("gets no warning when the kit's transport has sent the message", async () => {
    const { show, send } = setUp();
    show(question);
    await send();
    show(question, answer);
    expect(said).toEqual([]);
  });

  it("gets no warning in production", () => {
    vi.stubEnv("NODE_ENV", "production");
    const { show } = setUp();
    show(question);
    show(question, answer);
    expect(said).toEqual([]);
  });
});
