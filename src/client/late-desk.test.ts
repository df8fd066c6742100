import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import type { ElicitationClient } from "./elicitation.ts";
import type { HttpChannelOptions } from "./http-channel.ts";
import { FakeBrowser } from "./popup/testing/fake-browser.ts";
import { FakeChannel } from "./testing/fake-channel.ts";

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
async function firstLoad() {
  const { createElicitationClient } = await import("./create-client.ts");
  const channel = new FakeChannel();
  const browser = new FakeBrowser();
  const create = () => {
    const client = createElicitationClient({ channel, storage: null, popupEnvironment: browser });
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
    const no = { conversationId: CHAT, elicitationId: "form-1", action: "decline" } as const;
    const sent = channel.respond([no], { signal: new AbortController().signal });
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
  });
});
