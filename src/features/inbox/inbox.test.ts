import { expect, test } from "vitest";
import { inboxPageSchema } from "../../contract/schema.ts";
import type { InboxPage } from "../../contract/contract.ts";
import { createMemoryRecords } from "../../runtime/index.ts";
import { authenticateTestUser, createChatClient } from "../../../test/stages/chat-client.ts";
import { watchInbox } from "../../../test/stages/inbox.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

function setUp(options: Parameters<typeof createTestRuntime>[1] = {}) {
  const runtime = createTestRuntime(asking(CITY), options);
  const of = (user?: string) => createChatClient(runtime.fetch, { user });
  return { runtime, of, ada: of("ada"), bob: of("bob") };
}

type Client = ReturnType<typeof createChatClient>;

async function inboxOf(client: Client, query = ""): Promise<InboxPage> {
  const reply = await client.fetch(`/run/api/elicitations${query}`);
  expect(reply.status).toBe(200);
  return inboxPageSchema.parse(await reply.json());
}

const idsIn = ({ items }: InboxPage) => items.map(({ request }) => request.elicitationId);

async function problemOf(reply: Response): Promise<unknown> {
  expect(reply.headers.get("content-type")).toBe("application/problem+json");
  expect(reply.headers.get("cache-control")).toBe("no-store");
  return { status: reply.status, detail: (await reply.json()).detail };
}

test("the inbox lists the open requests of the user from all conversations, and an answer from there continues the turn", async () => {
  const { ada, bob } = setUp();
  const first = await ada.send("c1");
  const { elicitationId } = await first.request();
  const second = await (await ada.send("c2")).request();
  await (await bob.send("c1")).request();
  const page = await inboxOf(ada);
  expect(page).toEqual({
    items: [
      {
        conversationId: "c1",
        surface: "chat",
        askedAt: expect.any(String),
        request: { ...second, elicitationId },
      },
      { conversationId: "c2", surface: "chat", askedAt: expect.any(String), request: second },
    ],
  });
  const [item] = page.items;
  await ada.answer(item!.conversationId, { elicitationId, action: "accept", content: { city: "Rome" } });
  await first.done;
  expect(first.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","content":{"city":"Rome"}}' }),
  );
  expect(idsIn(await inboxOf(ada))).toEqual([second.elicitationId]);
});

test("an expired request is not in the inbox, even if no process has ended it", async () => {
  const { ada, runtime } = setUp();
  await (await ada.send("c1")).request();
  runtime.clock.advance(600_001);
  expect(await inboxOf(ada)).toEqual({ items: [] });
});

test("a long inbox can be read page by page while requests end", async () => {
  const { ada } = setUp({
    limits: { turns: { perPerson: 200 }, open: { perPerson: 200 }, writesPerMinute: 1000 },
  });
  const ids: string[] = [];
  for (let index = 0; index < 120; index += 1) {
    const stream = await ada.send(`c${index}`);
    ids.push((await stream.request()).elicitationId);
    // The turn keeps waiting without a reader.
    await stream.cancel();
  }
  const first = await inboxOf(ada);
  expect(idsIn(first)).toEqual(ids.slice(0, 50));
  // The request that is the cursor ends before the next page is read.
  await ada.answer("c49", { elicitationId: ids[49], action: "decline" });
  const second = await inboxOf(ada, `?after=${first.next}`);
  expect(idsIn(second)).toEqual(ids.slice(50, 100));
  const third = await inboxOf(ada, `?after=${second.next}`);
  expect(third).toEqual({ items: expect.anything() });
  expect(idsIn(third)).toEqual(ids.slice(100));
});

test("a cursor that is malformed, unknown or from another user gets a problem document", async () => {
  const { ada, bob } = setUp();
  const { elicitationId } = await (await bob.send("c1")).request();
  for (const after of ["", "x".repeat(257), "unknown", elicitationId, "%00", "1' or 1=1"]) {
    const reply = await ada.fetch(`/run/api/elicitations?after=${encodeURIComponent(after)}`);
    expect(await problemOf(reply)).toEqual({
      status: 400,
      detail: "`after` must be `next` of a page of this list. Begin with the first page again.",
    });
  }
  const headers = { accept: "text/event-stream" };
  const stream = await ada.fetch(`/run/api/elicitations?after=${elicitationId}`, { headers });
  expect(await problemOf(stream)).toMatchObject({ status: 400 });
});

test("the inbox requires a signed-in user, and an empty conversation id does not select the inbox", async () => {
  const { of, ada } = setUp();
  expect(await problemOf(await of().fetch("/run/api/elicitations"))).toMatchObject({ status: 401 });
  const headers = { accept: "text/event-stream" };
  expect(await problemOf(await of().fetch("/run/api/elicitations", { headers }))).toMatchObject({
    status: 401,
  });
  expect(await problemOf(await ada.fetch("/run/api/elicitations?conversationId="))).toMatchObject({
    status: 400,
  });
});

test("if the records have no inbox, the list of requests requires a conversation", async () => {
  const { inbox: _, ...records } = createMemoryRecords();
  const { ada } = setUp({ ports: { records } });
  expect(await problemOf(await ada.fetch("/run/api/elicitations"))).toEqual({
    status: 400,
    detail: "conversationId is missing.",
  });
});

test("the stream sends the list at once, and again when a request of any conversation begins, changes or ends", async () => {
  const { ada, bob, runtime } = setUp();
  const inbox = await watchInbox(ada);
  expect(await inbox.next()).toEqual({ items: [] });
  // The change belongs to another user, so the next event is not about it.
  await (await bob.send("c1")).request();
  const { elicitationId } = await (await ada.send("c1")).request();
  expect(idsIn((await inbox.next())!)).toEqual([elicitationId]);
  await runtime.elicitations.fail(elicitationId, "Something is wrong.");
  expect((await inbox.next())?.items[0]?.request.progress).toEqual({
    status: "pending",
    lastError: "Something is wrong.",
  });
  await ada.answer("c1", { elicitationId, action: "decline" });
  expect(await inbox.next()).toEqual({ items: [] });
  await inbox.cancel();
  expect(runtime.errors).toEqual([]);
});

test("an inbox stream ends after maxStreamMs, and sends keep-alives until then", async () => {
  const { ada, runtime } = setUp({ platform: { maxStreamMs: 60_000 } });
  const inbox = await watchInbox(ada);
  await inbox.next();
  const end = inbox.next();
  runtime.clock.advance(60_000);
  expect(await end).toBeUndefined();
});

test("when a runtime closes, its inbox streams end, and a later one gets only the list", async () => {
  const { ada, runtime } = setUp();
  const inbox = await watchInbox(ada);
  await inbox.next();
  const end = inbox.next();
  await runtime.close();
  expect(await end).toBeUndefined();
  // The server may still handle requests, and the client opens the stream again.
  const later = await watchInbox(ada);
  expect(await later.next()).toEqual({ items: [] });
  expect(await later.next()).toBeUndefined();
  // No source is left that writes into the streams.
  expect(runtime.clock.waiting).toBe(0);
  expect(runtime.errors).toEqual([]);
});

test("a user can read a limited number of streams at once, of conversations and the inbox together", async () => {
  const { ada, bob } = setUp();
  const streams = [];
  for (let index = 0; index < 50; index += 1) streams.push(await watchInbox(ada));
  const headers = { accept: "text/event-stream" };
  expect(await problemOf(await ada.fetch("/run/api/elicitations", { headers }))).toMatchObject({
    status: 429,
  });
  expect((await bob.fetch("/run/api/elicitations", { headers })).status).toBe(200);
  await streams[0]?.cancel();
  expect((await ada.fetch("/run/api/elicitations", { headers })).status).toBe(200);
});

const EVIL = { origin: "https://evil.example" };

test.each([
  ["a script of another site", EVIL],
  ["an element of another site", { "sec-fetch-site": "cross-site" }],
])("%s opens no stream with the cookies of a user", async (_, headers) => {
  const { runtime, ada } = setUp();
  const turn = await ada.send("c1");
  await turn.request();
  const cookies = { cookie: "user=ada", accept: "text/event-stream" };
  const open = (path: string, more: Record<string, string>) =>
    runtime.fetch(
      new Request(`https://runtime.example.com/run/api/${path}`, { headers: { ...cookies, ...more } }),
    );
  for (const path of ["elicitations", "chat/c1/stream"]) {
    expect((await open(path, headers)).status).toBe(403);
    const own = await open(path, { "sec-fetch-site": "same-origin" });
    expect(own.status).toBe(200);
    await own.body?.cancel();
  }
  await turn.cancel();
});

test("a stream ends at the first change after its user has signed out", async () => {
  let isSignedIn = true;
  const { runtime, ada } = setUp({
    authenticate: (request) => (isSignedIn ? authenticateTestUser(request) : undefined),
  });
  await (await ada.send("c1")).request();
  const inbox = await watchInbox(ada);
  expect((await inbox.next())?.items).toHaveLength(1);
  isSignedIn = false;
  const [open] = await runtime.elicitations.listOpen("c1", "ada");
  await runtime.elicitations.decline(open?.request.elicitationId ?? "");
  expect(await inbox.next()).toBe(undefined);
});

test("a HEAD request opens no inbox stream", async () => {
  const { ada } = setUp();
  const headers = { accept: "text/event-stream" };
  const reply = await ada.fetch("/run/api/elicitations", { method: "HEAD", headers });
  expect([reply.status, reply.body]).toEqual([200, null]);
});
