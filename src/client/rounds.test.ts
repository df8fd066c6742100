import { array, assert, asyncProperty, constantFrom, nat, record } from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createManualClock, promisesSettled } from "../base/testing/manual-clock.ts";
import type { ElicitationAnswer } from "../contract/contract.ts";
import { formRequest } from "../contract/testing/requests.ts";
import { createElicitationClient } from "./create-client.ts";
import type { ElicitationItem } from "./elicitation.ts";
import { isOpen } from "./ended.ts";
import { FakeChannel, offline, settleAll } from "./testing/fake-channel.ts";

const START = Date.parse("2026-11-21T12:00:00Z");
const at = new Date(START + 600_000).toISOString();
/** Fifteen minutes: longer than every pause before the next try. */
const LONG = 900_000;

function setUp(size: number) {
  const clock = createManualClock(START);
  const channel = new FakeChannel(clock.now);
  channel.report = () => ({});
  let online = (): void => undefined;
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
  client.subscribe(() => undefined);
  const ids = Array.from({ length: size }, (_, index) => `e${index}`);
  const request = (id: string, ended?: "expired") =>
    formRequest({
      elicitationId: id,
      round: { id: "r", size },
      ...(ended && { resolution: { outcome: ended, at } }),
    });
  return {
    channel,
    client,
    clock,
    ids,
    receive: (id: string, ended?: "expired") => client.receive("c1", request(id, ended)),
    items: () => client.getSnapshot().items,
    statuses: () => client.getSnapshot().items.map(({ status }) => status),
    online: () => online(),
  };
}

const sentIds = ({ sent }: FakeChannel) =>
  sent.map((answers) => answers.map((answer) => answer.elicitationId));

describe("an answer to a round", () => {
  it("is sent with the others when the user submits one form of an undelivered round again", async () => {
    const { channel, client, receive, statuses } = setUp(2);
    receive("e0");
    receive("e1");
    channel.reply = offline;
    void client.accept("e0", { city: "Lisbon" });
    void client.accept("e1", { city: "Oslo" });
    await promisesSettled();
    expect(statuses()).toEqual(["undelivered", "undelivered"]);
    channel.reply = settleAll;
    void client.accept("e0", { city: "Porto" });
    await promisesSettled();
    expect(sentIds(channel)).toEqual([
      ["e0", "e1"],
      ["e0", "e1"],
    ]);
    expect(channel.sent.at(-1)?.[0]?.content).toEqual({ city: "Porto" });
    expect(statuses()).toEqual(["accepted", "accepted"]);
  });

  it("is sent when the last unanswered request of the round turns out to have expired", async () => {
    const { channel, client, clock, receive, statuses } = setUp(2);
    receive("e0");
    receive("e1");
    void client.accept("e0", { city: "Lisbon" });
    channel.report = (id) => (id === "e1" ? { status: "expired" } : {});
    await clock.advanceAsync(10_000);
    expect(sentIds(channel)).toEqual([["e0"]]);
    expect(statuses()).toEqual(["accepted", "expired"]);
  });

  it("is sent when the server no longer knows the last unanswered request of the round", async () => {
    const { channel, client, receive, statuses } = setUp(2);
    receive("e0");
    receive("e1");
    void client.accept("e0", { city: "Lisbon" });
    channel.report = (id) => (id === "e1" ? undefined : {});
    await client.check("e1");
    await promisesSettled();
    expect(sentIds(channel)).toEqual([["e0"]]);
    expect(statuses()).toEqual(["accepted", "gone"]);
  });

  it("is sent after a reload when the rest of its round has ended, and the chat keeps no history", async () => {
    const { channel, client } = setUp(3);
    channel.open = ["e0", "e2"].map((id) => formRequest({ elicitationId: id, round: { id: "r", size: 3 } }));
    await client.refresh("c1");
    void client.accept("e0", {});
    await promisesSettled();
    expect(channel.sent).toEqual([]);
    void client.accept("e2", {});
    await promisesSettled();
    expect(sentIds(channel)).toEqual([["e0", "e2"]]);
  });

  it("waits for the rest of a round when the live stream has brought only the first request", async () => {
    const { channel, client, receive } = setUp(2);
    channel.emit({ type: "live", conversationId: "c1", live: true });
    receive("e0");
    channel.open = client.getSnapshot().items.map(({ request }) => request);
    await client.refresh("c1");
    void client.accept("e0", {});
    await promisesSettled();
    expect(channel.sent).toEqual([]);
    receive("e1");
    void client.accept("e1", {});
    await promisesSettled();
    expect(sentIds(channel)).toEqual([["e0", "e1"]]);
  });

  it("moves to the round in which its question is repeated", async () => {
    const { channel, client, statuses } = setUp(2);
    const asked = (id: string, round: string) =>
      client.receive("c1", formRequest({ elicitationId: id, round: { id: round, size: 2 } }));
    asked("e0", "first");
    asked("e1", "first");
    client.receive("c1", formRequest({ elicitationId: "e1", resolution: { outcome: "withdrawn", at } }));
    asked("e0", "second");
    asked("e2", "second");
    void client.accept("e0", {});
    await promisesSettled();
    expect(channel.sent).toEqual([]);
    void client.accept("e2", {});
    await promisesSettled();
    expect(sentIds(channel)).toEqual([["e0", "e2"]]);
    expect(statuses()).toEqual(["accepted", "withdrawn", "accepted"]);
  });
});

const operation = record({
  kind: constantFrom(
    ...(["receive", "answer", "answer", "answer", "retry", "online", "offline", "back", "refuse"] as const),
    ...(["poll expires", "poll loses", "stream expires", "time", "slow"] as const),
  ),
  index: nat(),
  action: constantFrom("accept", "decline", "cancel"),
});

describe("a round with any order of answers, failures, polls and retries", () => {
  it("is sent as one, and loses no answer", async () => {
    await assert(
      asyncProperty(nat(3), array(operation, { maxLength: 40 }), async (more, steps) => {
        const size = more + 1;
        const { channel, client, clock, ids, receive, items, online, statuses } = setUp(size);
        const lastAnswer = new Map<string, Pick<ElicitationAnswer, "action" | "content">>();
        const expired = new Set<string>();
        const unknown = new Set<string>();
        channel.report = (id) => (unknown.has(id) ? undefined : expired.has(id) ? { status: "expired" } : {});
        const isAnswered = ({ status }: ElicitationItem) => status === "submitting";
        /** Each call contains the whole round, with the last answer to each request. */
        const checked =
          (reply: FakeChannel["reply"]): FakeChannel["reply"] =>
          (answers) => {
            const open = items().filter((item) => isOpen(item));
            expect(open.every(isAnswered)).toBe(true);
            expect(answers.map((answer) => answer.elicitationId).toSorted()).toEqual(
              open.map(({ id }) => id).toSorted(),
            );
            for (const { elicitationId, action, content } of answers)
              expect({ action, content }).toEqual(lastAnswer.get(elicitationId));
            return reply(answers);
          };
        const refuseOne: FakeChannel["reply"] = (answers) =>
          settleAll(answers).map((receipt, index) =>
            index === 0
              ? { elicitationId: receipt.elicitationId, kind: "refused", status: 400, message: "no" }
              : receipt,
          );
        const failures: unknown[] = [];
        const use = (reply: FakeChannel["reply"]): void => {
          channel.reply = (answers) => {
            try {
              return checked(reply)(answers);
            } catch (error) {
              failures.push(error);
              throw error;
            }
          };
        };
        const answer = (id: string, action: "accept" | "decline" | "cancel", content: string): void => {
          const item = items().find((one) => one.id === id);
          if (item === undefined || !isOpen(item)) return;
          const typed = action === "accept" ? { city: content } : undefined;
          if (item.status !== "submitting") lastAnswer.set(id, { action, content: typed });
          void (action === "accept" ? client.accept(id, typed) : client[action](id));
        };

        use(settleAll);
        for (const [step, { kind, index, action }] of steps.entries()) {
          const id = ids[index % size] ?? "";
          const known = items().some((item) => item.id === id);
          if (kind === "receive") receive(id);
          else if (kind === "answer") answer(id, action, `city ${step}`);
          else if (kind === "retry" && known) void client.retry(id);
          else if (kind === "online") online();
          else if (kind === "offline") use(offline);
          else if (kind === "back") use(settleAll);
          else if (kind === "refuse") use(refuseOne);
          else if (kind === "slow")
            use(async (answers) => {
              await new Promise<void>((resolve) => void clock.after(3_000, resolve));
              return settleAll(answers);
            });
          else if (kind === "poll expires") expired.add(id);
          else if (kind === "poll loses") unknown.add(id);
          else if (kind === "stream expires" && known) receive(id, "expired");
          if (kind === "time") await clock.advanceAsync(5_000);
          // Some steps follow each other before promises have settled.
          else if (index % 3 !== 0) await promisesSettled();
        }
        for (const id of ids) receive(id);
        await clock.advanceAsync(LONG);
        use(settleAll);
        for (let round = 0; round < 2; round++) {
          for (const item of items()) if (item.status === "pending") answer(item.id, "accept", "last");
          await clock.advanceAsync(LONG);
        }
        expect(failures).toEqual([]);
        expect(statuses().filter((status) => /pending|answered|submitting|undelivered/.test(status))).toEqual(
          [],
        );
        client.dispose();
      }),
      { numRuns: Number(process.env["FC_RUNS"] ?? 300) },
    );
  });
});
