import { Client, StreamableHTTPClientTransport, isInputRequiredResult } from "@modelcontextprotocol/client";
import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { originalOf } from "../../../src/base/foreign-error.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { serveAgent, sharedPorts } from "./agent.ts";
import { BOTH, calledOf } from "./clients.ts";
import { asks, asksForCity } from "./turns.ts";
import { ASK, accept, roundOf, wireClient } from "./wire.ts";

const KEY = "0123456789abcdef0123456789abcdef0123456789a=";
const lines = (errors: readonly unknown[]) => errors.map((error) => String(originalOf(error))).join("\n");

async function firstRound(options: Parameters<typeof serveAgent>[1] = {}) {
  const agent = await serveAgent(asksForCity, options);
  const client = wireClient(agent.url);
  const round = roundOf(await client.call(ASK));
  const retry = (inputResponses: unknown, more: Record<string, unknown> = {}) => ({
    ...ASK,
    inputResponses,
    requestState: round.requestState,
    ...more,
  });
  return { ...agent, client, round, retry };
}

const REFUSED = {
  code: -32602,
  message: "Invalid or expired requestState",
  data: { reason: "invalid_request_state" },
};

describe("official clients", () => {
  test("such as version 2 of the SDK can handle the rounds themselves", async () => {
    const { url } = await serveAgent(asksForCity);
    const client = new Client(
      { name: "manual", version: "1" },
      {
        capabilities: BOTH,
        versionNegotiation: { mode: { pin: "2026-07-28" } },
        inputRequired: { autoFulfill: false },
      },
    );
    const requestInit = { headers: { authorization: "Bearer ada" } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    onTestFinished(() => client.close());
    const options = { allowInputRequired: true };
    const first: unknown = await client.callTool(ASK, options);
    if (!isInputRequiredResult(first)) throw new Error("no round");
    const [key = ""] = Object.keys(first.inputRequests ?? {});
    const { requestState } = first;
    const again = { ...ASK, inputResponses: { [key]: accept("Oslo") }, requestState };
    const result = await client.callTool(again, options);
    expect(JSON.parse(calledOf(result).text)).toEqual({ outcome: "accepted", value: "Oslo" });
  });

  test.each([
    ["2025-11-25", false],
    ["2026-07-28", true],
  ])("such as @ai-sdk/mcp answer forms in %s", async (_, protocolVersionDiscovery) => {
    const { url, received } = await serveAgent(asksForCity);
    const client = await createMCPClient({
      transport: { type: "http", url, headers: { authorization: "Bearer ada" } },
      capabilities: { elicitation: {} },
      protocolVersionDiscovery,
    });
    onTestFinished(() => client.close());
    const tools = await client.tools();
    const outcomes: unknown[] = [];
    for (const action of ["accept", "decline", "cancel"] as const) {
      client.onElicitationRequest(ElicitationRequestSchema, () => ({
        action,
        ...(action === "accept" && { content: { answer: "Oslo" } }),
      }));
      const result = await tools["ask_agent"]?.execute?.(
        { message: "Book" },
        { toolCallId: "1", messages: [], context: {} },
      );
      outcomes.push(JSON.parse(calledOf(result as { content: unknown }).text).outcome);
    }
    expect(outcomes).toEqual(["accepted", "declined", "cancelled"]);
    // In 2026 each answer is a second call. Before 2026 it is a reply.
    const calls = received.filter(({ method }) => method === "tools/call");
    expect(calls).toHaveLength(protocolVersionDiscovery ? 6 : 3);
  });
});

describe("the request state", () => {
  test("does not reveal its content", async () => {
    const { round, runtime } = await firstRound();
    const record = await runtime.elicitations.get(round.key);
    const decoded = Buffer.from(round.requestState.split(".")[2] ?? "", "base64url").toString("latin1");
    expect(decoded).not.toContain(record?.turnId);
    expect(decoded).not.toContain(round.key);
  });

  test.each([
    ["is forged", (state: string) => state.replace(/.(?=.{20}$)/, (c) => (c === "A" ? "B" : "A"))],
    ["is cut short", (state: string) => state.slice(0, -5)],
    ["is empty", () => ""],
    ["is a different text", () => "eyJ0dXJuSWQiOiJ4In0"],
    ["is enormous", (state: string) => state + "A".repeat(200_000)],
  ])("is refused when it %s, and the question stays open", async (_, change) => {
    const { client, round, retry, runtime } = await firstRound();
    const { error } = await client.call(
      retry({ [round.key]: accept("Oslo") }, { requestState: change(round.requestState) }),
    );
    expect(error).toEqual(REFUSED);
    expect((await runtime.elicitations.get(round.key))?.status).toBe("pending");
  });

  test.each([
    ["another person", "bob", {}],
    ["another client of the same user", "ada@other", {}],
    ["a service account", "service", {}],
    ["a call with another message", "ada", { arguments: { message: "Delete everything" } }],
  ])("is refused when it comes from %s", async (_, token, change) => {
    const { client, round, retry, runtime } = await firstRound();
    const { error } = await client.call(retry({ [round.key]: accept("Oslo") }, change), { token });
    expect(error).toEqual(REFUSED);
    expect((await runtime.elicitations.get(round.key))?.status).toBe("pending");
  });

  test("is refused after it has expired, some time after its question", async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const { client, round, retry } = await firstRound({ surface: { clock, stateKey: KEY } });
    later = 60 * 60_000;
    expect((await client.call(retry({ [round.key]: accept("Oslo") }))).error).toEqual(REFUSED);
  });

  test("is refused by another process without a shared key, and the log says what to do", async () => {
    const { round, retry } = await firstRound();
    const other = await serveAgent(asksForCity);
    const { error } = await wireClient(other.url).call(retry({ [round.key]: accept("Oslo") }));
    expect(error).toEqual(REFUSED);
    expect(lines(other.errors)).toContain("pass the same `stateKey` to each");
  });

  test("is accepted by another process with shared ports and a shared key", async () => {
    const ports = sharedPorts();
    const { round, retry } = await firstRound({ runtime: ports, surface: { stateKey: KEY } });
    const other = await serveAgent(asksForCity, { runtime: ports, surface: { stateKey: KEY } });
    const { result } = await wireClient(other.url).call(retry({ [round.key]: accept("Oslo") }));
    expect(result?.content[0]?.text).toContain("Oslo");
  });

  test("of a turn that no longer exists gets a result that says so", async () => {
    const { round, retry } = await firstRound({ surface: { stateKey: KEY } });
    const other = await serveAgent(asksForCity, { surface: { stateKey: KEY } });
    const { result } = await wireClient(other.url).call(retry({ [round.key]: accept("Oslo") }));
    expect(result).toMatchObject({ isError: true });
    expect(result?.content[0]?.text).toContain("no longer exists");
  });

  test("can be used once, and a second answer changes nothing", async () => {
    const { client, round, retry } = await firstRound();
    const first = await client.call(retry({ [round.key]: accept("Oslo") }));
    const second = await client.call(retry({ [round.key]: accept("Rome") }));
    expect(first.result?.content[0]?.text).toContain("Oslo");
    expect(second.result?.content[0]?.text).toContain("Oslo");
  });
});

describe("a retry", () => {
  test("that is sent twice at the same time gets the same result twice, and one answer counts", async () => {
    const { client, round, retry } = await firstRound();
    const replies = await Promise.all(
      ["Oslo", "Rome"].map((city) => client.call(retry({ [round.key]: accept(city) }))),
    );
    const texts = replies.map(({ result }) => result?.content[0]?.text);
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toMatch(/Oslo|Rome/);
  });

  test("with an answer for an unknown key gets the open question again", async () => {
    const { client, round, retry } = await firstRound();
    const again = roundOf(await client.call(retry({ other: accept("Oslo"), __proto__: accept("x") })));
    expect(again.key).toBe(round.key);
    expect(again.params.message).toBe("Where to?");
  });

  test.each([
    ["no answers", {}],
    ["an unknown action", { action: "yes" }],
    ["nested content", { action: "accept", content: { answer: { deep: true } } }],
    ["content of another type", accept(5)],
    [
      "content with a field that was not asked for",
      { action: "accept", content: { answer: "Oslo", more: "x" } },
    ],
    ["an answer that is a list", []],
  ])("with %s gets the question again", async (_, response) => {
    const { client, round, retry } = await firstRound();
    const isEmpty = JSON.stringify(response) === "{}";
    const again = roundOf(await client.call(retry(isEmpty ? {} : { [round.key]: response })));
    expect(again.key).toBe(round.key);
    const { result } = await client.call({
      ...ASK,
      inputResponses: { [round.key]: accept("Oslo") },
      requestState: again.requestState,
    });
    expect(result?.content[0]?.text).toContain("Oslo");
  });

  test("that no longer declares the mode ends the question, and the agent learns which mode is missing", async () => {
    const { client, round, retry, runtime } = await firstRound();
    const { result } = await client.call(retry({}), { capabilities: { elicitation: { url: {} } } });
    expect(JSON.parse(result?.content[0]?.text ?? "")).toMatchObject({
      outcome: "failed",
      text: expect.stringContaining('it does not support the mode "form"'),
    });
    expect((await runtime.elicitations.get(round.key))?.status).toBe("failed");
  });

  test("that never arrives lets the question expire", async () => {
    const { runtime, round } = await firstRound({ runtime: { timeToAnswer: { expiresInMs: 1000 } } });
    await expect.poll(async () => (await runtime.elicitations.get(round.key))?.status).toBe("expired");
  });

  test("after the question has expired gets the agent's reply", async () => {
    const { runtime, round, client, retry } = await firstRound({
      runtime: { timeToAnswer: { expiresInMs: 1000 } },
    });
    await expect.poll(async () => (await runtime.elicitations.get(round.key))?.status).toBe("expired");
    const { result } = await client.call(retry({ [round.key]: accept("Oslo") }));
    expect(result?.content[0]?.text).toContain("nobody answered");
  });
});

describe("a call", () => {
  test("without a state starts a new turn, even if it contains answers", async () => {
    const { client, round } = await firstRound();
    const fresh = roundOf(await client.call({ ...ASK, inputResponses: { [round.key]: accept("Oslo") } }));
    expect(fresh.key).not.toBe(round.key);
  });

  test("stops its turn when the client aborts it", async () => {
    let ended: string | undefined;
    const started = createDeferred<void>();
    const run: Parameters<typeof serveAgent>[0] = async function* wait(turn) {
      yield { type: "start", messageId: turn.id };
      started.resolve();
      await new Promise<void>((resolve) => {
        turn.signal.addEventListener("abort", () => {
          ended = String(turn.signal.reason);
          resolve();
        });
      });
    };
    const { url, received } = await serveAgent(run);
    const abort = new AbortController();
    const call = wireClient(url).call(ASK, { signal: abort.signal });
    await started.promise;
    expect(received).toHaveLength(1);
    abort.abort();
    await expect(call).rejects.toThrow("aborted");
    await expect.poll(() => ended).toContain("The client has ended the call");
  });

  test("may close its connection after it has returned a round, and its turn continues", async () => {
    const { client, round, retry, runtime } = await firstRound();
    expect((await runtime.elicitations.get(round.key))?.status).toBe("pending");
    const { result } = await client.call(retry({ [round.key]: { action: "decline" } }));
    expect(result?.content[0]?.text).toContain("declined");
  });

  test("holds no socket between its rounds", async () => {
    const { url, runtime } = await serveAgent(asksForCity);
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    const headers = { connection: "close" };
    const keys = await Promise.all(
      Array.from({ length: 20 }, async () => roundOf(await wireClient(url).call(ASK, { headers })).key),
    );
    // Sockets of earlier tests are idle and close soon.
    await expect.poll(sockets).toBe(0);
    const records = await Promise.all(keys.map((key) => runtime.elicitations.get(key)));
    expect(records.map((record) => record?.status)).toEqual(keys.map(() => "pending"));
  });

  test.each([
    ["without a message", {}],
    ["with a message of another type", { message: 5 }],
    ["with a message that is too long", { message: "x".repeat(100_001) }],
    ["with an invalid conversation id", { message: "Go", conversationId: "a:b" }],
  ])("%s gets the error -32602", async (_, args) => {
    const { url } = await serveAgent(asks(async () => "never"));
    const { error } = await wireClient(url).call({ name: "ask_agent", arguments: args });
    expect(error?.code).toBe(-32602);
  });

  test("of a tool that does not exist gets the error -32602", async () => {
    const { url } = await serveAgent(asksForCity);
    expect((await wireClient(url).call({ ...ASK, name: "other" })).error?.code).toBe(-32602);
  });
});
