import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { promisesSettled } from "../../base/testing/manual-clock.ts";
import {
  type RunTurn,
  type RuntimeOptions,
  type WaitingNotice,
  createMemoryRecords,
} from "../../runtime/index.ts";

const MINUTE = 60_000;
/** A process looks for due notices every five seconds. */
const LOOK = 5000;

function setUp(options: Partial<RuntimeOptions> = {}, runTurn: RunTurn = asking(CITY)) {
  const told: WaitingNotice[] = [];
  const runtime = createTestRuntime(runTurn, {
    ...options,
    timeToAnswer: { expiresInMs: 48 * 60 * MINUTE, ...options.timeToAnswer },
    notices: { onWaiting: (notice) => void told.push(notice), ...options.notices },
  });
  const of = (user: string) => createChatClient(runtime.fetch, { user });
  const ada = of("ada");
  /** Asks Ada and closes her page. */
  async function askAndLeave(conversationId: string, user = "ada"): Promise<string> {
    const stream = await of(user).send(conversationId);
    const { elicitationId } = await stream.request();
    await stream.cancel();
    return elicitationId;
  }
  const pass = async (ms: number) => {
    await runtime.clock.advanceAsync(ms);
    await promisesSettled();
  };
  const idsOf = ({ requests }: WaitingNotice) => requests.map(({ elicitationId }) => elicitationId);
  return { runtime, told, ada, askAndLeave, pass, idsOf };
}

test("an absent user gets one notice of the waiting requests, without the text of the question", async () => {
  const { runtime, told, ada, askAndLeave, pass } = setUp({
    hostedPage: { origin: "https://auth.example.com" },
  });
  const elicitationId = await askAndLeave("c1");
  await pass(MINUTE - 1);
  expect(told).toEqual([]);
  await pass(LOOK);
  expect(told).toEqual([
    {
      id: expect.any(String),
      user: { id: "ada", name: "Ada" },
      requests: [
        {
          elicitationId,
          conversationId: "c1",
          surface: "chat",
          kind: "form",
          service: undefined,
          link: `https://auth.example.com/auth/answer?elicitationId=${elicitationId}`,
          askedAt: "2026-11-20T12:00:00.000Z",
          expiresAt: "2026-11-22T12:00:00.000Z",
        },
      ],
      more: 0,
    },
  ]);
  await pass(24 * 60 * MINUTE);
  expect(told).toHaveLength(1);
  await ada.answer("c1", { elicitationId, action: "decline" });
  expect(runtime.errors).toEqual([]);
});

test("the notice about a page has the purpose and the service of the page, and has no link without a hosted page", async () => {
  const { told, askAndLeave, pass } = setUp({}, asking({ ...CONNECT, service: { name: "Tracker" } }));
  await askAndLeave("c1");
  await pass(MINUTE + LOOK);
  expect(told[0]?.requests).toMatchObject([{ kind: "connect", service: "Tracker", link: undefined }]);
});

test("a user whose chat shows the request gets no notice until they have been away for long enough", async () => {
  const { told, ada, pass } = setUp();
  const stream = await ada.send("c1");
  await stream.request();
  await pass(60 * MINUTE);
  expect(told).toEqual([]);
  await stream.cancel();
  await pass(MINUTE - LOOK);
  expect(told).toEqual([]);
  await pass(MINUTE);
  expect(told).toHaveLength(1);
});

test("a user who comes back in time gets no notice", async () => {
  const { told, ada, askAndLeave, pass } = setUp();
  await askAndLeave("c1");
  await pass(MINUTE / 2);
  const again = await ada.fetch("/run/api/chat/c1/stream");
  await pass(10 * MINUTE);
  expect(told).toEqual([]);
  await again.body?.cancel();
  await pass(2 * MINUTE);
  expect(told).toHaveLength(1);
});

test("a chat that is closed before its stream was read does not count as showing the question", async () => {
  const { told, ada, askAndLeave, pass } = setUp();
  await askAndLeave("c1");
  const stop = new AbortController();
  const unread = await ada.fetch("/run/api/chat/c1/stream", { signal: stop.signal });
  await unread.body?.cancel();
  await pass(MINUTE + LOOK);
  expect(told).toHaveLength(1);
});

test("an open inbox shows the requests of all conversations", async () => {
  const { told, ada, askAndLeave, pass } = setUp();
  await askAndLeave("c1");
  await askAndLeave("c2");
  await askAndLeave("c1", "bob");
  const inbox = await ada.fetch("/run/api/elicitations", { headers: { accept: "text/event-stream" } });
  await pass(10 * MINUTE);
  expect(told.map(({ user }) => user.id)).toEqual(["bob"]);
  await inbox.body?.cancel();
  await pass(2 * MINUTE);
  expect(told.map(({ user, requests }) => [user.id, requests.length])).toEqual([
    ["bob", 1],
    ["ada", 2],
  ]);
});

test("a chat without a stream counts as showing a request when it reads the status", async () => {
  const { told, ada, askAndLeave, pass } = setUp();
  const elicitationId = await askAndLeave("c1");
  for (let minute = 0; minute < 5; minute += 1) {
    await ada.fetch(`/run/api/elicitations/${elicitationId}`);
    await pass(MINUTE / 2);
    await ada.fetch("/run/api/elicitations?conversationId=c1");
    await pass(MINUTE / 2);
  }
  expect(told).toEqual([]);
  await pass(2 * MINUTE);
  expect(told).toHaveLength(1);
});

test("a custom route counts as showing its request while it waits", async () => {
  const { told, runtime, pass } = setUp();
  const route = new AbortController();
  const scope = { turnId: "t1", conversationId: "c1", user: { id: "ada" }, signal: route.signal };
  const asked = runtime.ask(scope, CITY);
  await pass(10 * MINUTE);
  expect(told).toEqual([]);
  route.abort();
  expect(await asked).toMatchObject({ outcome: "withdrawn" });
  await pass(10 * MINUTE);
  expect(told).toEqual([]);
});

test("a request that is answered or expires in time gets no notice", async () => {
  const { told, ada, askAndLeave, pass } = setUp();
  const elicitationId = await askAndLeave("c1");
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
  await pass(10 * MINUTE);
  expect(told).toEqual([]);
  const short = setUp({ timeToAnswer: { expiresInMs: MINUTE } });
  await short.askAndLeave("c1");
  await short.pass(10 * MINUTE);
  expect(short.told).toEqual([]);
});

test("several requests of one user are in one notice, and a user gets at most six notices an hour", async () => {
  const { told, askAndLeave, pass, idsOf } = setUp({
    limits: { writesPerMinute: 1000, turns: { perPerson: 100 } },
  });
  const first = await Promise.all(["a", "b", "c"].map((id) => askAndLeave(id)));
  await pass(MINUTE + LOOK);
  expect(told.map(idsOf)).toEqual([first]);
  const later: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    later.push(await askAndLeave(`later ${index}`));
    await pass(2 * MINUTE);
  }
  expect(told).toHaveLength(6);
  await pass(60 * MINUTE);
  expect(told.slice(1).flatMap(idsOf)).toEqual(later);
  expect(told.length).toBeLessThan(13);
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
});

test("a failing onWaiting is called again with the same id after one, two and four minutes", async () => {
  const at: number[] = [];
  const ids = new Set<string>();
  const { runtime, askAndLeave, pass } = setUp({
    notices: {
      onWaiting({ id }) {
        at.push(Math.round((runtime.clock.now() - start) / MINUTE));
        ids.add(id);
        return at.length < 4 ? Promise.reject(new Error("the mail server is away")) : Promise.resolve();
      },
    },
  });
  const start = runtime.clock.now();
  await askAndLeave("c1");
  await pass(120 * MINUTE);
  expect(at).toEqual([1, 2, 4, 8]);
  expect(ids.size).toBe(1);
  expect(runtime.errors.map(String)).toEqual(
    [60, 120, 240].map((seconds) =>
      expect.stringContaining(`It is called again in ${seconds} seconds with the same id.`),
    ),
  );
});

test("an onWaiting that does not return is called again", async () => {
  const signals: AbortSignal[] = [];
  const { runtime, askAndLeave, pass } = setUp({
    notices: {
      onWaiting(_, { signal }) {
        signals.push(signal);
        return new Promise(() => {});
      },
    },
  });
  await askAndLeave("c1");
  await pass(MINUTE + LOOK);
  expect(signals[0]?.aborted).toBe(false);
  await pass(30_000);
  expect(signals[0]?.aborted).toBe(true);
  expect(runtime.errors).toHaveLength(1);
  await pass(MINUTE);
  expect(signals).toHaveLength(2);
});

test("a slow onWaiting does not delay notices for other users", async () => {
  const told: string[] = [];
  const { askAndLeave, pass } = setUp({
    limits: { writesPerMinute: 1000 },
    notices: {
      onWaiting({ user }) {
        told.push(user.id);
        return user.id === "u0" ? new Promise(() => {}) : undefined;
      },
    },
  });
  for (let index = 0; index < 50; index += 1) await askAndLeave("c1", `u${index}`);
  await pass(MINUTE + LOOK);
  expect(told.toSorted()).toEqual(Array.from({ length: 50 }, (_, index) => `u${index}`).toSorted());
});

test("a process that closes waits for running calls of onWaiting, and begins no more", async () => {
  let end = () => {};
  const told: string[] = [];
  const records = createMemoryRecords();
  const { runtime, askAndLeave, pass } = setUp({
    ports: { records },
    notices: {
      onWaiting({ id }) {
        told.push(id);
        return new Promise((resolve) => (end = resolve));
      },
    },
  });
  await askAndLeave("c1");
  await pass(MINUTE + LOOK);
  let isClosed = false;
  const closing = runtime.close().then(() => (isClosed = true));
  await pass(1000);
  expect([told.length, isClosed]).toEqual([1, false]);
  end();
  await closing;
  await pass(10 * MINUTE);
  expect(told).toHaveLength(1);
});

test("records that cannot store notices, and invalid times, are refused", () => {
  const { notices: _, ...records } = createMemoryRecords();
  const onWaiting = () => {};
  expect(() => createTestRuntime(asking(CITY), { ports: { records }, notices: { onWaiting } })).toThrow(
    "these have no `notices`",
  );
  expect(() => createTestRuntime(asking(CITY), { notices: { onWaiting, afterMs: 0 } })).toThrow(
    "notices.afterMs must be a positive number",
  );
  expect(() => createTestRuntime(asking(CITY), { notices: { onWaiting, perHour: Number.NaN } })).toThrow(
    "notices.perHour must be a positive number",
  );
});
