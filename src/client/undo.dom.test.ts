import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createManualClock, promisesSettled } from "../base/testing/manual-clock.ts";
import { formRequest } from "../contract/testing/requests.ts";
import { createElicitationClient, type ElicitationClientOptions } from "./create-client.ts";
import { FakeChannel, offline, settleAll } from "./testing/fake-channel.ts";

afterEach(() => sessionStorage.clear());

const START = Date.parse("2026-11-21T12:00:00Z");

function setUp(options: Partial<ElicitationClientOptions> & { round?: { id: string; size: number } } = {}) {
  const { round, ...rest } = options;
  const clock = createManualClock(START);
  const channel = new FakeChannel(clock.now);
  channel.report = () => ({});
  const client = createElicitationClient({ channel, clock, storage: null, ...rest });
  onTestFinished(() => client.dispose());
  const stop = client.subscribe(() => undefined);
  return {
    channel,
    client,
    clock,
    stop,
    receive: (id: string) =>
      client.receive("c1", formRequest({ elicitationId: id, ...(round && { round }) })),
    item: (id: string) => client.getSnapshot().items.find((item) => item.id === id),
    sent: () =>
      channel.sent.map((answers) => answers.map(({ elicitationId, action }) => [elicitationId, action])),
  };
}

const declined = { outcome: "declined", at: "2026-11-21T12:00:03Z" } as const;

describe("a decline or dismissal that can be undone", () => {
  it("is sent after six seconds, with its note, and not before", async () => {
    const { channel, client, clock, receive, item } = setUp();
    receive("a");
    client.hold("a", "decline", "only direct flights");
    expect(item("a")).toMatchObject({ status: "answered", undoUntil: START + 6_000 });
    await clock.advanceAsync(5_999);
    expect(channel.sent).toEqual([]);
    await clock.advanceAsync(1);
    expect(channel.sent).toMatchObject([[{ action: "decline", note: "only direct flights" }]]);
    expect(item("a")).toMatchObject({ status: "declined", action: "decline" });
    expect(channel.keptAlive).toEqual([false]);
  });

  it("is never sent once it was undone, and the request can be answered as before", async () => {
    const { channel, client, clock, receive, item } = setUp();
    receive("a");
    client.hold("a", "cancel");
    await clock.advanceAsync(5_000);
    client.undo("a");
    expect(item("a")).toMatchObject({ status: "pending", answer: undefined, undoUntil: undefined });
    await clock.advanceAsync(60_000);
    expect(channel.sent).toEqual([]);
    await client.accept("a", { city: "Lisbon" });
    expect(channel.sent).toMatchObject([[{ action: "accept" }]]);
  });

  it("can be undone for another six seconds when it is repeated", async () => {
    const { channel, client, clock, receive } = setUp();
    receive("a");
    client.hold("a", "cancel");
    await clock.advanceAsync(4_000);
    client.undo("a");
    client.hold("a", "decline");
    await clock.advanceAsync(5_999);
    expect(channel.sent).toEqual([]);
    await clock.advanceAsync(1);
    expect(channel.sent).toMatchObject([[{ action: "decline" }]]);
  });

  it("is kept when the browser ends the page before it was sent: the next page offers Undo again, and then sends it", async () => {
    const before = setUp({ storage: sessionStorage });
    before.receive("a");
    before.client.hold("a", "decline", "only direct flights");
    expect(before.channel.sent).toEqual([]);

    const after = setUp({ storage: sessionStorage });
    after.receive("a");
    expect(after.item("a")).toMatchObject({ status: "answered", undoUntil: START + 6_000 });
    await after.clock.advanceAsync(6_000);
    expect(after.channel.sent).toMatchObject([[{ action: "decline", note: "only direct flights" }]]);
    expect(after.item("a")).toMatchObject({ status: "declined" });
    expect(sessionStorage).toHaveLength(0);
  });

  it.each<[string, (client: ReturnType<typeof setUp>["client"]) => unknown]>([
    ["was undone", (client) => client.undo("a")],
    ["became an answer", (client) => client.accept("a", { city: "Lisbon" })],
    [
      "has ended",
      (client) => client.receive("c1", formRequest({ elicitationId: "a", resolution: declined })),
    ],
  ])("is not sent by the next page when it %s", async (_, change) => {
    const before = setUp({ storage: sessionStorage });
    before.receive("a");
    before.client.hold("a", "cancel");
    await change(before.client);

    const after = setUp({ storage: sessionStorage });
    after.receive("a");
    await after.clock.advanceAsync(60_000);
    expect(after.channel.sent).toEqual([]);
  });

  it("is not sent by a second client of the same page", async () => {
    const first = setUp({ storage: sessionStorage });
    const second = setUp({ storage: sessionStorage });
    first.receive("a");
    first.client.hold("a", "decline");
    second.receive("a");
    await second.clock.advanceAsync(60_000);
    expect(second.channel.sent).toEqual([]);
  });

  it("is not sent for another user of the same tab", async () => {
    const before = setUp({ storage: sessionStorage, user: "alice" });
    before.receive("a");
    before.client.hold("a", "decline");

    const after = setUp({ storage: sessionStorage, user: "bob" });
    after.receive("a");
    await after.clock.advanceAsync(60_000);
    expect(after.channel.sent).toEqual([]);
  });

  it("is not sent by the next page when other code has written to the storage", async () => {
    sessionStorage.setItem("elicit-kit:held:a", '{"action":"accept"}');
    sessionStorage.setItem("elicit-kit:held:b", "{");
    const { channel, clock, receive } = setUp({ storage: sessionStorage });
    receive("a");
    receive("b");
    await clock.advanceAsync(60_000);
    expect(channel.sent).toEqual([]);
  });

  it.each([
    ["pagehide", () => window.dispatchEvent(new Event("pagehide"))],
    [
      "a page that is hidden",
      () => {
        Object.defineProperty(document, "hidden", { configurable: true, value: true });
        document.dispatchEvent(new Event("visibilitychange"));
      },
    ],
  ])("is sent at once, in a call that outlives the page, on %s", async (_, leave) => {
    onTestFinished(() => void Reflect.deleteProperty(document, "hidden"));
    const { channel, client, clock, receive, sent } = setUp();
    receive("a");
    receive("b");
    client.hold("a", "decline");
    client.hold("b", "cancel");
    leave();
    expect(sent()).toEqual([[["a", "decline"]], [["b", "cancel"]]]);
    expect(channel.keptAlive).toEqual([true, true]);
    leave();
    await clock.advanceAsync(10_000);
    expect(channel.sent).toHaveLength(2);
  });

  it("is sent at once when no view shows the requests any more", async () => {
    const { channel, client, receive, stop } = setUp();
    receive("a");
    client.hold("a", "decline");
    const other = client.subscribe(() => undefined);
    other();
    expect(channel.sent).toEqual([]);
    stop();
    expect(channel.sent).toMatchObject([[{ action: "decline" }]]);
  });

  it("is sent when the client is disposed of, in a call that this does not abort", async () => {
    const { channel, client, receive } = setUp();
    receive("a");
    const signals: boolean[] = [];
    const { respond } = channel;
    channel.respond = (answers, options) => {
      queueMicrotask(() => signals.push(options.signal.aborted));
      return respond.call(channel, answers, options);
    };
    client.hold("a", "decline");
    client.dispose();
    await promisesSettled();
    expect(channel.sent).toMatchObject([[{ action: "decline" }]]);
    expect(signals).toEqual([false]);
  });

  it("is retried when the network fails", async () => {
    const { channel, client, clock, receive, item } = setUp();
    receive("a");
    channel.reply = offline;
    client.hold("a", "decline");
    await clock.advanceAsync(6_000);
    expect(item("a")).toMatchObject({ status: "undelivered", undoUntil: undefined });
    channel.reply = settleAll;
    await clock.advanceAsync(1_000);
    expect(item("a")?.status).toBe("declined");
  });

  it("does not overtake an answer that is being sent", async () => {
    const { channel, client, clock, receive } = setUp();
    receive("a");
    let settle: (receipts: ReturnType<typeof settleAll>) => void = () => undefined;
    channel.reply = () => new Promise((resolve) => (settle = resolve));
    const accepted = client.accept("a", { city: "Lisbon" });
    client.hold("a", "cancel");
    await clock.advanceAsync(10_000);
    settle(settleAll(channel.sent[0]!));
    await accepted;
    expect(channel.sent).toMatchObject([[{ action: "accept" }]]);
  });

  it("does not change a request that ends in the meantime", async () => {
    const { channel, client, clock, receive, item } = setUp();
    receive("a");
    client.hold("a", "decline");
    const resolution = { outcome: "expired", at: new Date(START).toISOString() } as const;
    client.receive("c1", formRequest({ elicitationId: "a", resolution }));
    client.undo("a");
    await clock.advanceAsync(10_000);
    expect(channel.sent).toEqual([]);
    expect(item("a")?.status).toBe("expired");
  });

  it("is sent with its round, and not before it can no longer be undone", async () => {
    const { client, clock, receive, item, sent } = setUp({ round: { id: "r", size: 2 } });
    receive("a");
    receive("b");
    client.hold("a", "decline");
    await clock.advanceAsync(7_000);
    // The round waits for the user's other answer, so this one can still be undone.
    expect(item("a")).toMatchObject({ status: "answered" });
    client.undo("a");
    client.hold("a", "cancel");
    await client.accept("b", { city: "Lisbon" });
    expect(sent()).toEqual([]);
    await clock.advanceAsync(6_000);
    expect(sent()).toEqual([
      [
        ["a", "cancel"],
        ["b", "accept"],
      ],
    ]);
  });

  it("is sent together with the others of its round when the user leaves the page", () => {
    const { client, receive, sent } = setUp({ round: { id: "r", size: 2 } });
    receive("a");
    receive("b");
    client.hold("a", "decline");
    client.hold("b", "cancel");
    window.dispatchEvent(new Event("pagehide"));
    expect(sent()).toEqual([
      [
        ["a", "decline"],
        ["b", "cancel"],
      ],
    ]);
  });

  it("is sent at once if the app sets an undo time of 0", () => {
    const { client, receive, sent } = setUp({ undoMs: 0 });
    receive("a");
    client.hold("a", "decline");
    expect(sent()).toEqual([[["a", "decline"]]]);
  });

  it("is neither lost nor sent twice, in any order of user actions", async () => {
    const acts = ["decline", "cancel", "undo", "wait", "wait longer", "hide"] as const;
    await assert(
      asyncProperty(array(constantFrom(...acts)), async (sequence) => {
        const { client, clock, receive, item, sent } = setUp();
        receive("a");
        let held: { action: string; until: number } | undefined;
        for (const act of sequence) {
          const isOver = item("a")?.status !== "pending" && item("a")?.status !== "answered";
          if (act === "decline" || act === "cancel") {
            client.hold("a", act);
            if (!isOver) held = { action: act, until: clock.now() + 6_000 };
          } else if (act === "undo") {
            client.undo("a");
            if (!isOver) held = undefined;
          } else if (act === "hide") {
            window.dispatchEvent(new Event("pagehide"));
            if (held !== undefined) held.until = clock.now();
          } else await clock.advanceAsync(act === "wait" ? 2_500 : 6_000);
          await promisesSettled();
          const isDue = held !== undefined && held.until <= clock.now();
          expect(sent()).toEqual(isDue ? [[["a", held?.action]]] : []);
        }
      }),
    );
  });
});
