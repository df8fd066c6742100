import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createManualClock, promisesSettled } from "../base/testing/manual-clock.ts";
import type { ElicitationRequest } from "../contract/contract.ts";
import { formRequest } from "../contract/testing/requests.ts";
import { ChannelError } from "./channel.ts";
import { createElicitationClient } from "./create-client.ts";
import type { ElicitationClient } from "./elicitation.ts";
import { FakeChannel, offline } from "./testing/fake-channel.ts";

const START = Date.parse("2026-11-21T12:00:00Z");
const at = new Date(START).toISOString();
const open = (elicitationId: string) => formRequest({ elicitationId });
const ended = (elicitationId: string) =>
  formRequest({ elicitationId, resolution: { outcome: "accepted", at } });
const messagesOf = (...requests: ElicitationRequest[]) =>
  requests.map((data) => ({ role: "assistant", parts: [{ type: "data-elicitation-request", data }] }));

function setUp() {
  const clock = createManualClock(START);
  const channel = new FakeChannel(clock.now);
  channel.report = () => ({});
  const online = new Set<() => void>();
  const client = createElicitationClient({
    channel,
    clock,
    storage: null,
    onOnline(listener) {
      online.add(listener);
      return () => online.delete(listener);
    },
  });
  onTestFinished(() => client.dispose());
  const ids = () => client.getSnapshot().items.map(({ id }) => id);
  return { channel, client, clock, ids, online };
}

describe("the list of open requests", () => {
  it("is read again with growing pauses after the first try failed", async () => {
    const { channel, client, clock, ids } = setUp();
    client.subscribe(() => undefined);
    channel.open = offline();
    await client.refresh("c1");
    await clock.advanceAsync(1_000);
    await clock.advanceAsync(1_999);
    expect(channel.listed).toHaveLength(2);
    channel.open = [open("a")];
    await clock.advanceAsync(1);
    expect(ids()).toEqual(["a"]);
    await clock.advanceAsync(600_000);
    expect(channel.listed).toHaveLength(3);
  });

  it("is read again at once when the browser is online again", async () => {
    const { channel, client, ids, online } = setUp();
    client.subscribe(() => undefined);
    channel.open = offline();
    await client.refresh("c1");
    channel.open = [open("a")];
    for (const listener of online) listener();
    await promisesSettled();
    expect(ids()).toEqual(["a"]);
  });

  it("is read again as late as a busy server asks", async () => {
    const { channel, client, clock } = setUp();
    client.subscribe(() => undefined);
    channel.open = new ChannelError("busy", { retryable: true, retryAfterMs: 7_000 });
    await client.refresh("c1");
    await clock.advanceAsync(6_999);
    expect(channel.listed).toHaveLength(1);
    await clock.advanceAsync(1);
    expect(channel.listed).toHaveLength(2);
  });

  it.each([
    ["no view is left", ({ stop }: { stop: () => void }) => stop()],
    ["the client is disposed of", ({ client }: { client: ElicitationClient }) => client.dispose()],
  ])("is not read again when %s", async (_, leave) => {
    const { channel, client, clock, online } = setUp();
    const stop = client.subscribe(() => undefined);
    channel.open = offline();
    await client.refresh("c1");
    leave({ client, stop });
    await clock.advanceAsync(600_000);
    expect(channel.listed).toHaveLength(1);
    expect(online.size).toBe(0);
  });

  it("is not read again when the server refuses to send it", async () => {
    const { channel, client, clock } = setUp();
    client.subscribe(() => undefined);
    channel.open = new ChannelError("no", { retryable: false });
    await client.refresh("c1");
    await clock.advanceAsync(600_000);
    expect(channel.listed).toHaveLength(1);
  });

  it("is not read again when the server seems to have none", async () => {
    const { channel, client, clock, ids } = setUp();
    client.subscribe(() => undefined);
    channel.open = new ChannelError("answered 404", { retryable: true, notOffered: true });
    await client.refresh("c1");
    await clock.advanceAsync(600_000);
    expect(channel.listed).toHaveLength(1);
    channel.open = [open("a")];
    await client.refresh("c1");
    expect(ids()).toEqual(["a"]);
  });

  it("is read by one series of tries, however many views need it", async () => {
    const { channel, client, clock } = setUp();
    client.subscribe(() => undefined);
    channel.open = offline();
    for (let view = 0; view < 3; view++) await client.refresh("c1");
    await clock.advanceAsync(1_000);
    await clock.advanceAsync(2_000);
    expect(channel.listed).toHaveLength(5);
  });
});

describe("requests that the history contains after the list was read", () => {
  it("are placed above the open card", async () => {
    const { channel, client, ids } = setUp();
    channel.open = [open("now")];
    await client.refresh("c1");
    client.readMessages("c1", messagesOf(ended("old-1"), ended("old-2")));
    expect(ids()).toEqual(["old-1", "old-2", "now"]);
    client.readMessages("c1", messagesOf(ended("old-1"), ended("old-2"), open("now"), open("next")));
    expect(ids()).toEqual(["old-1", "old-2", "now", "next"]);
  });

  it("are placed where the messages have them, even when older messages are loaded later", () => {
    const { client, ids } = setUp();
    const [b, d] = [ended("b"), open("d")];
    client.readMessages("c1", messagesOf(b, d));
    client.readMessages("c1", messagesOf(ended("a"), b, ended("c"), d));
    expect(ids()).toEqual(["a", "b", "c", "d"]);
  });

  it("are placed above the open card of their own conversation only", async () => {
    const { channel, client, ids } = setUp();
    channel.open = [open("now-1")];
    await client.refresh("c1");
    client.readMessages("c2", messagesOf(ended("other")));
    client.readMessages("c1", messagesOf(ended("old")));
    expect(ids()).toEqual(["old", "now-1", "other"]);
  });

  it("are placed below the receipt of a request that was never in a message", async () => {
    const { channel, client, ids } = setUp();
    channel.open = [open("lost-turn")];
    await client.refresh("c1");
    const old = ended("old");
    client.readMessages("c1", messagesOf(old));
    client.receive("c1", open("live"));
    client.readMessages("c1", messagesOf(old, open("live")));
    expect(ids()).toEqual(["old", "lost-turn", "live"]);
  });
});

describe("the work of reading messages", () => {
  /** How often request data is read, and how often listeners are called, for a history of this length. */
  function workFor(length: number) {
    const { channel, client } = setUp();
    // A live stream: each poll then reads the remaining time of each request.
    channel.emit({ type: "live", conversationId: "c1", live: true });
    let reads = 0;
    const counting = (request: ElicitationRequest) =>
      new Proxy(request, {
        get(target, key, receiver) {
          reads += 1;
          return Reflect.get(target, key, receiver);
        },
      });
    const round = { id: "r", size: length };
    const messages = messagesOf(
      ...Array.from({ length }, (_, index) =>
        counting(formRequest({ elicitationId: `e${index}`, expiresAt: at, round })),
      ),
    );
    const listener = vi.fn(() => client.getSnapshot().items.length);
    client.subscribe(listener);
    client.readMessages("c1", messages);
    const first = reads;
    client.readMessages("c1", [...messages]);
    return { first, again: reads - first, calls: listener.mock.calls.length };
  }

  it("doubles when the history doubles, and calls each listener once", () => {
    const [one, two] = [workFor(100), workFor(200)];
    expect(two.first / one.first).toBeCloseTo(2, 1);
    expect([one.calls, two.calls]).toEqual([1, 1]);
    expect(two.again).toBeLessThanOrEqual(2 * 200);
  });
});
