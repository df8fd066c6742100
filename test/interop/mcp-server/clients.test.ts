import { describe, expect, test } from "vitest";
import type { Allowed } from "../../../src/base/write-limit.ts";
import { serveAgent } from "./agent.ts";
import { type Era, clientV1, clientV2 } from "./clients.ts";
import { asks, asksForCity, asksForPassword } from "./turns.ts";

const CLIENTS = [
  ["the SDK, version 1, in 2025-06-18", clientV1, "2025-06-18"],
  ["the SDK, version 1, in 2025-11-25", clientV1, "2025-11-25"],
  ["the SDK, version 2, in 2025-06-18", clientV2, "2025-06-18"],
  ["the SDK, version 2, in 2025-11-25", clientV2, "2025-11-25"],
  ["the SDK, version 2, in 2026-07-28", clientV2, "2026-07-28"],
] as const satisfies readonly (readonly [string, unknown, Era])[];

describe.each(CLIENTS)("a client of %s", (_, connect, era) => {
  test("shows the agent's question to its user, and gets the agent's answer", async () => {
    const { url, errors } = await serveAgent(asksForCity);
    const asked: unknown[] = [];
    const client = await connect(url, era, {
      answer(params) {
        asked.push(params);
        return { action: "accept", content: { answer: "Oslo" } };
      },
    });
    const { text, isError, structured } = await client.call({ message: "Book a trip" });
    expect(JSON.parse(text)).toEqual({ outcome: "accepted", value: "Oslo" });
    expect(isError).toBe(false);
    expect(structured).toMatchObject({ answer: text, conversationId: expect.any(String) });
    expect(asked).toEqual([
      expect.objectContaining({
        message: "Where to?",
        requestedSchema: expect.objectContaining({
          properties: { answer: { type: "string", title: "City", minLength: 2 } },
        }),
      }),
    ]);
    expect(client.progress).toContain("Using book");
    expect(errors).toEqual([]);
  });
});

// Questions travel in a session until 2025-11-25 and in rounds since 2026-07-28. The rest is the same for all clients.
describe.each([CLIENTS[1], CLIENTS[4]])("a client of %s", (_, connect, era) => {
  test.each(["decline", "cancel"] as const)("passes a %s on to the agent", async (action) => {
    const { url } = await serveAgent(asksForCity);
    const client = await connect(url, era, { answer: () => ({ action }) });
    const { text } = await client.call({ message: "Book a trip" });
    expect(JSON.parse(text).outcome).toBe(action === "decline" ? "declined" : "cancelled");
  });

  test("is asked again with the reason after an invalid answer", async () => {
    const { url } = await serveAgent(asksForCity);
    const messages: string[] = [];
    const client = await connect(url, era, {
      answer(params) {
        messages.push(params.message);
        return { action: "accept", content: { answer: messages.length === 1 ? "O" : "Oslo" } };
      },
    });
    const { text } = await client.call({ message: "Book a trip" });
    expect(JSON.parse(text)).toEqual({ outcome: "accepted", value: "Oslo" });
    expect(messages).toEqual([
      "Where to?",
      expect.stringMatching(/^Where to\?\n\nPlease check: answer does not fit: too short/),
    ]);
  });

  test("is asked three times at most, and then the agent learns why", async () => {
    const { url } = await serveAgent(asksForCity);
    let count = 0;
    const client = await connect(url, era, {
      answer() {
        count += 1;
        return { action: "accept", content: { answer: "O" } };
      },
    });
    const { text } = await client.call({ message: "Book a trip" });
    const failed = JSON.parse(text);
    expect(failed.outcome).toBe("failed");
    expect(failed.text).toMatch(
      /asking for it failed \(none of 3 answers was valid.*answer does not fit: too short/,
    );
    expect(count).toBe(3);
  });

  test("never gets a form that asks for a secret, and the agent learns why", async () => {
    const { url } = await serveAgent(asksForPassword);
    const asked: unknown[] = [];
    const client = await connect(url, era, {
      answer(params) {
        asked.push(params);
        return { action: "accept", content: { password: "hunter2" } };
      },
    });
    const { text } = await client.call({ message: "Go" });
    expect(JSON.parse(text)).toEqual({
      outcome: "failed",
      reason: expect.stringContaining("the form asks for a secret"),
    });
    expect(asked).toEqual([]);
  });

  test("can send an answer again that was beyond the rate limit, and is not asked again", async () => {
    let writes = 0;
    // The first write is the message. The answer is refused four times, more often than there are attempts.
    const writeLimit = (): Allowed => {
      writes += 1;
      return writes > 1 && writes < 6 ? { ok: false, retryAfter: 0 } : { ok: true };
    };
    const { url } = await serveAgent(asksForCity, { runtime: { ports: { writeLimit } } });
    const asked: string[] = [];
    const client = await connect(url, era, {
      answer({ message }) {
        asked.push(message);
        return { action: "accept", content: { answer: "Oslo" } };
      },
    });
    const { text } = await client.call({ message: "Go" });
    expect(JSON.parse(text)).toEqual({ outcome: "accepted", value: "Oslo" });
    expect(asked).toEqual(["Where to?"]);
    expect(writes).toBe(6);
  });

  test("answers two parallel questions", async () => {
    const run = asks((elicitor) => Promise.all([elicitor.text("First?"), elicitor.confirm("Second?")]));
    const { url } = await serveAgent(run);
    const client = await connect(url, era, {
      answer: ({ message }) => ({
        action: "accept",
        content: { answer: message === "First?" ? "one" : true },
      }),
    });
    const { text } = await client.call({ message: "Go" });
    expect(JSON.parse(text)).toEqual([
      { outcome: "accepted", value: "one" },
      { outcome: "accepted", value: true },
    ]);
  });

  test("gets a reply even without elicitation, and the agent learns why it cannot ask", async () => {
    const { url } = await serveAgent(asksForCity);
    const client = await connect(url, era, { capabilities: {} });
    const { text, isError } = await client.call({ message: "Book a trip" });
    expect(isError).toBe(false);
    expect(text).toContain("needs information only the user has: City");
  });
});

test.each(["", null])("a call whose conversationId is %j starts a conversation", async (conversationId) => {
  const { url } = await serveAgent(asks(async () => "Hello"));
  const client = await clientV2(url, "2026-07-28", {});
  const { structured } = await client.call({ message: "Hello", conversationId });
  expect(structured).toMatchObject({ conversationId: expect.stringMatching(/./) });
});

test("a call whose message is null continues its conversation", async () => {
  const { url } = await serveAgent(asks(async () => "Hello"));
  const client = await clientV2(url, "2026-07-28", {});
  expect((await client.call({ message: null, conversationId: "nothing" })).isError).toBe(true);
});
