import { Chat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  type ToolSet,
  type UIMessage,
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  tool,
  toUIMessageStream,
  validateUIMessages,
} from "ai";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { createRuntime, historyForModel, keepAlive } from "../runtime/index.ts";
import { serve } from "../node/index.ts";
import { authenticateTestUser, createChatClient } from "../../test/stages/chat-client.ts";
import { noErrors } from "../../test/stages/no-errors.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../../test/stages/scripted-model.ts";
import { createMemoryCredentials } from "../connect/ports/credentials.ts";
import { createAccounts, createRouteElicitor } from "./index.ts";

/** A route of an application, over real HTTP. The runtime next to it only takes the answers. */
function setUp(...steps: readonly Step[]) {
  const tools = (elicitorFor: ReturnType<typeof createRouteElicitor>) => ({
    book_flight: tool({
      inputSchema: z.object({}),
      execute: async (_, { toolCallId }) => {
        const trip = await elicitorFor("book_flight", toolCallId).form(
          "Where to?",
          z.object({ city: z.string().meta({ title: "Destination" }) }),
        );
        return trip.outcome === "accepted" ? `Booked: ${trip.value.city}` : trip.text;
      },
    }),
  });
  return setUpWith(tools, ...steps);
}

async function setUpWith(
  toolsOf: (elicitorFor: ReturnType<typeof createRouteElicitor>) => ToolSet,
  ...steps: readonly Step[]
) {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  /** The history that the route stores at its end. */
  const stored: UIMessage[] = [];
  const model = createScriptedModel(...steps);
  const runtime = createRuntime({ authenticate: authenticateTestUser, allowedOrigins: [], onError });

  async function route(request: Request): Promise<Response> {
    const chat = await runtime.readChat(request);
    if (chat instanceof Response) return chat;
    const messages = await validateUIMessages({ messages: historyForModel(chat.messages) });
    const stream = createUIMessageStream({
      originalMessages: messages,
      onEnd: ({ messages: all }) => void stored.splice(0, stored.length, ...all),
      execute: async ({ writer }) => {
        const elicitorFor = createRouteElicitor({
          runtime,
          writer,
          chat,
          requester: { name: "Travel desk" },
          onError,
        });
        const tools = toolsOf(elicitorFor);
        const { stream: chunks } = streamText({
          model,
          tools,
          messages: await convertToModelMessages(messages, { tools }),
          stopWhen: isStepCount(5),
          abortSignal: request.signal,
        });
        writer.merge(toUIMessageStream({ stream: chunks, tools }));
      },
    });
    return keepAlive(createUIMessageStreamResponse({ stream }));
  }

  const served = await serve({
    fetch: (request) => (new URL(request.url).pathname === "/chat" ? route(request) : runtime.fetch(request)),
  });
  onTestFinished(() => served.close());
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${served.url}/run/api${path}`, {
      ...init,
      headers: { "content-type": "application/json", authorization: "Bearer ada" },
    });
  const answer = async (elicitationId: unknown, given: Record<string, unknown>): Promise<number> => {
    const body = JSON.stringify({ conversationId: "c1", elicitationId, ...given });
    return (await call("/elicitation-responses", { method: "POST", body })).status;
  };
  const status = async (id: string): Promise<unknown> => (await call(`/elicitations/${id}`)).json();
  const newChat = (headers: Record<string, string>) =>
    new Chat<UIMessage>({
      id: "c1",
      transport: new DefaultChatTransport({ api: `${served.url}/chat`, headers }),
    });
  return { errors, model, answer, status, runtime, newChat, stored };
}

/** The default of one second is too short for HTTP on a busy machine. */
const until = (is: () => boolean | Promise<boolean>) => vi.waitUntil(is);

const ADA = { authorization: "Bearer ada", "x-supports-elicitation": "true" };

function requestsIn(chat: {
  messages: readonly UIMessage[];
}): { elicitationId: string; resolution?: { outcome: string } }[] {
  return chat.messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === "data-elicitation-request" && "data" in part
        ? [part.data as { elicitationId: string; resolution?: { outcome: string } }]
        : [],
    ),
  );
}

test("after a stopped question, the model reads that its call ended without a result", async () => {
  const { newChat, model } = await setUp({ book_flight: {} }, "As you like.");
  const chat = newChat(ADA);
  const sending = chat.sendMessage({ text: "Book me a flight" });
  await until(() => requestsIn(chat).length === 1);
  await chat.stop();
  await sending;
  await chat.sendMessage({ text: "Never mind" });
  expect(chat.error).toBeUndefined();
  expect(JSON.stringify(toolResultsSeen(model))).toContain("The turn ended before this call had a result.");
});

test("a tool on a custom route asks, and continues with the answer in the same stream", async () => {
  const { newChat, answer, model, errors, stored } = await setUp({ book_flight: {} }, "Have a nice trip.");
  const chat = newChat(ADA);
  const sending = chat.sendMessage({ text: "Book me a flight" });
  await until(() => requestsIn(chat).length === 1);
  const [request] = requestsIn(chat);
  expect(request).toMatchObject({ requester: { name: "Travel desk" }, toolCallId: "call_0_0" });
  expect(await answer(request?.elicitationId, { action: "accept", content: { city: "Rome" } })).toBe(200);
  await sending;
  expect(chat.error).toBeUndefined();
  expect(requestsIn(chat)).toMatchObject([{ resolution: { outcome: "accepted" } }]);
  expect(stored.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(requestsIn({ messages: stored })).toEqual(requestsIn(chat));
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "Booked: Rome" }]);
  expect(errors).toEqual([]);
});

test("a tool on a custom route uses the user's account, which the user connects in the same stream", async () => {
  const credentials = createMemoryCredentials();
  const accountsOf = createAccounts({
    accounts: {
      mail: {
        service: "Mail",
        api: "https://mail.example",
        fetch: async (_url, init) => new Response(new Headers(init?.headers).get("authorization")),
      },
    },
    credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Travel desk" },
    onError: noErrors(),
  });
  const tools = (elicitorFor: ReturnType<typeof createRouteElicitor>) => ({
    send_mail: tool({
      inputSchema: z.object({}),
      execute: async (_, { toolCallId }) => {
        const sent = await accountsOf(elicitorFor.turn, "send_mail")("mail", toolCallId).fetch("/send");
        return sent.ok ? sent.value.text() : sent.text;
      },
    }),
  });
  const { newChat, runtime, model, errors } = await setUpWith(tools, { send_mail: {} }, "Sent.");
  const chat = newChat({ ...ADA, "accept-language": "de" });
  const sending = chat.sendMessage({ text: "Send it" });
  await until(() => requestsIn(chat).length === 1);
  const [request] = requestsIn(chat);
  expect(request).toMatchObject({
    mode: "url",
    service: { name: "Mail" },
    toolCallId: "call_0_0",
    message: expect.stringMatching(/Konto.*Mail/),
  });
  await runtime.elicitations.complete(request?.elicitationId ?? "", () =>
    credentials.set("mail", "ada", { accessToken: "token" }),
  );
  await sending;
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "Bearer token" }]);
  expect(errors).toEqual([]);
});

test("a refused question is not repeated in the same HTTP request, and may be asked in the next", async () => {
  const { newChat, answer, model } = await setUp(
    { book_flight: {} },
    { book_flight: {} },
    "I see.",
    { book_flight: {} },
    "Fine.",
  );
  const chat = newChat(ADA);
  const sending = chat.sendMessage({ text: "Book me a flight" });
  await until(() => requestsIn(chat).length === 1);
  await answer(requestsIn(chat)[0]?.elicitationId, { action: "decline" });
  await sending;
  expect(toolResultsSeen(model)).toHaveLength(2);
  expect(requestsIn(chat)).toHaveLength(1);

  const again = chat.sendMessage({ text: "Book it after all" });
  await until(() => requestsIn(chat).length === 2);
  await answer(requestsIn(chat)[1]?.elicitationId, { action: "decline" });
  await again;
  expect(JSON.stringify(model.doStreamCalls.at(-1)?.prompt)).not.toContain("elicitation-request");
});

test("parallel questions are written once each, and each answer reaches its own question", async () => {
  const { newChat, answer, model } = await setUp({ "book_flight#1": {}, "book_flight#2": {} }, "ok");
  const chat = newChat(ADA);
  const sending = chat.sendMessage({ text: "Book two flights" });
  await until(() => requestsIn(chat).length === 2);
  for (const [index, city] of ["Rome", "Oslo"].entries()) {
    await answer(requestsIn(chat)[index]?.elicitationId, { action: "accept", content: { city } });
  }
  await sending;
  expect(new Set(toolResultsSeen(model).map((result) => JSON.stringify(result))).size).toBe(2);
});

test.each<[string, Record<string, string>]>([
  ["a chat that cannot show it", { authorization: "Bearer ada" }],
  ["nobody signed in", { "x-supports-elicitation": "true" }],
])("%s is not asked: the tool gets the reason immediately", async (_, headers) => {
  const { newChat, model } = await setUp({ book_flight: {} }, "Where to?");
  const chat = newChat(headers);
  await chat.sendMessage({ text: "Book me a flight" });
  expect(requestsIn(chat)).toEqual([]);
  expect(JSON.stringify(toolResultsSeen(model))).toContain(
    "needs information only the user has: Destination.",
  );
});

test("when a chat disconnects, its requests are withdrawn", async () => {
  const { newChat, answer, status, errors } = await setUp({ book_flight: {} }, "Have a nice trip.");
  const chat = newChat(ADA);
  void chat.sendMessage({ text: "Book me a flight" });
  await until(() => requestsIn(chat).length === 1);
  const id = requestsIn(chat)[0]?.elicitationId ?? "";
  await chat.stop();
  await until(async () => JSON.stringify(await status(id)).includes("withdrawn"));
  expect(await answer(id, { action: "accept", content: { city: "Rome" } })).toBe(409);
  expect(errors).toEqual([]);
});

test("a tool on a custom route that asks in the background fails at once, and the error says what to do", async () => {
  const tools = (elicitorFor: ReturnType<typeof createRouteElicitor>) => ({
    book_flight: tool({
      inputSchema: z.object({}),
      async execute(_, { toolCallId }) {
        const ask = elicitorFor("book_flight", toolCallId);
        // @ts-expect-error: the types do not offer it
        return ask.later(() => ask.text("Where to?"));
      },
    }),
  });
  const { newChat, model } = await setUpWith(tools, { book_flight: {} }, "I cannot.");
  const chat = newChat(ADA);
  await chat.sendMessage({ text: "Book me a flight" });
  expect(requestsIn(chat)).toEqual([]);
  expect(JSON.stringify(toolResultsSeen(model))).toContain("elicit-kit: later() works only in `runTurn`");
});

test("a chat request to a runtime without an agent ends with an error, and the log says why", async () => {
  const { runtime, errors } = await setUp("never");
  const client = createChatClient((request) => runtime.fetch(request), { user: "ada" });
  const stream = await client.send("c1");
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ type: "error" }));
  expect(String(errors[0])).toContain("elicit-kit: a chat message was sent to a runtime without runTurn.");
});

test("the card is still shown when the bundler has loaded the kit twice", async () => {
  const runtime = createRuntime({
    authenticate: authenticateTestUser,
    allowedOrigins: [],
    onError: noErrors(),
  });
  vi.resetModules();
  const copy = await import("./index.ts");
  expect(copy.createRouteElicitor).not.toBe(createRouteElicitor);
  const written: { type: string; id?: string; data: unknown }[] = [];
  const elicitFor = copy.createRouteElicitor({
    runtime,
    writer: { write: (part) => void written.push(part) },
    chat: {
      conversationId: "c1",
      user: { id: "ada" },
      supports: { url: true, form: true },
      chatOrigin: undefined,
      returnUrl: undefined,
      languages: [],
      signal: new AbortController().signal,
    },
    requester: { name: "Travel desk" },
    onError: noErrors(),
  });
  const asked = elicitFor("book_flight", "call_1").text("Where to?");
  await expect.poll(() => written).toMatchObject([{ type: "data-elicitation-request" }]);
  await createChatClient(runtime.fetch, { user: "ada" }).answer("c1", {
    elicitationId: written[0]?.id,
    action: "decline",
  });
  expect((await asked).outcome).toBe("declined");
  expect(written).toMatchObject([{ id: written[0]?.id }, { data: { resolution: { outcome: "declined" } } }]);
});
