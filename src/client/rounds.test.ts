import { array, assert, asyncProperty, constantFrom, nat, record } from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createManualClock, promisesSettled } from "../base/testing/manual-clock.ts";
import type { ElicitationAnswer, ElicitationRequest } from "../contract/contract.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import { createElicitationClient } from "./create-client.ts";
import type { AcceptOptions, ElicitationItem } from "./elicitation.ts";
import { isOpen } from "./ended.ts";
import { FakeChannel, offline, settleAll } from "./testing/fake-channel.ts";
import { createMemoryStorage } from "./testing/memory-storage.ts";

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
    storage: createMemoryStorage(),
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

describe("an answer", () => {
  const page = urlRequest({ elicitationId: "e" });
  const form = formRequest({ elicitationId: "e" });
  const remembered = formRequest({ elicitationId: "e", remember: { days: 30 } });
  it.each<[string, ElicitationRequest, AcceptOptions, object]>([
    ["that the user lets the kit remember", remembered, { remember: true }, { remember: true }],
    ["that the user does not let the kit remember", remembered, { remember: false }, {}],
    ["whose form offers no remembering", form, { remember: true }, {}],
    ["to a page", page, { remember: true }, {}],
    ["that leaves the decision to the agent", form, { delegated: true }, { delegated: true }],
  ])("%s says so, and no more", async (_, request, options, said) => {
    const { channel, client } = setUp(1);
    client.receive("c1", request);
    await client.accept("e", { city: "Lisbon" }, options);
    const basics = { conversationId: "c1", elicitationId: "e", action: "accept" };
    expect(channel.sent).toEqual([[{ ...basics, content: { city: "Lisbon" }, ...said }]]);
  });

  it("with a no has the words of the user", async () => {
    const { channel, client } = setUp(1);
    client.receive("c1", form);
    await client.decline("e", "Ask me tomorrow");
    expect(channel.sent).toMatchObject([[{ action: "decline", note: "Ask me tomorrow" }]]);
  });
});

describe("a question that its conversation has asked before", () => {
  const typed = { city: "Lisbon" };
  const form = (changes: Parameters<typeof formRequest>[0] = {}) => formRequest(changes);
  const page = (changes: Parameters<typeof urlRequest>[0] = {}) => urlRequest(changes);
  const tracker = { name: "Tracker" };

  it("gets what the user had typed, and the card before it says that it is asked again", async () => {
    const { client, items } = setUp(1);
    client.receive("c1", form({ elicitationId: "a" }));
    client.drafts.save("a", typed);
    await client.decline("a");
    expect(client.drafts.load("a")).toEqual(typed);
    client.receive("c1", form({ elicitationId: "b" }));
    expect(items().map(({ askedAgain }) => askedAgain)).toEqual([true, undefined]);
    expect([client.drafts.load("a"), client.drafts.load("b")]).toEqual([undefined, typed]);
    await client.cancel("b");
    client.receive("c1", form({ elicitationId: "c" }));
    expect(client.drafts.load("c")).toEqual(typed);
  });

  it("does not get the input of an earlier card that is still open, nor once the question has ended", async () => {
    const { client, items } = setUp(1);
    client.receive("c1", form({ elicitationId: "a" }));
    client.drafts.save("a", typed);
    client.receive("c1", form({ elicitationId: "b" }));
    expect(items().map(({ askedAgain }) => askedAgain)).toEqual([undefined, undefined]);
    await client.decline("b");
    await client.decline("a");
    client.drafts.save("b", { city: "Oslo" });
    client.receive("c1", form({ elicitationId: "c", resolution: { outcome: "expired", at } }));
    expect(["a", "b", "c"].map(client.drafts.load)).toEqual([typed, { city: "Oslo" }, undefined]);
  });

  const { requestedSchema } = form();
  it.each<[string, ElicitationRequest, ElicitationRequest, boolean]>([
    ["the same form", form(), form({ toolCallId: "other" }), true],
    ["other words", form(), form({ message: "Where do you live?" }), false],
    ["other fields", form(), form({ requestedSchema: { ...requestedSchema, required: [] } }), false],
    ["another requester", form(), form({ requester: { name: "Travel agent" } }), false],
    ["another reason", form(), form({ context: { trigger: "tool" } }), false],
    ["an account in other words", page({ service: tracker }), page({ service: tracker, message: "m" }), true],
    ["another account", page({ service: tracker }), page({ service: { name: "Mail" } }), false],
    ["the same page", page(), page({ url: "https://auth.example.com/auth/connect?elicitationId=b" }), true],
    ["another page", page(), page({ message: "Sign the contract." }), false],
    ["another purpose", page({ purpose: "pay" }), page({ purpose: "sign" }), false],
    ["a page in the words of a form", form(), page({ message: form().message }), false],
  ])("is recognised by its content: %s", async (_, first, second, isSame) => {
    const { client, items } = setUp(1);
    client.receive("c1", { ...first, elicitationId: "a" });
    await client.decline("a");
    client.receive("c2", { ...second, elicitationId: "elsewhere" });
    expect(items()[0]?.askedAgain).toBeUndefined();
    client.receive("c1", { ...second, elicitationId: "b" });
    expect(items()[0]?.askedAgain === true).toBe(isSame);
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
