import { array, assert, asyncProperty, constantFrom, nat, record } from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createManualClock, promisesSettled } from "../base/testing/manual-clock.ts";
import { formRequest } from "../contract/testing/requests.ts";
import { createElicitationClient } from "./create-client.ts";
import { createHttpChannel } from "./http-channel.ts";

const START = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;

/** A round of forms whose server is away, and every HTTP request that carries answers to it. */
function setUp(size: number, reply: () => Response | Error = () => new TypeError("offline")) {
  const clock = createManualClock(START);
  const posts: { second: number; ids: string[] }[] = [];
  let online = (): void => undefined;
  const channel = createHttpChannel({
    api: "https://chat.example/run/api",
    fetch: async (_, init) => {
      // Reads of a status are not counted.
      if (init?.method !== "POST") return new Response(null, { status: 405 });
      const text = await new Request("https://chat.example", init).text();
      const ids = [...text.matchAll(/"elicitationId":"(\w+)"/g)].map(([, id = ""]) => id);
      posts.push({ second: (clock.now() - START) / 1_000, ids });
      const replied = reply();
      if (replied instanceof Error) throw replied;
      return replied;
    },
  });
  const client = createElicitationClient({
    channel,
    clock,
    storage: null,
    onOnline: (listener) => {
      online = listener;
      return () => undefined;
    },
  });
  onTestFinished(() => client.dispose());
  const ids = Array.from({ length: size }, (_, index) => `e${index}`);
  const receive = (id: string, isExpired = false): void =>
    client.receive(
      "c1",
      formRequest({
        elicitationId: id,
        expiresAt: new Date(START + 60 * MINUTE).toISOString(),
        round: { id: "r", size },
        ...(isExpired && { resolution: { outcome: "expired", at: new Date(START).toISOString() } }),
      }),
    );
  for (const id of ids) receive(id);
  return {
    client,
    clock,
    ids,
    posts,
    answer: (id: string) => void client.accept(id, { city: "Lisbon" }),
    online: () => online(),
    expire: (id: string) => receive(id, true),
    seconds: () => posts.map(({ second }) => second),
  };
}

describe("HTTP requests that carry the answers of a round to a server that is away", () => {
  it("are sent once for each try of the whole round: six in the first minute", async () => {
    const { answer, clock, ids, posts, seconds } = setUp(3);
    for (const id of ids) answer(id);
    await clock.advanceAsync(MINUTE);
    expect(seconds()).toEqual([0, 1, 3, 7, 15, 31]);
    expect(posts.every((post) => post.ids.join() === ids.join())).toBe(true);
  });

  it("are not sent more often when a request of the round ends between two tries", async () => {
    const { answer, clock, expire, ids, posts, seconds } = setUp(3);
    for (const id of ids) answer(id);
    await clock.advanceAsync(1_500);
    expire("e1");
    await clock.advanceAsync(500);
    expire("e2");
    await clock.advanceAsync(MINUTE);
    expect(seconds()).toEqual([0, 1, 3, 7, 15, 31, 61]);
    expect(posts.map((post) => post.ids.length)).toEqual([3, 3, 1, 1, 1, 1, 1]);
  });

  it("wait as long as the server asks, even if a request of the round ends in the meantime", async () => {
    const away = () => new Response(null, { status: 503, headers: { "retry-after": "20" } });
    const { answer, clock, expire, ids, seconds } = setUp(3, away);
    for (const id of ids) answer(id);
    await clock.advanceAsync(5_000);
    expire("e1");
    await clock.advanceAsync(MINUTE);
    expect(seconds()).toEqual([0, 20, 40, 60]);
  });

  it("start a new series when the user answers a form again, and end the old series", async () => {
    const { answer, clock, ids, posts, seconds } = setUp(2);
    for (const id of ids) answer(id);
    await clock.advanceAsync(5_000);
    answer("e0");
    await clock.advanceAsync(MINUTE);
    expect(seconds()).toEqual([0, 1, 3, 5, 6, 8, 12, 20, 36]);
    expect(posts.every((post) => post.ids.length === 2)).toBe(true);
  });

  it("are sent once more for each “Try again”, and once more when the browser is online again", async () => {
    const { answer, client, clock, ids, online, seconds } = setUp(2);
    for (const id of ids) answer(id);
    await clock.advanceAsync(8_000);
    await Promise.all([client.retry("e0"), promisesSettled()]);
    expect(seconds()).toEqual([0, 1, 3, 7, 8]);
    await clock.advanceAsync(1_000);
    online();
    await promisesSettled();
    expect(seconds()).toEqual([0, 1, 3, 7, 8, 9]);
  });
});

const step = record({
  kind: constantFrom("answer", "answer", "retry", "expire", "online", "time", "time"),
  index: nat(),
});

it("the answers of a round are retried in one series at most, whatever users do while the server is away", async () => {
  await assert(
    asyncProperty(nat(3), array(step, { maxLength: 30 }), async (more, steps) => {
      const { answer, client, clock, expire, ids, online, posts } = setUp(more + 1);
      for (const { kind, index } of steps) {
        const id = ids[index % ids.length] ?? "";
        if (kind === "answer") answer(id);
        else if (kind === "retry") void client.retry(id);
        else if (kind === "expire") expire(id);
        else if (kind === "online") online();
        else await clock.advanceAsync(700 * (1 + (index % 7)));
        if (index % 3 !== 0) await promisesSettled();
      }
      await promisesSettled();
      const before = posts.length;
      await clock.advanceAsync(MINUTE);
      expect(posts.length - before).toBeLessThanOrEqual(6);
      client.dispose();
    }),
    { numRuns: Number(process.env["FC_RUNS"] ?? 300) },
  );
});
