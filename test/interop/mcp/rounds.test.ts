import {
  type McpServer,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createMcpRelay, declaredCapabilities } from "../../../src/mcp/relay/relay.ts";
import { createChatClient } from "../../stages/chat-client.ts";
import { createTestRuntime, text } from "../../stages/test-runtime.ts";
import { isObject } from "../../../src/contract/json.ts";
import { chatWith } from "./chat.ts";
import { answering, serveV2 } from "./servers.ts";

const FORM = {
  type: "object" as const,
  properties: { name: { type: "string" as const } },
  required: ["name"],
};
const form = (message = "Who?") => ({
  method: "elicitation/create",
  params: { message, requestedSchema: FORM },
});
const page = (url = "https://idp.example.com/x") => ({
  method: "elicitation/create",
  params: { mode: "url", message: "Sign in", url },
});
const done = (said: string) => ({ resultType: "complete", content: [{ type: "text", text: said }] });

/** A 2026 server, as plain JSON: its replies by the number of calls. */
async function scripted(...answers: readonly unknown[]) {
  const calls: Readonly<Record<string, unknown>>[] = [];
  const { url } = await answering((params) => {
    calls.push(params);
    return answers[Math.min(calls.length, answers.length) - 1];
  });
  return { url, calls, chat: (options = {}) => chatWith(url, [{ srv_ask: {} }, "Done."], options) };
}

test("two rounds of the SDK's server with a sealed state are one tool call for the model", async () => {
  const codec = createRequestStateCodec<{ step: number }>({ key: "0123456789abcdef0123456789abcdef" });
  const build = (server: McpServer) =>
    server.registerTool("ask", { inputSchema: z.object({}) }, async (_, ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, "who");
      const { step } = ctx.mcpReq.requestState<{ step: number }>() ?? { step: 0 };
      if (step === 2) return { content: [{ type: "text", text: `${step} ${JSON.stringify(answer)}` }] };
      const who = inputRequired.elicit({ message: `Who in round ${step}?`, requestedSchema: FORM });
      const requestState = await codec.mint({ step: step + 1 }, ctx);
      return inputRequired({ inputRequests: { who }, requestState });
    });
  const { url } = await serveV2(build, "2026-07-28", { requestState: { verify: codec.verify } });
  const chat = chatWith(url, [{ srv_ask: {} }, "Done."]);
  const stream = await chat.send();
  await chat.answer(stream, "accept", { name: "Ada" });
  await stream.request(0, ({ message }) => message === "Who in round 1?");
  await chat.answer(stream, "accept", { name: "Bea" });
  await stream.done;
  expect(chat.results()).toContain("Bea");
  expect(chat.results()).not.toContain("invalid");
});

describe("a round", () => {
  test("shows all its questions at once, and the server gets every answer under its key and its state unchanged", async () => {
    const state = '{"x":1}\u2028 é\u0000"';
    const inputRequests = { who: form(), page: page(), "": form("Empty key?") };
    const { calls, chat } = await scripted(
      { resultType: "input_required", inputRequests, requestState: state },
      done("ok"),
    );
    const { ada, send, results } = chat();
    const stream = await send();
    const requests = [await stream.request(0), await stream.request(1), await stream.request(2)];
    expect(requests.map(({ round }) => round?.size)).toEqual([3, 3, 3]);
    for (const { elicitationId, mode, message } of requests) {
      const no = message === "Empty key?";
      const content = mode === "form" && !no ? { content: { name: "Ada" } } : {};
      await ada.answer("c1", { elicitationId, action: no ? "decline" : "accept", ...content });
    }
    await stream.done;
    expect(results()).toContain("ok");
    expect(calls[1]).toMatchObject({
      name: "ask",
      requestState: state,
      inputResponses: {
        who: { action: "accept", content: { name: "Ada" } },
        page: { action: "accept" },
        "": { action: "decline" },
      },
    });
    expect(Object.keys(calls[1]?.["inputResponses"] ?? {})).toHaveLength(3);
    expect(JSON.stringify(stream.chunks)).not.toContain("withdrawn");
  });

  test("that no longer asks for a page completes the page while the call continues", async () => {
    const { calls, chat } = await scripted(
      { resultType: "input_required", inputRequests: { room: page() } },
      { resultType: "input_required", inputRequests: { room: page() } },
      { resultType: "input_required", inputRequests: { sure: form("Sure?") } },
      done("ok"),
    );
    const { ada, send, answer, results } = chat();
    const stream = await send();
    const { elicitationId } = await stream.request();
    await ada.answer("c1", { elicitationId, action: "accept" });
    await expect.poll(() => calls.length).toBe(2);
    // The user has finished there.
    await ada.answer("c1", { elicitationId, action: "accept" });
    await stream.request(0, ({ message }) => message === "Sure?");
    const report = async () => (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json();
    await expect.poll(report).toMatchObject({ status: "accepted" });
    expect(results()).not.toContain("ok");
    await answer(stream, "accept", { name: "Ada" });
    await stream.done;
    expect(results()).toContain("ok");
  });

  test("from a server without a requestState is answered without one, even if the round before had one", async () => {
    const inputRequests = { who: form() };
    const { calls, chat } = await scripted(
      { resultType: "input_required", inputRequests, requestState: "one" },
      { resultType: "input_required", inputRequests: { again: form("Again?") } },
      done("ok"),
    );
    const { send, answer, results } = chat();
    const stream = await send();
    await answer(stream, "accept", { name: "Ada" });
    await expect.poll(() => calls.length).toBe(2);
    await stream.request(0, ({ message }) => message === "Again?");
    await answer(stream, "accept", { name: "Bea" });
    await stream.done;
    expect(results()).toContain("ok");
    expect(calls.map((params) => Object.hasOwn(params, "requestState"))).toEqual([false, true, false]);
    expect(calls[2]?.["inputResponses"]).toEqual({ again: { action: "accept", content: { name: "Bea" } } });
  });

  test("with a state and no questions is repeated after 250 ms, and the user is not asked", async () => {
    const { calls, chat } = await scripted(
      { resultType: "input_required", requestState: "busy" },
      done("ok"),
    );
    const { send, runtime, results } = chat();
    const stream = await send();
    await expect.poll(() => calls.length).toBe(1);
    await expect.poll(() => (runtime.clock.advance(250), calls.length)).toBe(2);
    await stream.done;
    expect(calls[1]).toMatchObject({ requestState: "busy" });
    expect(calls[1]).not.toHaveProperty("inputResponses");
    expect(results()).toContain("ok");
  });

  test("is repeated at most ten times, so that no call asks forever", async () => {
    const { calls, chat } = await scripted({ resultType: "input_required", inputRequests: { who: form() } });
    const { ada, send, results } = chat();
    const stream = await send();
    for (let round = 0; round < 10; round += 1) {
      const { elicitationId } = await stream.request();
      await ada.answer("c1", { elicitationId, action: "accept", content: { name: "Ada" } });
      await expect
        .poll(() => stream.chunks.filter((chunk) => JSON.stringify(chunk).includes('"resolution"')).length)
        .toBe(round + 1);
    }
    await stream.done;
    expect(calls).toHaveLength(11);
    expect(results()).toContain("10 rounds already");
  });

  test("that repeats an opened page keeps its card, and is repeated when the user has finished", async () => {
    const again = { resultType: "input_required", inputRequests: { page: page() }, requestState: "s" };
    const { calls, chat } = await scripted(again, again, done("connected"));
    const { ada, send, results, runtime } = chat();
    const stream = await send();
    const { elicitationId } = await stream.request();
    await ada.answer("c1", { elicitationId, action: "accept" });
    await expect.poll(() => calls.length).toBe(2);
    expect((await runtime.elicitations.get(elicitationId))?.status).toBe("consented");
    await ada.answer("c1", { elicitationId, action: "accept" });
    await stream.done;
    expect(calls).toHaveLength(3);
    expect(results()).toContain("connected");
    expect((await runtime.elicitations.get(elicitationId))?.status).toBe("accepted");
    const ids = stream.chunks.filter(({ type }) => type === "data-elicitation-request").map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });

  test("that repeats a page learns that the user finished there before it was repeated", async () => {
    const again = { resultType: "input_required", inputRequests: { page: page() } };
    let repeat: (() => void) | undefined;
    let calls = 0;
    const { url } = await answering(async () => {
      calls += 1;
      if (calls === 2)
        await new Promise<void>((resolve) => {
          repeat = resolve;
        });
      return calls === 3 ? done("connected") : again;
    });
    const { ada, send, results } = chatWith(url, [{ srv_ask: {} }, "Done."]);
    const stream = await send();
    const { elicitationId } = await stream.request();
    await ada.answer("c1", { elicitationId, action: "accept" });
    await expect.poll(() => repeat).toBeDefined();
    await ada.answer("c1", { elicitationId, action: "accept" });
    repeat?.();
    // The clock stands still, so only the answer repeats the call.
    await stream.done;
    expect(results()).toContain("connected");
  });

  test("that repeats a page learns only once that the user has finished there", async () => {
    const again = { resultType: "input_required", inputRequests: { page: page() } };
    const { calls, chat } = await scripted(again, again, again, done("connected"));
    const { ada, send, runtime, results } = chat();
    const stream = await send();
    const { elicitationId } = await stream.request();
    await ada.answer("c1", { elicitationId, action: "accept" });
    await expect.poll(() => calls.length).toBe(2);
    await ada.answer("c1", { elicitationId, action: "accept" });
    await expect.poll(() => calls.length).toBe(3);
    // The server has been notified, so its next question waits again, while the user can repeat the answer.
    for (let look = 0; look < 10; look += 1) await ada.fetch("/run/api/elicitations?conversationId=c1");
    expect(calls).toHaveLength(3);
    await expect.poll(() => (runtime.clock.advance(500), calls.length)).toBe(4);
    await stream.done;
    expect(results()).toContain("connected");
  });

  test("that repeats a page is itself repeated at growing intervals", async () => {
    const again = { resultType: "input_required", inputRequests: { page: page() } };
    const { calls, chat } = await scripted(again, again, done("connected"));
    const { ada, send, runtime, results } = chat();
    const stream = await send();
    const { elicitationId } = await stream.request();
    await ada.answer("c1", { elicitationId, action: "accept" });
    await expect.poll(() => calls.length).toBe(2);
    await expect.poll(() => (runtime.clock.advance(500), calls.length)).toBe(3);
    await stream.done;
    expect(results()).toContain("connected");
  });

  test.each([
    ["samples a model", { method: "sampling/createMessage", params: {} }, "elicitation only"],
    ["asks for roots", { method: "roots/list" }, "elicitation only"],
    ["is malformed", { method: "elicitation/create", params: { message: 7 } }, "params.message"],
    ["is not a request", 7, "elicitation only"],
    [
      "has a form that cannot be shown",
      {
        method: "elicitation/create",
        params: { message: "?", requestedSchema: { type: "object", properties: { a: { type: "object" } } } },
      },
      "cannot be shown",
    ],
  ])("with a request that %s ends the call, and the user is not asked", async (_, request, reason) => {
    const { calls, chat } = await scripted({
      resultType: "input_required",
      inputRequests: { who: form(), odd: request },
    });
    const { send, results } = chat();
    const stream = await send();
    await stream.done;
    expect(results()).toContain(reason);
    expect(calls).toHaveLength(1);
    expect(stream.chunks.map(({ type }) => type)).not.toContain("data-elicitation-request");
  });

  test("with a form that asks for a secret gets a decline for that form, and the user gets the other questions", async () => {
    const secret = { type: "object", properties: { password: { type: "string" } } };
    const inputRequests = {
      who: form(),
      secret: { method: "elicitation/create", params: { message: "Password?", requestedSchema: secret } },
    };
    const { calls, chat } = await scripted({ resultType: "input_required", inputRequests }, done("ok"));
    const { send, answer } = chat();
    const stream = await send();
    await answer(stream, "accept", { name: "Ada" });
    await stream.done;
    expect(calls[1]?.["inputResponses"]).toEqual({
      who: { action: "accept", content: { name: "Ada" } },
      secret: { action: "decline" },
    });
    expect(JSON.stringify(stream.chunks)).not.toContain("Password?");
  });
});

test("a form with a ui resource is shown as a form", async () => {
  const meta = { _meta: { ui: { resourceUri: "ui://survey/form" } } };
  const who = { method: "elicitation/create", params: { ...form().params, ...meta } };
  const { calls, chat } = await scripted(
    { resultType: "input_required", inputRequests: { who } },
    done("ok"),
  );
  const { send, answer } = chat();
  const stream = await send();
  expect(await stream.request()).toMatchObject({ mode: "form", requestedSchema: FORM });
  await answer(stream, "accept", { name: "Ada" });
  await stream.done;
  expect(calls[1]).toMatchObject({ inputResponses: { who: { action: "accept" } } });
});

describe("a chat that cannot be asked", () => {
  const capability = (params: Readonly<Record<string, unknown>> | undefined) => {
    const meta = params?.["_meta"];
    return isObject(meta) ? meta["io.modelcontextprotocol/clientCapabilities"] : undefined;
  };

  test("declares no elicitation, and a server that requires it (-32021) ends the call with a text for the model", async () => {
    const { url, received } = await serveV2((server) => {
      server.registerTool("ask", { inputSchema: z.object({}) }, async () =>
        inputRequired({
          inputRequests: { who: inputRequired.elicit({ message: "Who?", requestedSchema: FORM }) },
        }),
      );
    }, "2026-07-28");
    const chat = chatWith(url, [{ srv_ask: {} }, "Done."]);
    const stream = await chat.send("c1", { capabilities: { elicitation: { url: {} } } });
    await stream.done;
    const call = received.find(({ method }) => method === "tools/call");
    expect(capability(call?.params)).toMatchObject({ elicitation: { url: {} } });
    expect(capability(call?.params)).not.toHaveProperty("elicitation.form");
    expect(chat.results()).toContain("Do not retry this tool");
  });

  test("declares no elicitation if the operator has turned it off for the server", async () => {
    const { url, received } = await serveV2((server) => {
      server.registerTool("ask", { inputSchema: z.object({}) }, async () => ({ content: [] }));
    }, "2026-07-28");
    const chat = chatWith(url, [{ srv_ask: {} }, "Done."], { elicitation: false });
    await (
      await chat.send()
    ).done;
    for (const { params } of received) expect(capability(params) ?? {}).toEqual({});
  });
});

test.each(["prompts/get", "resources/read"] as const)(
  "the MCP method %s can ask like a tool",
  async (method) => {
    const answered = (responses: unknown) => inputResponse(responses as never, "who").kind !== "missing";
    const who = inputRequired.elicit({ message: "Who?", requestedSchema: FORM });
    const { url } = await serveV2((server) => {
      server.registerPrompt("hello", {}, async (ctx) =>
        answered(ctx.mcpReq.inputResponses)
          ? { messages: [{ role: "user", content: { type: "text", text: "Hello" } }] }
          : inputRequired({ inputRequests: { who } }),
      );
      server.registerResource("hello", "test://hello", {}, async (uri, ctx) =>
        answered(ctx.mcpReq.inputResponses)
          ? { contents: [{ uri: uri.href, text: "Hello" }] }
          : inputRequired({ inputRequests: { who } }),
      );
    }, "2026-07-28");
    const runtime = createTestRuntime(async function* run(turn) {
      const client = new Client(
        { name: "test", version: "1" },
        { versionNegotiation: { mode: "auto" }, capabilities: declaredCapabilities(turn.supports) },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      const relay = createMcpRelay({
        turn,
        server: { name: "srv", service: "Survey" },
        toolName: "hello",
        toolCallId: "call",
        showUnanswerable: false,
        clock: runtime.clock,
      });
      const called = await relay.call<unknown>({
        client,
        signal: turn.signal,
        silenceMs: 60_000,
        conceal: (value) => value,
        send: ({ params, options }) =>
          method === "prompts/get"
            ? client.getPrompt({ name: "hello", ...params }, options)
            : client.readResource({ uri: "test://hello", ...params }, options),
      });
      await client.close();
      yield* text(JSON.stringify(called));
    });
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    await ada.answer("c1", { elicitationId, action: "accept", content: { name: "Ada" } });
    await stream.done;
    expect(JSON.stringify(stream.chunks)).toContain("Hello");
  },
);
