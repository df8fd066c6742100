import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChatClient, createChatClient, readStream } from "../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../test/stages/test-runtime.ts";
import { type Served, serve } from "./index.ts";

// These tests run over real HTTP. A second user with a valid session tries to read the first user's request by every
// route.
const runtime = createTestRuntime(asking(CITY), { hostedPage: { origin: "https://auth.example.com" } });
let served: Served;
const over = (user: string) =>
  createChatClient(
    (request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(served.url + pathname + search, request), { redirect: "manual" });
    },
    { user },
  );

beforeAll(async () => {
  served = await serve({ fetch: runtime.fetch });
});
afterAll(async () => {
  await runtime.close();
  await served.close();
});

const CHALLENGE = "x".repeat(43);

/** Every route that takes the id of a request or of a conversation, except those that start a turn. */
const ROUTES: readonly [
  string,
  (person: ChatClient, id: string, conversationId: string) => Promise<Response>,
][] = [
  ["answer", (person, elicitationId, c) => person.answer(c, { elicitationId, action: "decline" })],
  [
    "answer with content",
    (person, elicitationId, c) =>
      person.answer(c, { elicitationId, action: "accept", content: { city: "Lisbon" } }),
  ],
  [
    "answer by message",
    (person, elicitationId, c) => {
      const parts = [{ type: "data-elicitation-response", data: { elicitationId, action: "cancel" } }];
      return person.fetch("/run/api/chat", { body: { id: c, messages: [{ id: "m", role: "user", parts }] } });
    },
  ],
  ["status", (person, id) => person.fetch(`/run/api/elicitations/${id}`)],
  ["list", (person, _, c) => person.fetch(`/run/api/elicitations?conversationId=${c}`)],
  [
    "bind",
    (person, id) => person.fetch(`/run/api/elicitations/${id}/bind`, { body: { challenge: CHALLENGE } }),
  ],
  ["vouch", (person, id) => person.fetch(`/run/api/elicitations/${id}/vouch?challenge=${CHALLENGE}`)],
  ["re-attach", (person, _, c) => person.fetch(`/run/api/chat/${c}/stream`)],
  ["stop", (person, _, c) => person.fetch(`/run/api/chat/${c}/stop`, { method: "POST" })],
];

/** Everything that a reply shows, except the requested id. */
async function shown(response: Response, elicitationId: string) {
  const headers = Object.fromEntries(response.headers);
  delete headers["date"];
  const reply = { status: response.status, headers, body: await response.text() };
  return JSON.stringify(reply).replaceAll(elicitationId, "ID");
}

describe("a second user with a session of their own", () => {
  test.each(ROUTES)(
    "gets the same reply to an HTTP request (%s) for a question of the first user as for an unknown id",
    async (name, use) => {
      const [ada, eve] = [over("ada"), over("eve")];
      const conversationId = `of-ada-${name.replaceAll(" ", "-")}`;
      const stream = await ada.send(conversationId);
      const { elicitationId } = await stream.request();
      const unknown = "AAAAAAAAAAAAAAAAAAAAAA";
      const nothing = await shown(await use(eve, unknown, "no-such-conversation"), unknown);
      const shownNow = async () => shown(await use(eve, elicitationId, conversationId), elicitationId);

      expect(await shownNow()).toEqual(nothing);
      expect((await ada.answer(conversationId, { elicitationId, action: "decline" })).status).toBe(200);
      await stream.done;
      expect(await shownNow()).toEqual(nothing);
    },
  );

  test("gets their own turn under the same conversation id, on both streams, and the first user's turn continues", async () => {
    const [ada, eve] = [over("ada"), over("eve")];
    const stream = await ada.send("shared");
    const { elicitationId } = await stream.request();
    const own = await eve.send("shared");
    expect((await own.request()).elicitationId).not.toBe(elicitationId);
    const body = { conversationId: "shared", stream: true, messages: [{ role: "user", content: "Go" }] };
    const openAi = readStream(await eve.fetch("/run/v1/chat/completions", { body }));
    await openAi.done;
    expect(JSON.stringify(openAi.chunks)).not.toContain(elicitationId);
    expect((await ada.answer("shared", { elicitationId, action: "decline" })).status).toBe(200);
    await stream.done;
    expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: '{"outcome":"declined"}' }));
  });
});
