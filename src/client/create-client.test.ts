import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createManualClock, type ManualClock, promisesSettled } from "../base/testing/manual-clock.ts";
import type { ElicitationRequest, StatusReport } from "../contract/contract.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import { type Channel, ChannelError } from "./channel.ts";
import type { ElicitationClientOptions } from "./client-options.ts";
import { createElicitationClient } from "./create-client.ts";
import type { ElicitationClient, ElicitationItem } from "./elicitation.ts";
import { FakeBrowser } from "./popup/testing/fake-browser.ts";
import { FakeChannel, offline, settleAll } from "./testing/fake-channel.ts";
import { createMemoryStorage } from "./testing/memory-storage.ts";

const START = Date.parse("2026-11-21T12:00:00Z");
const inTenMinutes = new Date(START + 600_000).toISOString();

const form = (id: string, changes: Parameters<typeof formRequest>[0] = {}) =>
  formRequest({ elicitationId: id, ...changes });
const page = (id: string, changes: Parameters<typeof urlRequest>[0] = {}) =>
  urlRequest({ elicitationId: id, url: "https://auth.example.com/connect", ...changes });

/** Statuses on the server, by the id of the request. */
const byId = (reports: Readonly<Record<string, Partial<StatusReport> | Error>>) => (id: string) =>
  reports[id];

/** Simulates a message from the page in the newest window to the chat. */
function post(browser: FakeBrowser, type: string, extra: Record<string, unknown> = {}): void {
  const data = { source: "elicit-kit", version: 1, type, elicitationId: "a", ...extra };
  browser.fire("message", { origin: "https://auth.example.com", source: browser.windows.at(-1), data });
}

interface World {
  browser: FakeBrowser;
  client: ElicitationClient;
  channel: FakeChannel;
  clock: ManualClock;
  online: () => void;
  item: (id: string) => ElicitationItem;
}

const worlds: World[] = [];
afterEach(() => {
  for (const { client } of worlds.splice(0)) client.dispose();
});

/** `origin`: the origin of the chat's page. `without`: what its server does not offer; without `bind`, it is not its own. */
function world({
  origin,
  without,
  ...options
}: Partial<ElicitationClientOptions> & {
  origin?: string | undefined;
  without?: keyof Channel | undefined;
} = {}): World {
  const clock = createManualClock(START);
  const channel = new FakeChannel(clock.now);
  if (without !== undefined) Object.defineProperty(channel, without, { value: undefined });
  const browser = new FakeBrowser();
  if (origin !== undefined) browser.location = { origin };
  let online = (): void => undefined;
  const client = createElicitationClient({
    channel,
    clock,
    storage: null,
    trustedOrigin: "https://auth.example.com",
    popupEnvironment: browser,
    onOnline: (listener) => {
      online = listener;
      return () => undefined;
    },
    ...options,
  });
  const item = (id: string): ElicitationItem => {
    const found = client.getSnapshot().items.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no item ${id}`);
    return found;
  };
  const made = { browser, client, channel, clock, online: () => online(), item };
  worlds.push(made);
  return made;
}

describe("a client that receives requests", () => {
  it("lists requests in the order in which they were asked, and repeated ones once", () => {
    const { client, channel } = world();
    channel.emit({ type: "request", conversationId: "c1", request: form("a") });
    client.receive("c1", page("b"));
    channel.emit({ type: "request", conversationId: "c1", request: form("a") });
    expect(client.getSnapshot().items.map((item) => [item.id, item.status])).toEqual([
      ["a", "pending"],
      ["b", "pending"],
    ]);
  });

  it("keeps its snapshot and items the same objects until something changes, and only then notifies listeners", () => {
    const { client } = world();
    client.receive("c1", form("a"));
    client.receive("c1", form("b"));
    const before = client.getSnapshot();
    let told = 0;
    client.subscribe(() => told++);
    client.receive("c1", form("a"));
    expect(client.getSnapshot()).toBe(before);
    expect(told).toBe(0);
    client.receive("c1", form("a", { resolution: { outcome: "expired", at: inTenMinutes } }));
    const after = client.getSnapshot();
    expect(told).toBe(1);
    expect(after.items[0]).not.toBe(before.items[0]);
    expect(after.items[1]).toBe(before.items[1]);
  });

  it("blocks an unsafe URL and a schema that cannot be shown, and lets the user decline them", async () => {
    const { client, channel, item } = world();
    client.receive("c1", page("a", { url: "javascript:alert(1)" }));
    client.receive(
      "c1",
      form("b", {
        requestedSchema: { type: "object", properties: { nested: { type: "object", properties: {} } } },
      }),
    );
    expect(item("a")).toMatchObject({ status: "blocked", blocked: { kind: "url" } });
    expect(item("b")).toMatchObject({ status: "blocked", blocked: { kind: "schema" } });
    void client.connect("a");
    await client.accept("b", { nested: "x" });
    expect(channel.sent).toEqual([]);
    await client.decline("a");
    expect(item("a").status).toBe("declined");
  });

  it("reads the requests of a chat's messages and their changes, however often the messages are read", () => {
    const { client, item } = world();
    const part = (data: ElicitationRequest) => ({ type: "data-elicitation-request", data });
    const asked = part(form("a"));
    let told = 0;
    client.subscribe(() => told++);
    for (let token = 0; token < 5; token++) {
      client.readMessages("c1", [{ role: "assistant", parts: [{ ...asked }, { type: "text" }] }]);
    }
    expect(item("a")).toMatchObject({ conversationId: "c1", status: "pending" });
    expect(told).toBe(1);
    const ended = part(form("a", { resolution: { outcome: "declined", at: inTenMinutes } }));
    client.readMessages("c1", [{ parts: [asked] }, { parts: [ended] }]);
    expect(item("a").status).toBe("declined");
    client.readMessages("c1", [{ role: "user", parts: [part(form("b"))] }]);
    expect(client.getSnapshot().items).toHaveLength(1);
  });

  it("resolves connect with the outcome, however the request ends", async () => {
    const { client, channel } = world();
    client.receive("c1", page("a"));
    client.receive("c1", page("b"));
    client.receive("c1", page("c"));
    const [ended, declined, gone] = ["a", "b", "c"].map((id) => client.connect(id));
    channel.report = byId({ a: { status: "expired" }, b: { status: "pending" } });
    await client.check("a");
    await client.decline("b");
    await client.check("c");
    expect(await Promise.all([ended, declined, gone])).toEqual(["expired", "declined", undefined]);
    expect(await client.connect("a")).toBe("expired");
  });

  it("resolves connect without an outcome when it is disposed of", async () => {
    const { client, browser } = world();
    client.receive("c1", page("a"));
    browser.next = null;
    const outcome = client.connect("a");
    client.dispose();
    expect(await outcome).toBeUndefined();
  });

  it("throws a clear error for an unknown request", () => {
    expect(() => world().client.connect("nope")).toThrow(/^elicit-kit: no request "nope" is known/);
  });
});

describe("a form", () => {
  const requester = { name: "Acme Assistant", claimedName: "Shop" };
  const sentence = { context: { trigger: "tool", takesSentence: true } };
  const carried = { context: { trigger: "tool", worksByLink: true } };
  it.each<
    [
      title: string,
      member: "takesNote" | "takesSentence" | "canRemember" | "canCarry",
      has: boolean,
      changes: object,
      without?: keyof Channel,
    ]
  >([
    ["takes a note with a no", "takesNote", true, {}],
    ["takes no note for a third party", "takesNote", false, { requester }],
    ["takes no note in another protocol", "takesNote", false, {}, "bind"],
    ["is filled in by a sentence", "takesSentence", true, sentence],
    ["that does not offer it is not filled in by a sentence", "takesSentence", false, {}],
    ["is not filled in by a server that cannot", "takesSentence", false, sentence, "propose"],
    ["can be remembered", "canRemember", true, { remember: { days: 30 } }],
    ["that does not offer it is not remembered", "canRemember", false, {}],
    [
      "is not remembered if that could not be undone",
      "canRemember",
      false,
      { remember: { days: 30 } },
      "forget",
    ],
    ["can be answered elsewhere", "canCarry", true, carried],
    ["that does not offer it is answered here", "canCarry", false, {}],
    ["of another protocol is answered here", "canCarry", false, carried, "bind"],
    ["whose link cannot be read is answered here", "canCarry", false, carried, "read"],
  ])("%s", (_, member, has, changes, without) => {
    const { client, item } = world({ without });
    client.receive("c1", form("a", changes));
    expect(item("a")[member] === true).toBe(has);
  });
});

describe("more time", () => {
  const later = new Date(START + 3_600_000).toISOString();
  const limited = (id: string) =>
    form(id, { expiresAt: inTenMinutes, extendableUntil: later, round: { id: "r", size: 2 } });

  it("is for the whole round of a form, without a stream that reports it", async () => {
    const { channel, client } = world();
    for (const id of ["a", "b"]) client.receive("c1", limited(id));
    channel.report = () => ({ expiresAt: later });
    expect(await client.extend("a")).toBe(true);
    expect(channel.extended).toEqual(["a"]);
    expect([client.remaining("a"), client.remaining("b")]).toEqual([3_600_000, 3_600_000]);
  });

  it.each([
    ["refuses it", undefined],
    ["cannot give any", "extend"],
  ] as const)("is not there when the server %s", async (_, without) => {
    const { channel, client } = world({ without });
    channel.extendFails = new ChannelError("no", { retryable: false });
    client.receive("c1", limited("a"));
    expect(await client.extend("a")).toBe(false);
    expect(client.remaining("a")).toBe(600_000);
    expect(channel.reads).toEqual([]);
  });
});

describe("a client that sends answers", () => {
  it("sends an answer at most once, however often the button is pressed", async () => {
    const { client, channel, item } = world();
    client.receive("c1", form("a"));
    await Promise.all([
      client.accept("a", { city: "Lisbon" }),
      client.accept("a", { city: "Porto" }),
      client.decline("a"),
    ]);
    await client.decline("a");
    expect(channel.sent).toEqual([
      [{ conversationId: "c1", elicitationId: "a", action: "accept", content: { city: "Lisbon" } }],
    ]);
    expect(item("a")).toMatchObject({ status: "accepted", action: "accept" });
  });

  it("says that the user is offline only if the browser knows that", async () => {
    const { client, channel, item } = world();
    vi.stubGlobal("navigator", { onLine: false });
    onTestFinished(() => void vi.unstubAllGlobals());
    client.receive("c1", form("a"));
    channel.reply = offline;
    void client.accept("a", { city: "Lisbon" });
    await promisesSettled();
    expect(item("a").notice?.code).toBe("offline");
  });

  it("says that the user is signed out if the server does not know who answers", async () => {
    const { client, channel, item } = world();
    client.receive("c1", form("a"));
    channel.reply = async ([answer]) => [
      { elicitationId: answer?.elicitationId ?? "", kind: "refused", status: 401, message: "Send a token." },
    ];
    await client.accept("a", { city: "Lisbon" });
    expect(item("a")).toMatchObject({ status: "pending", notice: { code: "signed-out" } });
  });

  it("keeps an answer when the network fails, shows a notice, and retries with growing pauses", async () => {
    const { client, channel, clock, item } = world();
    client.receive("c1", form("a"));
    const settle = channel.reply;
    channel.reply = offline;
    void client.accept("a", { city: "Lisbon" });
    await promisesSettled();
    expect(item("a")).toMatchObject({
      status: "undelivered",
      answer: { content: { city: "Lisbon" } },
      notice: { code: "unreachable" },
    });
    await clock.advanceAsync(1_000);
    await clock.advanceAsync(1_999);
    expect(channel.sent).toHaveLength(2);
    channel.reply = settle;
    await clock.advanceAsync(1);
    expect(channel.sent).toHaveLength(3);
    expect(item("a").status).toBe("accepted");
  });

  it("retries at once when the network is back, or when the user asks to", async () => {
    const { client, channel, item, online } = world();
    client.receive("c1", form("a"));
    const settle = channel.reply;
    channel.reply = offline;
    void client.decline("a");
    await promisesSettled();
    online();
    await promisesSettled();
    expect(channel.sent).toHaveLength(2);
    channel.reply = settle;
    await client.retry("a");
    await promisesSettled();
    expect(item("a").status).toBe("declined");
  });

  it("retries only the answer for which the user presses Retry", async () => {
    const { client, channel, item } = world();
    channel.reply = offline;
    for (const id of ["a", "b"]) {
      client.receive("c1", form(id));
      void client.accept(id, {});
    }
    await promisesSettled();
    expect(channel.sent).toHaveLength(2);
    await client.retry("b");
    await promisesSettled();
    expect(channel.sent.slice(2).map(([answer]) => answer?.elicitationId)).toEqual(["b"]);
    expect([item("a").status, item("b").status]).toEqual(["undelivered", "undelivered"]);
  });

  it("tries for a minute to deliver an answer to a server that seems to have no route for it", async () => {
    const { client, channel, clock, item } = world();
    client.receive("c1", form("a"));
    channel.reply = () => new ChannelError("answered 404", { retryable: true, notOffered: true });
    void client.accept("a", { city: "Lisbon" });
    await clock.advanceAsync(60_000);
    expect(item("a").status).toBe("undelivered");
    await clock.advanceAsync(600_000);
    expect(channel.sent).toHaveLength(7);
    expect(item("a")).toMatchObject({
      status: "pending",
      notice: { code: "server-error", detail: "elicit-kit: answered 404" },
    });
  });

  it("delivers an answer when a proxy replies 404 at the end of a long outage", async () => {
    const { client, channel, clock, item } = world();
    client.receive("c1", form("a"));
    const settle = channel.reply;
    channel.reply = offline;
    void client.accept("a", { city: "Lisbon" });
    await clock.advanceAsync(600_000);
    const tries = channel.sent.length;
    expect(tries).toBeGreaterThan(7);
    channel.reply = () => {
      channel.reply = settle;
      return new ChannelError("answered 404", { retryable: true, notOffered: true });
    };
    await clock.advanceAsync(60_000);
    expect(channel.sent).toHaveLength(tries + 2);
    expect(item("a").status).toBe("accepted");
  });

  it("waits as long as a busy server asks", async () => {
    const { client, channel, clock } = world();
    client.receive("c1", form("a"));
    channel.reply = () => new ChannelError("busy", { retryable: true, retryAfterMs: 7_000 });
    void client.decline("a");
    await clock.advanceAsync(6_999);
    expect(channel.sent).toHaveLength(1);
    await clock.advanceAsync(1);
    expect(channel.sent).toHaveLength(2);
  });

  it("waits longer from try to try even if a server asks for an immediate retry", async () => {
    const { client, channel, clock } = world();
    client.receive("c1", form("a"));
    channel.reply = () => new ChannelError("busy", { retryable: true, retryAfterMs: 0 });
    void client.decline("a");
    await clock.advanceAsync(999);
    expect(channel.sent).toHaveLength(1);
    await clock.advanceAsync(1);
    expect(channel.sent).toHaveLength(2);
  });

  it("sends only the new answer when the user changes an undelivered one", async () => {
    const { client, channel, clock, item } = world();
    client.receive("c1", form("a"));
    const settle = channel.reply;
    channel.reply = offline;
    void client.accept("a", { city: "Lisbon" });
    await promisesSettled();
    channel.reply = settle;
    await client.decline("a");
    await clock.advanceAsync(60_000);
    expect(channel.sent.map(([answer]) => answer?.action)).toEqual(["accept", "decline"]);
    expect(item("a")).toMatchObject({ status: "declined", action: "decline" });
  });

  it("shows an error that is not a ChannelError, and leaves the request open", async () => {
    const { client, channel, item } = world();
    client.receive("c1", form("a"));
    channel.reply = () => Promise.reject("broken");
    await client.accept("a", {});
    expect(item("a")).toMatchObject({
      status: "pending",
      notice: { code: "server-error", detail: undefined },
    });
  });

  it("does not retry an undelivered answer when the request has ended in the meantime", async () => {
    const { client, channel, clock, item } = world();
    client.receive("c1", form("a"));
    channel.reply = offline;
    void client.accept("a", { city: "Lisbon" });
    await promisesSettled();
    client.receive("c1", form("a", { resolution: { outcome: "expired", at: inTenMinutes } }));
    await clock.advanceAsync(60_000);
    expect(channel.sent).toHaveLength(1);
    expect(item("a").status).toBe("expired");
  });

  it("shows an error when the server refuses an answer or the channel breaks, and leaves the request open", async () => {
    const { client, channel, item } = world();
    client.receive("c1", form("a"));
    channel.reply = () => [{ elicitationId: "a", kind: "refused", status: 403, message: "Not from here" }];
    await client.accept("a", { city: "Lisbon" });
    expect(item("a")).toMatchObject({
      status: "pending",
      notice: { code: "refused", detail: "Not from here" },
    });
    channel.reply = () => new TypeError("a bug");
    await client.accept("a", { city: "Lisbon" });
    expect(item("a")).toMatchObject({ status: "pending", notice: { code: "server-error", detail: "a bug" } });
  });

  it("does not say that a form was answered elsewhere when it ended before the page was loaded", () => {
    const { client, clock, item } = world();
    const [before, after] = [-1000, 1000].map((ms) => new Date(clock.now() + ms).toISOString());
    for (const [id, at = ""] of [
      ["a", before],
      ["b", after],
    ] as const) {
      client.receive("c1", form(id));
      client.receive("c1", form(id, { resolution: { outcome: "accepted", at } }));
    }
    expect(item("a")).toMatchObject({ status: "accepted", notice: undefined });
    expect(item("b")).toMatchObject({ status: "accepted", notice: { code: "answered-elsewhere" } });
  });

  it("keeps the request open when the server cannot confirm the accept yet", async () => {
    const { client, channel, item } = world();
    client.receive("c1", page("a"));
    client.markOpened("a");
    channel.reply = () => [{ elicitationId: "a", kind: "pending" }];
    await client.accept("a");
    expect(item("a")).toMatchObject({ status: "opened", notice: { code: "not-completed" } });
  });

  it("shows that a request had already ended with another outcome", async () => {
    const { client, channel, item } = world();
    client.receive("c1", form("a"));
    channel.reply = () => [{ elicitationId: "a", kind: "settled", outcome: "accepted", differs: true }];
    await client.decline("a");
    expect(item("a")).toMatchObject({ status: "accepted", notice: { code: "answered-elsewhere" } });
  });
});

describe("a round", () => {
  const round = { id: "r1", size: 2 };

  it("is answered as a whole: the first answer is held, can be changed, and is sent with the last", async () => {
    const { client, channel, item } = world();
    client.receive("c1", form("a", { round }));
    await client.accept("a", { city: "Lisbon" });
    expect(item("a").status).toBe("answered");
    client.receive("c1", form("b", { round }));
    await client.accept("a", { city: "Porto" });
    expect(channel.sent).toEqual([]);
    await client.decline("b");
    expect(channel.sent).toEqual([
      [
        { conversationId: "c1", elicitationId: "a", action: "accept", content: { city: "Porto" } },
        { conversationId: "c1", elicitationId: "b", action: "decline" },
      ],
    ]);
    expect([item("a").status, item("b").status]).toEqual(["accepted", "declined"]);
  });

  it("does not wait for a request that has already ended", async () => {
    const { client, channel, item } = world();
    client.receive("c1", form("a", { round }));
    client.receive("c1", form("b", { round }));
    await client.accept("a", { city: "Lisbon" });
    client.receive("c1", form("b", { round, resolution: { outcome: "expired", at: inTenMinutes } }));
    await promisesSettled();
    expect(channel.sent).toHaveLength(1);
    expect(item("a").status).toBe("accepted");
  });

  it("is sent when the server makes the round smaller, because one of its requests has ended alone", async () => {
    const { client, channel, item } = world();
    for (const id of ["a", "b"]) {
      client.receive("c1", form(id, { round: { ...round, size: 3 } }));
      await client.accept(id, { city: "Lisbon" });
    }
    expect([item("a").status, item("b").status]).toEqual(["answered", "answered"]);
    client.receive("c1", form("a", { round }));
    client.receive("c1", form("b", { round }));
    await promisesSettled();
    expect(channel.sent.map((answers) => answers.length)).toEqual([2]);
  });

  it("is sent again as a whole after a lost connection", async () => {
    const { client, channel, clock, item } = world();
    client.receive("c1", form("a", { round }));
    client.receive("c1", form("b", { round }));
    const settle = channel.reply;
    channel.reply = offline;
    void client.accept("a", {});
    void client.accept("b", {});
    await promisesSettled();
    channel.reply = settle;
    await clock.advanceAsync(1_000);
    expect(channel.sent.map((answers) => answers.length)).toEqual([2, 2]);
    expect(item("b").status).toBe("accepted");
  });
});

describe("in other protocols,", () => {
  it("an accept of a URL in MCP 2026-07-28 is consent, and a cancel only closes the card: the call is never retried", async () => {
    const { client, channel, item } = world();
    channel.delivers = { accept: "send", decline: "send", cancel: "local" };
    channel.reply = ([answer]) => [{ elicitationId: answer!.elicitationId, kind: "consented" }];
    client.receive("c1", page("a", { acceptMeans: "consent" }));
    client.receive("c1", form("b"));
    client.markOpened("a");
    await promisesSettled();
    expect(channel.sent.map(([answer]) => answer?.action)).toEqual(["accept"]);
    expect(item("a")).toMatchObject({ status: "opened", request: { progress: { status: "consented" } } });
    await client.cancel("b");
    expect(channel.sent).toHaveLength(1);
    expect(item("b").status).toBe("cancelled");
  });

  it("consent is sent again when the user opens the page again after a failure", async () => {
    const { client, channel, item } = world();
    channel.reply = ([answer]) => [{ elicitationId: answer!.elicitationId, kind: "consented" }];
    client.receive("c1", page("a", { acceptMeans: "consent" }));
    client.markOpened("a");
    await promisesSettled();
    const progress = { status: "pending", lastError: "The card was refused." } as const;
    client.receive("c1", page("a", { acceptMeans: "consent", progress }));
    expect(item("a")).toMatchObject({ notice: { code: "provider-error", detail: "The card was refused." } });
    client.markOpened("a");
    await promisesSettled();
    expect(channel.sent.map(([answer]) => answer?.action)).toEqual(["accept", "accept"]);
  });

  it("a decline that an A2A task cannot take shows a notice, and the request stays open", async () => {
    const { client, channel, item } = world();
    channel.delivers = { accept: "send", decline: "unsupported", cancel: "send" };
    client.receive("c1", form("a"));
    await client.decline("a");
    expect(channel.sent).toEqual([]);
    expect(item("a")).toMatchObject({ status: "pending", notice: { code: "refused" } });
  });

  it("an AG-UI resume contains the whole round, except answers that only close a card", async () => {
    const { client, channel, item } = world();
    channel.delivers = { accept: "send", decline: "local", cancel: "local" };
    const round = { id: "r", size: 2 };
    client.receive("c1", form("a", { round }));
    client.receive("c1", form("b", { round }));
    await client.decline("a");
    await client.accept("b", { city: "Lisbon" });
    expect(channel.sent.map((answers) => answers.map((answer) => answer.elicitationId))).toEqual([["b"]]);
    expect([item("a").status, item("b").status]).toEqual(["declined", "accepted"]);
  });

  it("a client works with a channel that can neither list requests nor read a status", async () => {
    const manual = new FakeChannel();
    const { subscribe, respond, delivery } = manual;
    const bare: Channel = {
      subscribe: subscribe.bind(manual),
      respond: respond.bind(manual),
      delivery: delivery.bind(manual),
    };
    const { client, clock, item } = world({ channel: bare });
    client.subscribe(() => undefined);
    client.receive("c1", form("a"));
    await clock.advanceAsync(60_000);
    expect(item("a").status).toBe("pending");
    await client.refresh("c1");
    await client.check("a");
    await client.accept("a", {});
    expect(item("a").status).toBe("accepted");
  });
});

describe("the status on the server", () => {
  it("is polled only while no live stream would bring the outcome", async () => {
    const { client, channel, clock, item } = world();
    client.subscribe(() => undefined);
    channel.report = byId({ a: {} });
    channel.emit({ type: "live", conversationId: "c1", live: true });
    client.receive("c1", form("a"));
    await clock.advanceAsync(60_000);
    expect(channel.reads).toEqual([]);
    channel.report = byId({ a: { status: "withdrawn" } });
    channel.emit({ type: "live", conversationId: "c1", live: false });
    await promisesSettled();
    expect(item("a").status).toBe("withdrawn");
    await clock.advanceAsync(60_000);
    expect(channel.reads).toEqual(["a"]);
  });

  it("is read for a request of a turn that a new message has ended, even if the stream of that turn is live", async () => {
    const { client, channel, clock, item } = world();
    client.subscribe(() => undefined);
    channel.report = byId({ a: {}, b: {} });
    channel.emit({ type: "live", conversationId: "c1", live: true });
    client.receive("c1", form("a"));
    channel.emit({ type: "live", conversationId: "c1", live: false });
    channel.emit({ type: "live", conversationId: "c1", live: true });
    // The server ends the old turn when it gets the new message.
    await promisesSettled();
    expect(item("a").status).toBe("pending");
    channel.report = byId({ a: { status: "withdrawn" }, b: {} });
    client.receive("c1", form("b"));
    await clock.advanceAsync(2_000);
    expect(item("a").status).toBe("withdrawn");
    await clock.advanceAsync(60_000);
    expect(channel.reads).toEqual(["a", "a"]);
  });

  it("is polled with growing pauses after a reload without a stream, even after failures", async () => {
    const { client, channel, clock, item } = world();
    client.subscribe(() => undefined);
    channel.report = byId({ a: offline() });
    client.receive("c1", form("a"));
    await clock.advanceAsync(2_000);
    await clock.advanceAsync(4_000);
    await clock.advanceAsync(8_000);
    expect(channel.reads).toHaveLength(3);
    expect(item("a")).toMatchObject({ status: "pending", checking: undefined });
    channel.report = byId({ a: { status: "accepted" } });
    await clock.advanceAsync(16_000);
    expect(item("a").status).toBe("accepted");
  });

  it("is read when a request should have expired, because the client's clock alone ends no request", async () => {
    const { client, channel, clock, item } = world();
    client.subscribe(() => undefined);
    channel.report = byId({ a: {} });
    channel.emit({ type: "live", conversationId: "c1", live: true });
    client.receive("c1", form("a", { expiresAt: inTenMinutes }));
    await clock.advanceAsync(599_999);
    expect(channel.reads).toEqual([]);
    await clock.advanceAsync(1);
    expect(channel.reads).toEqual(["a"]);
    expect(item("a").status).toBe("pending");
  });

  it("is read once for open requests when one of two streams ends", async () => {
    const { client, channel } = world();
    channel.report = byId({ a: {}, b: {} });
    channel.emit({ type: "live", conversationId: "c1", live: true });
    client.receive("c1", form("a"));
    client.receive("c1", form("b", { resolution: { outcome: "declined", at: inTenMinutes } }));
    channel.emit({ type: "live", conversationId: "c1", live: false });
    await promisesSettled();
    expect(channel.reads).toEqual(["a"]);
  });

  it("is polled only while the client has listeners, and only for open requests", async () => {
    const { client, channel, clock } = world();
    channel.report = byId({ a: {}, b: {} });
    const stop = client.subscribe(() => undefined);
    client.receive("c1", form("a"));
    client.receive("c1", form("b", { resolution: { outcome: "declined", at: inTenMinutes } }));
    await clock.advanceAsync(2_000);
    expect(channel.reads).toEqual(["a"]);
    let told = 0;
    client.subscribe(() => told++)();
    stop();
    client.receive("c1", form("c"));
    expect(told).toBe(0);
  });

  it("is polled on time, however often listeners are added and removed", async () => {
    for (const others of [0, 1]) {
      const { client, channel, clock } = world();
      channel.report = byId({ a: {} });
      for (let other = 0; other < others; other++) client.subscribe(() => undefined);
      client.receive("c1", form("a"));
      for (let mount = 0; mount < 40; mount++) {
        const stop = client.subscribe(() => undefined);
        await clock.advanceAsync(350);
        stop();
      }
      // The client polls after 2, 4 and 8 seconds.
      expect(channel.reads).toEqual(["a", "a", "a"]);
    }
  });

  it("is polled with its first pauses again when a live stream ends", async () => {
    const { client, channel, clock } = world();
    client.subscribe(() => undefined);
    channel.report = byId({ a: {} });
    channel.emit({ type: "live", conversationId: "c1", live: true });
    client.receive("c1", form("a", { expiresAt: inTenMinutes }));
    await clock.advanceAsync(30_000);
    expect(channel.reads).toEqual([]);
    channel.emit({ type: "live", conversationId: "c1", live: false });
    await clock.advanceAsync(2_000);
    expect(channel.reads).toEqual(["a", "a"]);
  });

  it("is not polled after the last listener was removed, and is polled again when one is added", async () => {
    const { client, channel, clock } = world();
    channel.report = byId({ a: {} });
    const stop = client.subscribe(() => undefined);
    const stopOther = client.subscribe(() => undefined);
    client.receive("c1", form("a"));
    stop();
    await clock.advanceAsync(2_000);
    await clock.advanceAsync(4_000);
    expect(channel.reads).toHaveLength(2);
    // The reply arrives while there are no listeners, and must not restart the timer.
    const read = client.check("a");
    stopOther();
    await read;
    await clock.advanceAsync(600_000);
    expect(channel.reads).toHaveLength(3);
    client.subscribe(() => undefined);
    await clock.advanceAsync(2_000);
    expect(channel.reads).toHaveLength(4);
  });

  it("contains the provider's error, which a card shows once and replaces with a later one", async () => {
    const { client, channel, item } = world();
    client.receive("c1", page("a"));
    channel.report = byId({ a: { lastError: "Access denied" } });
    await client.check("a");
    const shown = item("a");
    expect(shown.notice).toEqual({ code: "provider-error", detail: "Access denied" });
    await client.check("a");
    expect(item("a").notice).toBe(shown.notice);
    channel.report = byId({ a: { lastError: "Timed out" } });
    await client.check("a");
    expect(item("a").notice?.detail).toBe("Timed out");
  });

  it("contains the server's time, by which cards count down", async () => {
    const { client, channel } = world();
    client.receive("c1", form("a", { expiresAt: inTenMinutes }));
    client.receive("c1", form("b"));
    expect(client.remaining("a")).toBe(600_000);
    expect(client.remaining("b")).toBeUndefined();
    channel.report = byId({ a: { now: new Date(START + 590_000).toISOString() } });
    await client.check("a");
    expect(client.remaining("a")).toBe(10_000);
  });

  it("disables a card if the server does not know its request", async () => {
    const { client, item } = world();
    client.receive("c1", form("a"));
    await client.check("a");
    expect(item("a").status).toBe("gone");
  });

  it("is read after a reload for cards that only look open, and the open requests are listed", async () => {
    const { client, channel, item } = world();
    channel.report = byId({ old: { status: "declined" } });
    channel.open = [form("new")];
    client.receive("c1", form("old"));
    await client.refresh("c1");
    expect([item("old").status, item("new").status]).toEqual(["declined", "pending"]);
    channel.open = offline();
    await client.refresh("c1");
    expect(item("new").status).toBe("gone");
  });

  it("causes one accept when it reports that the page is complete", async () => {
    const { client, channel, item } = world();
    client.receive("c1", page("a"));
    client.markOpened("a");
    channel.report = byId({ a: { status: "completed" } });
    await client.check("a");
    await promisesSettled();
    expect(channel.sent).toEqual([[{ conversationId: "c1", elicitationId: "a", action: "accept" }]]);
    expect(item("a").status).toBe("accepted");
  });

  it("causes no second accept while one is being sent", async () => {
    const { client, channel } = world();
    channel.reply = () => new Promise(() => undefined);
    client.receive("c1", page("a"));
    void client.accept("a");
    channel.report = byId({ a: { status: "completed" } });
    await client.check("a");
    await promisesSettled();
    expect(channel.sent).toHaveLength(1);
  });

  it("is read once for several simultaneous callers", async () => {
    const { client, channel } = world();
    channel.report = byId({ a: {} });
    client.receive("c1", form("a"));
    await Promise.all([client.check("a"), client.check("a"), client.check("a")]);
    expect(channel.reads).toEqual(["a"]);
  });
});

describe("a client that connects an account", () => {
  function connected() {
    const made = world();
    made.channel.report = byId({ a: {} });
    made.client.receive("c1", page("a"));
    void made.client.connect("a");
    return made;
  }

  it("opens the inspected URL inside the click and waits for the outcome", () => {
    const { browser, item } = connected();
    expect(browser.windows.flatMap((window) => window.visited)).toEqual(["https://auth.example.com/connect"]);
    expect(item("a")).toMatchObject({ status: "opened", window: "open" });
  });

  it("sends an accept when the page reports completion, and lets the server verify that", async () => {
    const { browser, channel, clock, item } = connected();
    channel.reply = () => [{ elicitationId: "a", kind: "pending" }];
    for (let times = 0; times < 20; times++) post(browser, "elicitation-complete");
    await promisesSettled();
    expect(channel.sent).toMatchObject([[{ elicitationId: "a", action: "accept" }]]);
    expect(item("a")).toMatchObject({ status: "opened", notice: { code: "not-completed" } });
    await clock.advanceAsync(10_000);
    channel.reply = settleAll;
    post(browser, "elicitation-complete");
    await promisesSettled();
    expect(item("a").status).toBe("accepted");
    expect(channel.sent).toHaveLength(2);
    expect(browser.windows[0]?.closed).toBe(true);
    expect(browser.listening).toBe(0);
  });

  it.each([
    ["failed", "elicitation-failed", {}],
    ["is done, after the accept was a consent", "elicitation-complete", { acceptMeans: "consent" as const }],
    [
      "is done, when the request leads to another origin",
      "elicitation-complete",
      { url: "https://other.example/" },
    ],
  ])(
    "only reads the status when a page of the trusted origin reports that it %s",
    async (_, type, changes) => {
      const { browser, channel, client, item } = world();
      channel.report = byId({ a: { status: "pending" } });
      channel.reply = () => [{ elicitationId: "a", kind: "consented" }];
      client.receive("c1", page("a", changes));
      void client.connect("a");
      await promisesSettled();
      const sent = channel.sent.length;
      post(browser, type);
      await promisesSettled();
      expect(channel.sent).toHaveLength(sent);
      expect(channel.reads).toContain("a");
      expect(item("a").status).toBe("opened");
    },
  );

  it("trusts the chat's own origin if the app configures none", async () => {
    const origin = "https://auth.example.com";
    const { browser, channel, client, item } = world({ trustedOrigin: undefined, origin });
    channel.reply = settleAll;
    client.receive("c1", page("a"));
    expect(item("a").opener).toBe("kept");
    void client.connect("a");
    post(browser, "elicitation-complete");
    await promisesSettled();
    expect(item("a").status).toBe("accepted");
    expect(browser.windows[0]?.moves).not.toContain("opener null");
  });

  it("trusts no origin by default when the channel connects to third parties", async () => {
    const origin = "https://auth.example.com";
    const { browser, client, item } = world({ trustedOrigin: undefined, origin, without: "bind" });
    client.receive("c1", page("a"));
    expect(item("a").opener).toBeUndefined();
    void client.connect("a");
    post(browser, "elicitation-complete");
    await promisesSettled();
    expect(item("a").status).toBe("opened");
    expect(browser.windows[0]?.moves).toContain("opener null");
  });

  it.each([
    ["trusts none", "", "https://auth.example.com"],
    ["names none and runs on another origin", undefined, "https://chat.example.com"],
    ["names none and has an opaque origin", undefined, "null"],
    ["names none and runs outside of a page", undefined, undefined],
  ])("sends no accept after a message of the page when the app %s", async (_, trustedOrigin, origin) => {
    const { browser, channel, client } = world({ trustedOrigin, origin });
    client.receive("c1", page("a"));
    void client.connect("a");
    post(browser, "elicitation-complete");
    await promisesSettled();
    expect(channel.sent).toEqual([]);
    expect(channel.reads).toEqual([]);
  });

  it("stops polling a server without a status route", async () => {
    const { channel, client, clock } = world();
    channel.report = () => new ChannelError("no such route", { retryable: false, notOffered: true });
    client.subscribe(() => undefined);
    client.receive("c1", page("a"));
    await clock.advanceAsync(600_000);
    await client.check("a");
    expect(channel.reads).toEqual(["a"]);
  });

  it("polls for a minute a server that seems to have no status route, as behind a proxy during a deploy", async () => {
    const { channel, client, clock, item } = world();
    channel.report = () => new ChannelError("answered 404", { retryable: true, notOffered: true });
    client.subscribe(() => undefined);
    client.receive("c1", page("a"));
    await clock.advanceAsync(600_000);
    expect(channel.reads).toHaveLength(6);

    const deployed = world();
    deployed.channel.report = channel.report;
    deployed.client.subscribe(() => undefined);
    deployed.client.receive("c1", page("a"));
    await deployed.clock.advanceAsync(50_000);
    deployed.channel.report = byId({ a: { status: "accepted" } });
    await deployed.clock.advanceAsync(50_000);
    expect([item("a").status, deployed.item("a").status]).toEqual(["pending", "accepted"]);
  });

  it("polls on after a 404 that comes long after another", async () => {
    const { channel, client, clock, item } = world();
    channel.report = () => new ChannelError("answered 404", { retryable: true, notOffered: true });
    client.receive("c1", page("a"));
    await client.check("a");
    await clock.advanceAsync(300_000);
    await client.check("a");
    channel.report = byId({ a: { status: "accepted" } });
    await client.check("a");
    expect(item("a").status).toBe("accepted");
  });

  it("polls on after a 404 if the server has replied since another", async () => {
    const { channel, client, clock, item } = world();
    const missing = () => new ChannelError("answered 404", { retryable: true, notOffered: true });
    client.receive("c1", page("a"));
    for (const report of [missing, byId({ a: {} }), missing]) {
      channel.report = report;
      await client.check("a");
      await clock.advanceAsync(40_000);
    }
    channel.report = byId({ a: { status: "accepted" } });
    await client.check("a");
    expect(item("a").status).toBe("accepted");
  });

  it("reads the status when the user comes back", async () => {
    const { browser, channel } = connected();
    browser.fire("focus");
    await promisesSettled();
    expect(channel.reads).toEqual(["a"]);
  });

  it("polls while a window is open, unless a live stream would bring the outcome", async () => {
    const { channel, client, clock, item } = connected();
    channel.emit({ type: "live", conversationId: "c1", live: true });
    client.receive("c1", item("a").request);
    await clock.advanceAsync(10_000);
    expect(channel.reads).toEqual([]);
    channel.emit({ type: "live", conversationId: "c1", live: false });
    await promisesSettled();
    const afterStream = channel.reads.length;
    await clock.advanceAsync(10_000);
    expect(channel.reads.length).toBeGreaterThan(afterStream);
  });

  it("offers a retry when the window stays closed, and opens a new one on request", async () => {
    const { browser, client, clock, item } = connected();
    browser.windows[0]!.closed = true;
    await clock.advanceAsync(1_500);
    expect(item("a").window).toBe("open");
    await clock.advanceAsync(1_000);
    expect(item("a")).toMatchObject({ status: "opened", window: "closed" });
    void client.connect("a");
    expect(browser.windows).toHaveLength(2);
    expect(item("a").window).toBe("open");
    post(browser, "elicitation-bind", { challenge: "one watch only" });
    // The client watches one window: messages, focus, visibility and its broadcast channel.
    expect(browser.listening).toBe(4);
  });

  it("keeps the page open after a refused answer", async () => {
    const { client, channel, item } = connected();
    channel.reply = () => [{ elicitationId: "a", kind: "refused", status: 400, message: "not yet" }];
    await client.accept("a");
    expect(item("a")).toMatchObject({ status: "opened", window: "open", notice: { detail: "not yet" } });
  });

  it("sends consent when the page is opened, and stops watching when it is disposed of", async () => {
    const { client, channel, browser } = world();
    channel.reply = () => [{ elicitationId: "a", kind: "consented" }];
    client.receive("c1", page("a", { acceptMeans: "consent" }));
    void client.connect("a");
    await promisesSettled();
    void client.connect("a");
    await promisesSettled();
    expect(channel.sent).toEqual([[{ conversationId: "c1", elicitationId: "a", action: "accept" }]]);
    client.dispose();
    client.markOpened("a");
    expect(browser.listening).toBe(0);
  });

  it("vouches for the user when the page asks, and sends the ticket only to the page's origin", async () => {
    const { browser, channel } = connected();
    post(browser, "elicitation-bind", { challenge: "ch" });
    await promisesSettled();
    expect(channel.bound).toEqual(["a ch"]);
    const message = { source: "elicit-kit", version: 1, type: "elicitation-ticket", elicitationId: "a" };
    expect(browser.windows[0]?.received).toEqual([
      [{ ...message, challenge: "ch", ticket: "ticket for ch" }, "https://auth.example.com"],
    ]);
  });

  it("sends a challenge to the server once, however often the page asks, and again only if the server could not be reached", async () => {
    const { browser, channel, item } = connected();
    const ask = async (challenge: string) => {
      post(browser, "elicitation-bind", { challenge });
      await promisesSettled();
    };
    await ask("ch");
    await ask("ch");
    expect(channel.bound).toEqual(["a ch"]);
    expect(browser.windows[0]?.received).toHaveLength(2);

    channel.bindFails = new ChannelError("no", { retryable: false });
    await ask("refused");
    await ask("refused");
    channel.bindFails = offline();
    await ask("lost");
    channel.bindFails = undefined;
    await ask("lost");
    expect(channel.bound).toEqual(["a ch", "a refused", "a lost", "a lost"]);
    expect(item("a").status).toBe("opened");
  });

  it.each([
    ["a page of another origin, which is opened without a handle", "https://a.example/", {}, undefined],
    ["the trusted page with worksByLink: true from the server", undefined, { worksByLink: true }, "kept"],
    ["the trusted page without worksByLink", undefined, {}, "needed"],
    ["the trusted page with an invalid worksByLink", undefined, { worksByLink: 1 }, "needed"],
    ["a page that is blocked", "http://auth.example.com/", { worksByLink: true }, undefined],
  ] as const)("reports whether it must keep the opener for %s", (_, url, context, opener) => {
    const { client, item } = world();
    client.receive("c1", page("a", { ...(url && { url }), context: { trigger: "tool", ...context } }));
    expect(item("a").opener).toBe(opener);
  });

  it("offers a link when the browser blocks the window, and watches the page once the user has followed the link", async () => {
    const { browser, client, channel, item } = world();
    browser.next = null;
    channel.report = byId({ a: { status: "accepted" } });
    client.receive("c1", page("a"));
    void client.connect("a");
    expect(item("a")).toMatchObject({ status: "opened", window: "blocked" });
    expect(browser.listening).toBe(0);
    client.markOpened("a");
    expect(item("a").window).toBe("elsewhere");
    browser.fire("focus");
    await promisesSettled();
    expect(item("a").status).toBe("accepted");
  });

  it("reports when a host app could not open the page", async () => {
    const { client, item } = world({ openUrl: () => Promise.resolve("blocked") });
    client.receive("c1", page("a"));
    void client.connect("a");
    expect(item("a").window).toBe("elsewhere");
    await promisesSettled();
    expect(item("a").window).toBe("blocked");
  });

  it("is watched again after a reload of the chat, until its request has ended", async () => {
    const storage = createMemoryStorage();
    const first = world({ storage });
    first.client.receive("c1", page("a"));
    first.client.receive("c1", page("b"));
    void first.client.connect("a");
    first.client.dispose();
    const { browser, channel, client, item } = world({ storage });
    for (const id of ["a", "b"]) client.receive("c1", page(id));
    expect([item("a").window, item("b").window]).toEqual(["elsewhere", undefined]);
    channel.report = byId({ a: { status: "accepted" } });
    browser.fire("focus");
    await promisesSettled();
    expect(item("a").status).toBe("accepted");
    expect(storage).toHaveLength(0);
  });

  it("is not watched after a reload if the browser has blocked it or its request had ended", () => {
    const storage = createMemoryStorage();
    const { browser, client } = world({ storage });
    browser.next = null;
    client.receive("c1", page("a"));
    void client.connect("a");
    expect(storage).toHaveLength(0);
    client.markOpened("a");
    const after = world({ storage });
    after.client.receive("c1", page("a", { resolution: { outcome: "declined", at: inTenMinutes } }));
    expect(after.item("a").status).toBe("declined");
    expect(after.browser.listening).toBe(0);
  });

  it("gets no ticket from a server that cannot vouch", async () => {
    const { browser, client, item } = world({ without: "bind" });
    client.receive("c1", page("a"));
    void client.connect("a");
    post(browser, "elicitation-bind", { challenge: "ch" });
    await promisesSettled();
    expect(browser.windows[0]?.received).toEqual([]);
    expect(item("a").status).toBe("opened");
  });

  it("leaves the window of an expired request open, because it shows what happened", () => {
    const { browser, client } = connected();
    client.receive("c1", page("a", { resolution: { outcome: "expired", at: inTenMinutes } }));
    expect(browser.windows[0]?.closed).toBe(false);
    expect(browser.listening).toBe(0);
  });

  it("opens no page for a form, for an ended request, or while an answer is being sent", async () => {
    const { browser, client } = world();
    client.receive("c1", form("f"));
    void client.connect("f");
    client.markOpened("f");
    client.receive("c1", page("a"));
    await client.decline("a");
    void client.connect("a");
    expect(browser.windows).toEqual([]);
  });
});

describe("drafts", () => {
  it("are kept by id, and deleted when the form is accepted", async () => {
    const storage = createMemoryStorage();
    const { client } = world({ storage });
    client.receive("c1", form("a"));
    client.drafts.save("a", { city: "Lis", tags: ["x"], yes: true });
    expect(world({ storage }).client.drafts.load("a")).toEqual({ city: "Lis", tags: ["x"], yes: true });
    await client.accept("a", { city: "Lisbon" });
    expect(client.drafts.load("a")).toBeUndefined();
    expect(storage).toHaveLength(0);
  });

  it.each([
    ["ada", "ada", { city: "Lis" }],
    ["ada", undefined, { city: "Lis" }],
    ["ada", "bob", undefined],
    ["ada", null, undefined],
    [undefined, "bob", undefined],
  ])("of %s are for a client of %s in the same tab: %o", (before, after, kept) => {
    const storage = createMemoryStorage();
    storage.setItem("own", "of the app");
    const clientOf = (user: string | null | undefined) => world({ storage, user }).client;
    const first = clientOf(before);
    for (const id of ["e1", "e2", "e3"]) first.drafts.save(id, { city: "Lis" });
    const { drafts } = clientOf(after);
    expect(["e1", "e2", "e3"].map((id) => drafts.load(id))).toEqual([kept, kept, kept]);
    // Drafts that were removed do not return when their user signs in again.
    if (kept === undefined) expect(clientOf(before).drafts.load("e1")).toBeUndefined();
    expect(storage.getItem("own")).toBe("of the app");
  });

  it.each<[string, string, object | undefined]>([
    ["text, a tick and a choice", '{"a":"x","b":false,"c":["y","z"]}', { a: "x", b: false, c: ["y", "z"] }],
    ["a number in a field", '{"a":"x","b":1}', undefined],
    ["a list of other things", '{"a":["x",1]}', undefined],
    ["an object in a field", '{"a":{}}', undefined],
    ["a number", "7", undefined],
    ["nothing", "null", undefined],
    ["spoilt text", "{spoilt", undefined],
  ])("show only what a user can have typed: %s", (_, text, draft) => {
    const storage = createMemoryStorage();
    storage.setItem("elicit-kit:draft:a", text);
    expect(world({ storage }).client.drafts.load("a")).toEqual(draft);
  });

  it("are not kept, without an error, when storage is full or forbidden", () => {
    const broken = {
      getItem: () => {
        throw new Error("forbidden");
      },
      setItem: () => {
        throw new Error("full");
      },
      removeItem: () => undefined,
      clear: () => undefined,
      key: () => null,
      length: 0,
    } satisfies Storage;
    const { drafts } = world({ storage: broken }).client;
    drafts.save("a", { city: "Lisbon" });
    expect(drafts.load("a")).toBeUndefined();
  });
});

describe("dispose", () => {
  it("ends every timer and call, and ignores later events", async () => {
    const { client, channel, clock, item } = world();
    let told = 0;
    client.subscribe(() => told++);
    client.receive("c1", form("a"));
    channel.reply = offline;
    void client.accept("a", {});
    await promisesSettled();
    client.dispose();
    told = 0;
    await clock.advanceAsync(120_000);
    channel.emit({ type: "request", conversationId: "c1", request: form("b") });
    expect(channel.sent).toHaveLength(1);
    expect(told).toBe(0);
    expect(item("a").status).toBe("undelivered");
  });

  it("leaves an answer that is being sent alone", async () => {
    const { client, channel, item } = world();
    client.receive("c1", form("a"));
    let lose: (error: Error) => void = () => undefined;
    channel.reply = () => new Promise((_resolve, reject) => (lose = reject));
    const accepted = client.accept("a", {});
    client.dispose();
    lose(offline());
    await accepted;
    expect(item("a").status).toBe("submitting");
  });
});

describe("a client without a browser", () => {
  it("keeps no drafts, gets no online event, and uses the system clock", async () => {
    const channel = new FakeChannel();
    channel.report = byId({ a: { now: new Date().toISOString() } });
    const client = createElicitationClient({ channel });
    client.receive("c1", form("a", { expiresAt: new Date(Date.now() + 600_000).toISOString() }));
    client.drafts.save("a", { city: "Lisbon" });
    expect(client.drafts.load("a")).toBeUndefined();
    await client.check("a");
    expect(client.remaining("a")).toBeGreaterThan(500_000);
    client.dispose();
  });
});
