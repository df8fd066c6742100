import { expect, test } from "vitest";
import { authenticateTestUser, createChatClient } from "../../../test/stages/chat-client.ts";
import { noErrors } from "../../../test/stages/no-errors.ts";
import { createRuntime } from "../index.ts";

const setUp = () =>
  createRuntime({
    authenticate: authenticateTestUser,
    allowedOrigins: ["https://chat.example.com"],
    limits: { chatBytes: 1_000 },
    onError: noErrors(),
  });

const hello = { id: "m1", role: "user", parts: [{ type: "text", text: "Hello" }] };

/** A chat message as a browser sends it to a route of the application. */
function message(body: unknown, headers: Record<string, string> = {}): Request {
  return new Request("https://chat.example.com/api/own-chat", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer ada", ...headers },
    body: JSON.stringify(body),
  });
}

test("a custom route gets the user, their languages, the messages, and the app's own fields", async () => {
  const request = message(
    { id: "c1", messages: [hello], returnUrl: "https://chat.example.com/c1", mode: "careful" },
    { "x-supports-elicitation": "true", origin: "https://chat.example.com", "accept-language": "de-AT, en" },
  );
  expect(await setUp().readChat(request)).toEqual({
    conversationId: "c1",
    messages: [hello],
    user: expect.objectContaining({ id: "ada" }),
    supports: { url: true, form: true },
    chatOrigin: "https://chat.example.com",
    returnUrl: "https://chat.example.com/c1",
    languages: ["de-AT", "en"],
    body: { mode: "careful" },
    signal: request.signal,
  });
});

test.each<[string, number, Request]>([
  [
    "a page of another site that writes with the person's cookie",
    403,
    message({ messages: [hello] }, { authorization: "", cookie: "user=ada", origin: "https://evil.example" }),
  ],
  [
    "a body that is not said to be JSON",
    415,
    message({ messages: [hello] }, { "content-type": "text/plain" }),
  ],
  ["a body that is too large", 413, message({ messages: [hello], padding: "x".repeat(2_000) })],
  ["a body without messages", 400, message({ messages: [] })],
])("a custom route does not run for %s (%i)", async (_case, status, request) => {
  const reply = await setUp().readChat(request);
  expect(reply instanceof Response && reply.status).toBe(status);
});

test("readChat handles answers that arrive as a message, and the custom route only returns its reply", async () => {
  const asking = createRuntime({
    authenticate: authenticateTestUser,
    allowedOrigins: [],
    onError: noErrors(),
    async *runTurn(turn) {
      const { outcome } = await turn.ask({
        mode: "form",
        message: "Sure?",
        requestedSchema: { type: "object", properties: {} },
      });
      yield { type: "text-start", id: "1" };
      yield { type: "text-delta", id: "1", delta: outcome };
      yield { type: "text-end", id: "1" };
    },
  });
  const stream = await createChatClient(asking.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  const part = { type: "data-elicitation-response", data: { elicitationId, action: "decline" } };
  const reply = await asking.readChat(message({ id: "c1", messages: [{ ...hello, parts: [part] }] }));
  expect(reply instanceof Response && (await reply.json())).toEqual({
    success: true,
    elicitationId,
    outcome: "declined",
  });
  await stream.done;
});
