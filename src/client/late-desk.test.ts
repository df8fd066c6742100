import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createDeferred } from "../base/deadlines.ts";
import { createManualClock } from "../base/testing/manual-clock.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import type { AnswerReceipt } from "./channel.ts";
import type { ElicitationClientOptions } from "./client-options.ts";
import type { ElicitationClient } from "./elicitation.ts";
import type { HttpChannelOptions } from "./http-channel.ts";
import { FakeBrowser } from "./popup/testing/fake-browser.ts";
import { FakeChannel, settleAll } from "./testing/fake-channel.ts";
import { createMemoryStorage } from "./testing/memory-storage.ts";

const CHAT = "conversation-1";
const DESK = "./desk.ts";
const server = { isDown: false, loads: 0, arrived: Promise.resolve(), arrive: () => {} };

beforeEach(() => {
  server.isDown = false;
  server.loads = 0;
  server.arrived = new Promise((resolve) => {
    server.arrive = resolve;
  });
  vi.resetModules();
  vi.doMock(DESK, async (load) => {
    server.loads += 1;
    await server.arrived;
    if (server.isDown) throw new TypeError("Failed to fetch dynamically imported module");
    return load();
  });
});
const clients: ElicitationClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
  vi.doUnmock(DESK);
});

async function arrive(): Promise<void> {
  server.arrive();
  await vi.dynamicImportSettled();
}

/** The client of a page that has loaded only what every page loads. */
async function firstLoad(options: Partial<ElicitationClientOptions> = {}) {
  const { createElicitationClient } = await import("./create-client.ts");
  const channel = new FakeChannel();
  const browser = new FakeBrowser();
  const create = () => {
    const client = createElicitationClient({
      channel,
      storage: null,
      popupEnvironment: browser,
      ...options,
    });
    clients.push(client);
    return client;
  };
  return { channel, browser, create, client: create() };
}

const statuses = (client: ElicitationClient) =>
  client.getSnapshot().items.map(({ id, status }) => [id, status]);

describe("a client whose code is not there yet", () => {
  it("loses no request and no state, in the order in which they came", async () => {
    const { channel, client } = await firstLoad();
    const changes: number[] = [];
    client.subscribe(() => changes.push(client.getSnapshot().items.length));
    channel.emit({ type: "live", conversationId: CHAT, live: true });
    channel.emit({ type: "request", conversationId: CHAT, request: urlRequest() });
    channel.emit({ type: "request", conversationId: CHAT, request: formRequest() });
    const resolution = { outcome: "declined", at: "2026-11-21T12:00:00Z" } as const;
    channel.emit({ type: "request", conversationId: CHAT, request: urlRequest({ resolution }) });
    expect(client.getSnapshot()).toMatchObject({
      items: [],
      arriving: {
        hasFailed: false,
        requests: [
          { id: "url-1", mode: "url", isOpen: false },
          { id: "form-1", mode: "form", isOpen: true },
        ],
      },
    });
    expect(client.getSnapshot()).toBe(client.getSnapshot());
    await arrive();
    expect(statuses(client)).toEqual([
      ["url-1", "declined"],
      ["form-1", "pending"],
    ]);
    expect(client.getSnapshot().arriving).toBeUndefined();
    // One change shows all of it.
    expect(changes.at(-1)).toBe(2);
    expect(changes.filter((count) => count > 0)).toHaveLength(1);
  });

  it("carries out calls when the code arrives", async () => {
    const { channel, browser, client } = await firstLoad();
    client.receive(CHAT, formRequest());
    client.receive(CHAT, urlRequest());
    const accepted = client.accept("form-1", { city: "Lisbon" });
    const connected = client.connect("url-1");
    const unknown = client.accept("other").catch((error: unknown) => error);
    expect(channel.sent).toEqual([]);
    await arrive();
    await accepted;
    expect(String(await unknown)).toContain('elicit-kit: no request "other" is known');
    expect(channel.sent.flat()).toMatchObject([
      { elicitationId: "form-1", action: "accept", content: { city: "Lisbon" } },
    ]);
    expect(browser.windows).toHaveLength(1);
    await client.decline("url-1");
    expect(await connected).toBe("declined");
  });

  it.each<[string, (client: ElicitationClient) => Promise<unknown>, unknown]>([
    ["link", (client) => client.link("form-1"), "https://auth.example.com/a"],
    ["account", (client) => client.account("url-1"), { connected: false }],
    ["forget", (client) => client.forget("done"), true],
    ["propose", (client) => client.propose("form-1", "Lisbon"), true],
    ["assignees", (client) => client.assignees("form-1"), [{ to: { user: "bo" }, name: "Bo" }]],
    ["assign", (client) => client.assign("form-1", { user: "bo" }), true],
    ["remind", (client) => client.remind("waits"), { sent: true }],
    ["extend", (client) => client.extend("form-1"), true],
    ["check", async (client) => client.check("url-1").then(() => statuses(client)[1]), ["url-1", "gone"]],
    [
      "cancel",
      async (client) => client.cancel("url-1").then(() => statuses(client)[1]),
      ["url-1", "cancelled"],
    ],
    [
      "decline",
      async (client) => client.decline("url-1").then(() => statuses(client)[1]),
      ["url-1", "declined"],
    ],
    ["retry", (client) => client.retry("form-1"), undefined],
  ])("gives %s its result when the code arrives", async (_, call, result) => {
    const { channel, client } = await firstLoad();
    channel.link = "https://auth.example.com/a";
    channel.account = { connected: false };
    channel.choices = [{ to: { user: "bo" }, name: "Bo" }];
    channel.proposals = () => ({ city: "Lisbon" });
    const resolution = { outcome: "accepted", at: "2026-11-21T12:00:00Z", remembered: "r1" } as const;
    const context = { trigger: "tool", takesSentence: true };
    client.receive(CHAT, formRequest({ giveOn: true, context }));
    client.receive(CHAT, urlRequest());
    client.receive(CHAT, formRequest({ elicitationId: "done", resolution }));
    client.receive(CHAT, formRequest({ elicitationId: "waits", assignee: { name: "Bo", remind: true } }));
    const called = call(client);
    await arrive();
    expect(await called).toEqual(result);
  });

  it("keeps what the user types and which pages they open until the code arrives", async () => {
    const { client } = await firstLoad({ storage: createMemoryStorage() });
    client.receive(CHAT, formRequest({ expiresAt: new Date().toISOString() }));
    client.receive(CHAT, urlRequest());
    client.drafts.save("form-1", { city: "Lis" });
    client.markOpened("url-1");
    expect([client.drafts.load("form-1"), client.remaining("form-1")]).toEqual([undefined, undefined]);
    await arrive();
    expect([client.drafts.load("form-1"), client.remaining("form-1")]).toEqual([{ city: "Lis" }, 0]);
    expect(statuses(client)).toEqual([
      ["form-1", "pending"],
      ["url-1", "opened"],
    ]);
  });

  it("knows which streams are live, and which requests are on other streams", async () => {
    const clock = createManualClock();
    const { channel, client } = await firstLoad({ clock });
    client.subscribe(() => undefined);
    channel.report = () => ({});
    const live = (conversationId: string, isLive: boolean) =>
      channel.emit({ type: "live", conversationId, live: isLive });
    const ask = (conversationId: string) =>
      channel.emit({
        type: "request",
        conversationId,
        request: formRequest({ elicitationId: `in ${conversationId}` }),
      });
    for (const id of ["live", "ended", "ends"]) live(id, true);
    live("ended", false);
    for (const id of ["live", "ended", "ends", "followed"]) ask(id);
    live("ends", false);
    client.follow(new Set(["in followed"]));
    await arrive();
    expect(channel.reads).toEqual(["in ends"]);
    await clock.advanceAsync(2_000);
    expect(channel.reads.slice(1)).toEqual(["in ended", "in ends"]);
  });

  it("tells a removed view nothing", async () => {
    const { client } = await firstLoad();
    const told = vi.fn();
    const stop = client.subscribe(told);
    client.receive(CHAT, formRequest());
    const before = told.mock.calls.length;
    expect(before).toBeGreaterThan(0);
    stop();
    await arrive();
    client.receive(CHAT, urlRequest());
    expect(told).toHaveBeenCalledTimes(before);
  });

  it.each([
    ["again when it is away", { retryable: true }, 2],
    ["once when it refuses", { retryable: false }, 1],
    ["once when it has no list", { retryable: true, notOffered: true }, 1],
    ["once when the channel is broken", undefined, 1],
  ])("asks a server for its open requests %s", async (_, error, times) => {
    const { channel, client } = await firstLoad();
    // The class of this load.
    const { ChannelError } = await import("./channel.ts");
    channel.open = error === undefined ? new TypeError("a bug") : new ChannelError("no list", error);
    const refreshed = client.refresh(CHAT);
    await arrive();
    await refreshed;
    expect(channel.listed).toHaveLength(times);
    expect(server.loads).toBe(times - 1);
  });

  it("reads the history once, however often it changes", async () => {
    const { client } = await firstLoad();
    const history = { role: "assistant", parts: [{ type: "data-elicitation-request", data: formRequest() }] };
    const told = vi.fn();
    client.subscribe(told);
    for (let token = 0; token < 5; token++) {
      client.readMessages(CHAT, [{ ...history, parts: [...history.parts, { type: "text" }] }]);
    }
    client.readMessages(CHAT, [{ role: "user", parts: history.parts }]);
    expect(client.getSnapshot().arriving?.requests).toHaveLength(1);
    // It loads, and it has a request.
    expect(told).toHaveBeenCalledTimes(2);
    const before = told.mock.calls.length;
    await arrive();
    expect(server.loads).toBe(1);
    expect(statuses(client)).toEqual([["form-1", "pending"]]);
    expect(told.mock.calls.length - before).toBe(1);
  });

  it("loads it for no chat in which nothing is open", async () => {
    const { channel, client } = await firstLoad();
    await Promise.all([client.refresh(CHAT), client.refresh(CHAT)]);
    channel.emit({ type: "live", conversationId: CHAT, live: true });
    client.readMessages(CHAT, [{ role: "assistant", parts: [{ type: "text" }] }]);
    expect(channel.listed).toEqual([CHAT]);
    expect(server.loads).toBe(0);
  });

  it("loads it for a request that the server lists as open", async () => {
    const { channel, client } = await firstLoad();
    channel.open = [formRequest()];
    const refreshed = client.refresh(CHAT);
    await vi.waitFor(() => expect(client.getSnapshot().arriving?.requests).toHaveLength(1));
    await arrive();
    await refreshed;
    expect(statuses(client)).toEqual([["form-1", "pending"]]);
    expect(channel.listed).toEqual([CHAT]);
  });

  it("ends its calls without an effect when it is disposed of", async () => {
    const { channel, client } = await firstLoad();
    client.receive(CHAT, formRequest());
    const accepted = client.accept("form-1", { city: "Lisbon" });
    const connected = client.connect("form-1");
    client.dispose();
    await arrive();
    await accepted;
    expect(await connected).toBeUndefined();
    expect(channel.sent).toEqual([]);
  });

  it("has it at once if another client of the page has loaded it", async () => {
    const { create, client } = await firstLoad();
    const loaded = client.ready();
    await arrive();
    await loaded;
    const other = create();
    other.receive(CHAT, formRequest());
    expect(statuses(other)).toEqual([["form-1", "pending"]]);
    client.receive(CHAT, formRequest());
    expect(statuses(client)).toEqual([["form-1", "pending"]]);
  });
});

describe("a client whose code cannot be loaded", () => {
  const no = [{ conversationId: CHAT, elicitationId: "form-1", action: "decline" }] as const;

  async function failed() {
    server.isDown = true;
    const world = await firstLoad();
    world.client.receive(CHAT, formRequest());
    await arrive();
    expect(world.client.getSnapshot().arriving).toMatchObject({ hasFailed: true });
    return world;
  }

  it("says so to those who wait, and loads it when they ask again", async () => {
    const { client } = await failed();
    await expect(client.ready()).rejects.toThrow(
      "elicit-kit: the code that answers requests could not be loaded",
    );
    const accepted = client.accept("form-1", { city: "Lisbon" });
    server.isDown = false;
    await client.ready();
    await accepted;
    expect(statuses(client)).toEqual([["form-1", "accepted"]]);
  });

  it("sends a no, and knows of it later", async () => {
    const { channel, client } = await failed();
    await client.decline("form-1", "Ask me tomorrow");
    expect(channel.sent.flat()).toMatchObject([
      { elicitationId: "form-1", action: "decline", note: "Ask me tomorrow" },
    ]);
    expect(client.getSnapshot().arriving?.requests).toMatchObject([{ isOpen: false }]);
    server.isDown = false;
    await client.ready();
    expect(statuses(client)).toEqual([["form-1", "declined"]]);
    expect(channel.sent).toHaveLength(1);
  });

  it("sends a no once, also for a request of the history, however often the user presses", async () => {
    const { channel, client } = await failed();
    const asked = { type: "data-elicitation-request", data: urlRequest() };
    client.readMessages(CHAT, [{ role: "assistant", parts: [asked] }]);
    await vi.dynamicImportSettled();
    await client.decline("url-1");
    const again = client.decline("url-1");
    server.isDown = false;
    await client.ready();
    await again;
    expect(channel.sent).toHaveLength(1);
    expect(statuses(client)).toContainEqual(["url-1", "declined"]);
  });

  it("keeps a no that only closes the card", async () => {
    const { channel, client } = await failed();
    channel.delivers = { accept: "send", decline: "local", cancel: "local" };
    await client.decline("form-1");
    expect(client.getSnapshot().arriving?.requests).toMatchObject([{ isOpen: false }]);
    server.isDown = false;
    await client.ready();
    expect(statuses(client)).toEqual([["form-1", "declined"]]);
    expect(channel.sent).toEqual([]);
  });

  it.each<[string, (reply: ReturnType<typeof createDeferred<readonly AnswerReceipt[]>>) => void, number]>([
    ["knows that a no has arrived", (reply) => reply.resolve(settleAll(no)), 1],
    ["sends a no again that did not arrive", (reply) => reply.reject(new TypeError("offline")), 2],
  ])("%s when the code has arrived in the meantime", async (_, settle, times) => {
    const { channel, client } = await failed();
    const reply = createDeferred<readonly AnswerReceipt[]>();
    channel.reply = () => reply.promise;
    const declined = client.decline("form-1");
    server.isDown = false;
    await client.ready();
    channel.reply = settleAll;
    settle(reply);
    await declined;
    expect(statuses(client)).toEqual([["form-1", "declined"]]);
    expect(channel.sent).toHaveLength(times);
  });

  it("shows the request again if the no does not arrive", async () => {
    const { channel, client } = await failed();
    channel.reply = () => new Error("offline");
    await client.decline("form-1");
    expect(client.getSnapshot().arriving?.requests).toMatchObject([{ isOpen: true }]);
  });

  it.each([
    ["a proxy", "text/plain", { retryable: true, notOffered: true }],
    ["the server", "application/problem+json", { retryable: false }],
  ])("says after a 404 of %s whether the same no may work later", async (_name, type, error) => {
    await failed();
    const { createHttpChannel } = await import("./http-channel.ts");
    const body = JSON.stringify({ title: "Not found", status: 404 });
    const channel = createHttpChannel({
      fetch: async () => new Response(body, { status: 404, headers: { "content-type": type } }),
    });
    const sent = channel.respond(no, { signal: new AbortController().signal });
    await expect(sent).rejects.toMatchObject({ name: "ChannelError", ...error });
  });

  it.each<[HttpChannelOptions["answerBy"], string, object]>([
    ["endpoint", "/run/api/elicitation-responses", { elicitationId: "form-1", action: "decline" }],
    ["message", "/run/api/chat", { messages: [{ parts: [{ data: { action: "decline" } }] }] }],
  ])("sends a no over HTTP by %s", async (answerBy, url, body) => {
    server.isDown = true;
    const { createElicitationClient, createHttpChannel } = await import("./index.ts");
    const calls: [unknown, unknown][] = [];
    const channel = createHttpChannel({
      answerBy,
      fetch: async (input, init) => {
        calls.push([input, await new Response(init?.body).json()]);
        return Response.json({});
      },
    });
    const client = createElicitationClient({ channel, storage: null });
    clients.push(client);
    channel.push({ type: "request", conversationId: CHAT, request: formRequest() });
    await arrive();
    await client.decline("form-1");
    expect(calls).toMatchObject([[url, body]]);
    expect(client.getSnapshot().arriving?.requests).toMatchObject([{ isOpen: false }]);
    server.isDown = false;
    await client.ready();
    expect(statuses(client)).toEqual([["form-1", "declined"]]);
  });
});

describe("a page without requests", () => {
  /** A page whose browser is busy until `idle`, which resolves with how often the page has loaded the code. */
  async function page(options: Partial<ElicitationClientOptions> = {}) {
    const waiting = new Map<number, () => void>();
    vi.stubGlobal("document", {});
    vi.stubGlobal("requestIdleCallback", (work: () => void) => {
      waiting.set(waiting.size, work);
      return waiting.size - 1;
    });
    vi.stubGlobal("cancelIdleCallback", (handle: number) => waiting.delete(handle));
    onTestFinished(() => void vi.unstubAllGlobals());
    const { client } = await firstLoad(options);
    const idle = async (): Promise<number> => {
      for (const work of waiting.values()) work();
      await arrive();
      return server.loads;
    };
    return { client, idle };
  }

  it("loads the code once when its browser is idle, while a view is there", async () => {
    const { client, idle } = await page();
    expect(client.preload).toBe("idle");
    expect(await idle()).toBe(0);
    const [stop] = [client.subscribe(() => undefined), client.subscribe(() => undefined)];
    await vi.dynamicImportSettled();
    expect(server.loads).toBe(0);
    stop();
    expect(await idle()).toBe(1);
  });

  it("does not load the code for a view that is gone, but for the next one", async () => {
    const { client, idle } = await page();
    client.subscribe(() => undefined)();
    expect(await idle()).toBe(0);
    client.subscribe(() => undefined);
    expect(await idle()).toBe(1);
  });

  it("does not load the code when its client has ended", async () => {
    const { client, idle } = await page();
    client.subscribe(() => undefined);
    client.dispose();
    expect(await idle()).toBe(0);
  });

  it("does not load the code if there is no page, as in a script", async () => {
    const { client, idle } = await page();
    vi.stubGlobal("document", undefined);
    client.subscribe(() => undefined);
    expect(await idle()).toBe(0);
  });

  it.each([
    ["elicit-kit:draft:a", 1],
    ["elicit-kit:opened:a", 1],
    ["elicit-kit:user", 0],
    ["app:elicit-kit:draft:a", 0],
  ])("loads the code at once if the tab has kept something of the last page: %s", async (key, loads) => {
    const storage = createMemoryStorage();
    storage.setItem(key, "");
    const { client } = await page({ storage, preload: "never" });
    expect(client.preload).toBe("never");
    client.subscribe(() => undefined);
    await arrive();
    expect(server.loads).toBe(loads);
  });
});
