import { expect, onTestFinished, test } from "vitest";
import { nextTask } from "../base/deadlines.ts";
import { createManualClock } from "../base/testing/manual-clock.ts";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../test/stages/test-runtime.ts";
import { formRequest } from "../contract/testing/requests.ts";
import { createMemoryRecords } from "../runtime/index.ts";
import { createElicitationClient, createHttpChannel } from "./index.ts";
import { inboxOf } from "./inbox.ts";

function setUp(options: Parameters<typeof createTestRuntime>[1] = {}) {
  const runtime = createTestRuntime(asking(CITY), options);
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const paths: string[] = [];
  const network = { isDown: false, proxies: 0, cut: () => {}, onLaterPage: async () => {} };
  const clock = createManualClock();
  const client = createElicitationClient({
    clock,
    storage: null,
    channel: createHttpChannel({
      api: "https://runtime.example.com/run/api",
      headers: { authorization: "Bearer ada" },
      async fetch(input, init) {
        const request = new Request(input, init);
        paths.push(new URL(request.url).pathname);
        if (network.isDown) throw new TypeError("offline");
        if (network.proxies-- > 0) return new Response("404 page not found", { status: 404 });
        if (request.url.includes("?after=")) await network.onLaterPage();
        const response = await runtime.fetch(request);
        if (response.headers.get("content-type") !== "text/event-stream") return response;
        const broken = new TransformStream<Uint8Array, Uint8Array>({
          start: (controller) => void (network.cut = () => controller.error(new TypeError("cut"))),
        });
        return new Response(response.body?.pipeThrough(broken), response);
      },
    }),
  });
  const inbox = inboxOf(client);
  const shown = () => {
    const items = new Map(client.getSnapshot().items.map((item) => [item.id, item.status]));
    return inbox.getSnapshot().entries.map(({ id, conversationId }) => [conversationId, items.get(id)]);
  };
  return { runtime, ada, client, clock, inbox, shown, paths, network };
}

const AT = "2026-11-20T12:00:00.000Z";

/** A stream with one page, which stays open unless `ends`. */
function sse(page: unknown, ends = false): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(page)}\n\n`));
      if (ends) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** The inbox of a server that always replies with `reply`. */
function against(reply: () => Response | Promise<Response>) {
  const calls: Request[] = [];
  const channel = createHttpChannel({
    api: "https://runtime.example.com/run/api",
    async fetch(input, init) {
      calls.push(new Request(input, init));
      return reply();
    },
  });
  const client = createElicitationClient({ channel, storage: null });
  onTestFinished(() => client.dispose());
  return { calls, inbox: inboxOf(client) };
}

test("the inbox of a client shows the requests of all conversations, and an answer there continues the turn", async () => {
  const { ada, client, inbox, shown } = setUp();
  const first = await ada.send("c1");
  await first.request();
  const stop = inbox.subscribe(() => {});
  await expect.poll(shown).toEqual([["c1", "pending"]]);
  const second = await (await ada.send("c2")).request();
  await expect.poll(shown).toEqual([
    ["c1", "pending"],
    ["c2", "pending"],
  ]);
  const [entry] = inbox.getSnapshot().entries;
  await client.accept(entry!.id, { city: "Rome" });
  await first.done;
  expect(first.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","content":{"city":"Rome"}}' }),
  );
  // The request is answered in its own chat, and its receipt stays in the inbox.
  await ada.answer("c2", { elicitationId: second.elicitationId, action: "decline" });
  await expect.poll(shown).toEqual([
    ["c1", "accepted"],
    ["c2", "declined"],
  ]);
  stop();
});

test("all views of a client share one inbox stream, and the client does not poll the requests on it", async () => {
  const { ada, client, clock, inbox, shown, paths } = setUp();
  await (await ada.send("c1")).request();
  const stops = [
    inbox.subscribe(() => {}),
    inboxOf({ ...client }).subscribe(() => {}),
    client.subscribe(() => {}),
  ];
  await expect.poll(shown).toEqual([["c1", "pending"]]);
  // The client polls requests that are on no stream, at least every half minute.
  clock.advance(60_000);
  await nextTask();
  expect(paths).toEqual(["/run/api/elicitations"]);
  for (const stop of stops) stop();
});

test("a broken stream is opened again, and requests that ended in the meantime are shown as ended", async () => {
  const { ada, inbox, shown, network } = setUp();
  const { elicitationId } = await (await ada.send("c1")).request();
  const stop = inbox.subscribe(() => {});
  await expect.poll(shown).toEqual([["c1", "pending"]]);
  network.isDown = true;
  network.cut();
  await expect.poll(() => inbox.getSnapshot().status).toBe("reconnecting");
  await ada.answer("c1", { elicitationId, action: "cancel" });
  network.isDown = false;
  await expect.poll(shown).toEqual([["c1", "cancelled"]]);
  expect(inbox.getSnapshot().status).toBe("live");
  stop();
});

test("an inbox that was live is opened again after a proxy has replied for a server that was away", async () => {
  const { ada, inbox, shown, network } = setUp();
  const { elicitationId } = await (await ada.send("c1")).request();
  const states = new Set<string>();
  const stop = inbox.subscribe(() => void states.add(inbox.getSnapshot().status));
  await expect.poll(shown).toEqual([["c1", "pending"]]);
  network.proxies = 1;
  network.cut();
  await expect.poll(() => network.proxies).toBeLessThan(1);
  await ada.answer("c1", { elicitationId, action: "cancel" });
  await expect.poll(shown).toEqual([["c1", "cancelled"]]);
  expect(states).toEqual(new Set(["live", "reconnecting"]));
  stop();
});

test("all pages of an inbox are read", async () => {
  const { ada, inbox, shown } = setUp({ limits: { turns: { perPerson: 80 }, writesPerMinute: 1000 } });
  for (let index = 0; index < 60; index += 1) {
    const stream = await ada.send(`c${index}`);
    await stream.request();
    await stream.cancel();
  }
  const stop = inbox.subscribe(() => {});
  await expect.poll(() => shown().length).toBe(60);
  stop();
});

test("an inbox stays available when the last question of a page is given to somebody else", async () => {
  const { ada, inbox, shown, network } = setUp({
    limits: { turns: { perPerson: 80 }, writesPerMinute: 1000 },
    assign: { may: () => true, nameOf: ({ user }) => user },
  });
  const ids: string[] = [];
  for (let index = 0; index < 60; index += 1) {
    const stream = await ada.send(`c${index}`);
    ids.push((await stream.request()).elicitationId);
    await stream.cancel();
  }
  network.onLaterPage = async () => {
    await ada.fetch(`/run/api/elicitations/${ids[49]}/assignee`, { body: { to: { user: "bob" } } });
  };
  const stop = inbox.subscribe(() => {});
  await expect.poll(() => shown().length).toBe(59);
  expect(inbox.getSnapshot().status).toBe("live");
  stop();
});

test("the inbox is unavailable if the server has none", async () => {
  const { inbox: _, ...records } = createMemoryRecords();
  const { inbox } = setUp({ ports: { records } });
  const stop = inbox.subscribe(() => {});
  await expect.poll(() => inbox.getSnapshot()).toEqual({ entries: [], status: "unavailable" });
  stop();
});

test("an unavailable inbox is read again when the user asks for that", async () => {
  let isSignedIn = false;
  const { ada, inbox, shown } = setUp({
    authenticate: () => (isSignedIn ? { id: "ada" } : undefined),
  });
  const stop = inbox.subscribe(() => {});
  await expect.poll(() => inbox.getSnapshot().status).toBe("unavailable");
  isSignedIn = true;
  await (await ada.send("c1")).request();
  inbox.retry();
  expect(inbox.getSnapshot().status).toBe("loading");
  await expect.poll(shown).toEqual([["c1", "pending"]]);
  stop();
});

test.each<[string, unknown, readonly (readonly [string, string | undefined])[]]>([
  ["a whole question", {}, [["c1", "slack"]]],
  ["a question that came in no known way", { surface: 7 }, [["c1", undefined]]],
  ["a question of no conversation", { conversationId: null }, []],
  ["a question of no time", { askedAt: 1 }, []],
  ["a question that cannot be read", { request: { elicitationId: "a" } }, []],
])("the inbox shows what it can show: %s", async (_, changes, shown) => {
  const whole = { conversationId: "c1", surface: "slack", askedAt: AT, request: formRequest() };
  const page = { items: [{ ...whole, ...Object(changes) }, "nothing"] };
  const { inbox } = against(() => sse(page));
  onTestFinished(inbox.subscribe(() => {}));
  await expect.poll(() => inbox.getSnapshot().status).toBe("live");
  const { entries } = inbox.getSnapshot();
  expect(entries.map(({ conversationId, surface }) => [conversationId, surface])).toEqual(shown);
  expect(entries.every(({ askedAt }) => askedAt === AT)).toBe(true);
});

test("an inbox that no view shows is not read, and is read anew for the next view", async () => {
  const { calls, inbox } = against(() => sse({ items: [] }));
  const stops = [inbox.subscribe(() => {}), inbox.subscribe(() => {})];
  await expect.poll(() => inbox.getSnapshot().status).toBe("live");
  stops[0]?.();
  await nextTask();
  expect(calls[0]?.signal.aborted).toBe(false);
  // React removes a view and adds it again.
  stops[1]?.();
  const stop = inbox.subscribe(() => {});
  await nextTask();
  expect(calls).toHaveLength(1);
  stop();
  await expect.poll(() => calls[0]?.signal.aborted).toBe(true);
  expect(inbox.getSnapshot()).toEqual({ entries: [], status: "loading" });
  inbox.retry();
  expect(calls).toHaveLength(1);
  onTestFinished(inbox.subscribe(() => {}));
  await expect.poll(() => inbox.getSnapshot().status).toBe("live");
  expect(calls).toHaveLength(2);
  inbox.retry();
  expect(inbox.getSnapshot().status).toBe("live");
  expect(calls).toHaveLength(2);
});

test("an inbox whose stream ends as planned is read on, and the user sees no break", async () => {
  const { calls, inbox } = against(() => sse({ items: [] }, calls.length === 1));
  const states = new Set<string>();
  onTestFinished(inbox.subscribe(() => void states.add(inbox.getSnapshot().status)));
  await expect.poll(() => calls.length).toBe(2);
  await expect.poll(() => inbox.getSnapshot().status).toBe("live");
  expect(states).toEqual(new Set(["live"]));
});

test.each<[string, () => Response | Promise<Response>, string]>([
  ["cannot be reached", () => Promise.reject(new TypeError("offline")), "reconnecting"],
  ["is busy", () => new Response(null, { status: 503, headers: { "retry-after": "9" } }), "reconnecting"],
  ["has none", () => new Response(null, { status: 404 }), "unavailable"],
  ["does not know the user", () => new Response("Sign in", { status: 401 }), "unavailable"],
])("the inbox of a server that %s is %s", async (_, reply, status) => {
  const { inbox } = against(reply);
  const states: string[] = [];
  onTestFinished(inbox.subscribe(() => states.push(inbox.getSnapshot().status)));
  expect(inbox.getSnapshot().status).toBe("loading");
  await expect.poll(() => states).toEqual([status]);
});

test("a client of a protocol without an inbox has none", async () => {
  const { subscribe, respond, delivery } = createHttpChannel();
  const client = createElicitationClient({ channel: { subscribe, respond, delivery }, storage: null });
  const inbox = inboxOf(client);
  onTestFinished(inbox.subscribe(() => {}));
  await expect.poll(() => inbox.getSnapshot().status).toBe("unavailable");
});
