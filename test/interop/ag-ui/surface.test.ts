import { HttpAgent as OlderAgent } from "@ag-ui/client-0.0.59";
import {
  type RunTurn,
  createMemoryRecords,
  createMemoryTurnStream,
  createMemoryWaiter,
} from "elicit-kit/runtime";
import type { Allowed } from "../../../src/base/write-limit.ts";
import type { SurfaceTurn } from "elicit-kit/runtime/surface";
import { serve as listen } from "elicit-kit/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { CITY, CONNECT, asking, text } from "../../stages/test-runtime.ts";
import { createMemoryStorage } from "../../../src/client/testing/memory-storage.ts";
import { type PageOptions, open, serve } from "./thread.ts";

/** Asks for a form and a page in parallel, between two texts. */
const both: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  yield* text("One moment.");
  yield { type: "tool-input-available", toolCallId: "call-1", toolName: "book", input: { hidden: 1 } };
  const [form, page] = await Promise.all([turn.ask({ ...CITY, toolCallId: "call-1" }), turn.ask(CONNECT)]);
  yield { type: "tool-output-available", toolCallId: "call-1", output: "hidden" };
  yield* text(JSON.stringify({ form, page }));
  yield { type: "finish" };
};

const lastOpen = async (served: ReturnType<typeof serve>, thread = "thread-1") =>
  (await served.runtime.elicitations.listOpen(thread, "ada")).map(({ request }) => request.elicitationId);

describe("a page with HttpAgent and the endpoint of the kit", () => {
  test("shows a form that interrupts the run, and the same turn continues with the answer", async () => {
    const served = serve(asking(CITY));
    const page = open(served);
    await page.say("Book");
    expect(page.agent.pendingInterrupts).toMatchObject([
      { reason: "input_required", message: "Where to?", responseSchema: CITY.requestedSchema },
    ]);
    const { id, request } = await page.item();
    expect(request).toMatchObject({ mode: "form", requester: { name: "Planner" } });
    await page.client.accept(id, { city: "Rome" });
    expect(page.statuses()).toEqual(["accepted"]);
    await expect
      .poll(page.texts)
      .toEqual([JSON.stringify({ outcome: "accepted", content: { city: "Rome" } })]);
    expect(page.agent.pendingInterrupts).toEqual([]);
    expect(served.bodies.at(-1)).toMatchObject({
      resume: [{ status: "resolved", payload: { city: "Rome" } }],
    });
    expect([...served.errors, ...served.runtime.errors]).toEqual([]);
  });

  test("sends a form and a page as one round, when both are answered", async () => {
    const served = serve(both);
    const page = open(served);
    await page.say("Book");
    const form = await page.item(0);
    const connect = await page.item(1);
    expect(form.request.round).toMatchObject({ size: 2 });
    expect(connect.request).toMatchObject({ mode: "url", acceptMeans: "completion" });
    await page.client.accept(form.id, { city: "Rome" });
    expect(served.bodies).toHaveLength(1);
    expect(page.statuses()).toEqual(["answered", "pending"]);
    await page.client.decline(connect.id);
    expect(page.statuses()).toEqual(["accepted", "declined"]);
    await expect.poll(() => page.texts().at(-1)).toContain('"page":{"outcome":"declined"}');
    expect(page.texts().at(-1)).toContain('"city":"Rome"');
    expect(JSON.stringify(page.agent.messages)).not.toContain("hidden");
    expect(served.bodies[1]).toMatchObject({
      resume: [
        { status: "resolved" },
        { status: "cancelled", metadata: { "elicit-kit": { action: "decline" } } },
      ],
    });
  });

  test("keeps the card of an unfinished page, and ends it when the page is finished", async () => {
    const served = serve(asking(CONNECT));
    const page = open(served);
    await page.say("Connect");
    const { id } = await page.item();
    void page.client.connect(id);
    await page.client.accept(id);
    expect(await page.item()).toMatchObject({ id, status: "opened", notice: { code: "not-completed" } });
    const [elicitationId] = await lastOpen(served);
    await served.runtime.elicitations.complete(elicitationId!);
    await page.client.accept(id);
    expect(page.statuses()).toEqual(["accepted"]);
    await expect.poll(page.texts).toHaveLength(1);
  });

  test("ends the card of a finished page while the turn continues", async () => {
    const turn = createDeferred<void>();
    const served = serve(async function* run({ ask }) {
      yield { type: "start", messageId: "m1" };
      const { outcome } = await ask({ ...CONNECT, acceptMeans: "consent" });
      yield* text(`The page: ${outcome}`);
      await turn.promise;
      yield { type: "finish" };
    });
    const page = open(served);
    await page.say("Connect");
    const { id } = await page.item();
    void page.client.connect(id);
    await expect.poll(() => served.bodies).toHaveLength(2);
    const [elicitationId] = await lastOpen(served);
    await served.runtime.elicitations.complete(elicitationId!);
    await expect.poll(page.statuses).toEqual(["accepted"]);
    turn.resolve();
    await expect.poll(page.texts).toEqual(["The page: accepted"]);
  });

  describe("while a page is open that the user agreed to open, and a form comes,", () => {
    async function twoOpen(options: PageOptions = {}) {
      const isAgreed = createDeferred<void>();
      const served = serve(async function* run({ ask }) {
        const consent = ask({ ...CONNECT, acceptMeans: "consent" });
        const form = isAgreed.promise.then(() => ask(CITY));
        yield* text(JSON.stringify((await Promise.all([consent, form])).map(({ outcome }) => outcome)));
      });
      const page = open(served, options);
      await page.say("Connect");
      const { id } = await page.item();
      void page.client.connect(id);
      await expect.poll(() => served.bodies).toHaveLength(2);
      isAgreed.resolve();
      const form = await page.item(1);
      const [elicitationId] = await lastOpen(served);
      return { served, page, ids: [id, form.id] as const, elicitationId: elicitationId! };
    }
    const OPEN = { status: "opened", request: { progress: { status: "consented" } } };

    test("the page stays open, and the form is sent without waiting for it", async () => {
      const { served, page, ids, elicitationId } = await twoOpen();
      expect(await page.item(0)).toMatchObject(OPEN);
      // The page may say so before the form is answered.
      await page.client.accept(ids[0]);
      expect(await page.item(0)).toMatchObject(OPEN);
      void page.client.accept(ids[1], { city: "Rome" });
      await expect.poll(() => served.bodies).toHaveLength(3);
      await served.runtime.elicitations.complete(elicitationId);
      await expect.poll(page.texts).toEqual(['["accepted","accepted"]']);
      expect(page.statuses()).toEqual(["accepted", "accepted"]);
    });

    test("the tool gets the user's no to the page with the answer to the form", async () => {
      const { page, ids } = await twoOpen();
      void page.client.decline(ids[0]);
      await page.client.accept(ids[1], { city: "Rome" });
      await expect.poll(page.texts).toEqual(['["declined","accepted"]']);
      expect(page.statuses()).toEqual(["declined", "accepted"]);
    });

    test("the page ends while the form waits, and the card says how, once the form is answered", async () => {
      const { served, page, ids, elicitationId } = await twoOpen();
      await served.runtime.elicitations.decline(elicitationId);
      await page.client.accept(ids[1], { city: "Rome" });
      await expect.poll(page.texts).toEqual(['["declined","accepted"]']);
      expect(page.statuses()).toEqual(["declined", "accepted"]);
    });

    test("a page that was reloaded has both cards", async () => {
      const storage = createMemoryStorage();
      const { served, elicitationId } = await twoOpen({ storage });
      const after = open(served, { storage });
      expect(after.client.getSnapshot().items).toMatchObject([
        { status: "pending", request: { mode: "url", progress: { status: "consented" } } },
        { status: "pending", request: { mode: "form" } },
      ]);
      void after.client.accept((await after.item(1)).id, { city: "Rome" });
      await expect.poll(() => served.bodies).toHaveLength(3);
      await served.runtime.elicitations.complete(elicitationId);
      await expect.poll(after.statuses).toEqual(["accepted", "accepted"]);
    });
  });

  test("sends cancel when the user dismisses the question", async () => {
    const page = open(serve(asking(CITY)));
    await page.say("Book");
    await page.client.cancel((await page.item()).id);
    await expect.poll(page.texts).toEqual(['{"outcome":"cancelled"}']);
  });

  test("sends the answers of ten parallel interrupts as one round, each to its own question", async () => {
    const served = serve(async function* run(turn) {
      const questions = Array.from({ length: 10 }, (_, index) => ({
        ...CITY,
        message: `Question ${index}`,
        tool: { id: `t${index}`, name: "t" },
      }));
      yield* text(JSON.stringify(await turn.askRound(questions)));
    });
    const page = open(served);
    await page.say("Go");
    await page.item(9);
    for (const { id, request } of page.client.getSnapshot().items.toReversed()) {
      void page.client.accept(id, { city: request.message });
    }
    await expect.poll(page.texts).toHaveLength(1);
    expect(JSON.parse(page.texts()[0]!)).toEqual(
      Array.from({ length: 10 }, (_, index) => ({
        outcome: "accepted",
        content: { city: `Question ${index}` },
      })),
    );
    expect(served.bodies).toHaveLength(2);
  });

  test("keeps the questions of two threads of a user separate", async () => {
    const served = serve(asking(CITY));
    const one = open(served, { threadId: "one" });
    const two = open(served, { threadId: "two" });
    await Promise.all([one.say("Go"), two.say("Go")]);
    await two.client.accept((await two.item()).id, { city: "Rome" });
    expect(one.statuses()).toEqual(["pending"]);
    await one.client.accept((await one.item()).id, { city: "Oslo" });
    await expect.poll(one.texts).toEqual([expect.stringContaining("Oslo")]);
    expect(two.texts()).toEqual([expect.stringContaining("Rome")]);
  });

  test("gets an error when the agent fails, or after a resume a text, so that the thread stays usable", async () => {
    let isFirst = true;
    const served = serve(async function* run(turn) {
      yield { type: "start" };
      if (isFirst) {
        isFirst = false;
        throw new Error("secret");
      }
      await turn.ask(CITY);
      throw new Error("secret");
    });
    const page = open(served);
    await page.say("Go");
    await page.say("Again");
    await page.client.decline((await page.item()).id);
    await expect.poll(page.texts).toEqual(["The assistant could not finish its answer."]);
    expect(page.agent.pendingInterrupts).toEqual([]);
    await page.say("And again");
    expect(await page.item(1)).toMatchObject({ status: "pending" });
    expect(JSON.stringify(page.agent.messages)).not.toContain("secret");
  });
});

test("the page does not run a tool call that was left without a result when its turn failed", async () => {
  const served = serve(async function* run() {
    yield { type: "tool-input-available", toolCallId: "c1", toolName: "book", input: {} };
    yield { type: "error", errorText: "Sorry." };
  });
  const page = open(served);
  await page.say("Go").catch(() => {});
  expect(page.agent.messages.at(-1)).toMatchObject({ role: "tool", toolCallId: "c1", content: "failed" });
});

test.each([
  ["with its bytes", { data: "AA==" }],
  ["behind a link", { url: "https://files.example.com/a.png" }],
  ["named by an id alone", { id: "file-1" }],
])("an attachment of AG-UI 0.0.59 %s is repeated in a form that both versions read", async (_, source) => {
  const agent = new OlderAgent({
    url: "https://agent.example.com/agent",
    threadId: "thread-1",
    initialMessages: [
      {
        id: "u1",
        role: "user",
        content: [{ type: "binary", mimeType: "image/png", filename: "a.png", ...source }],
      },
    ],
    headers: { authorization: "Bearer ada" },
    fetch: serve(asking(CITY)).fetch,
  });
  await agent.runAgent();
  expect(agent.pendingInterrupts).toHaveLength(1);
  expect(JSON.stringify(agent.messages)).toContain("a.png");
});

describe("after a failure,", () => {
  test("when a stream breaks, the client asks again, and the thread stays usable", async () => {
    const served = serve(asking(CITY));
    const page = open(served);
    served.tamper = withoutEnd;
    await page.say("Book").catch(() => {});
    served.tamper = undefined;
    expect(page.statuses()).toEqual([]);
    await page.channel.recover();
    const { id } = await page.item();
    await page.client.accept(id, { city: "Rome" });
    await expect.poll(page.texts).toHaveLength(1);
  });

  test("a run in a thread with open interrupts starts no turn and reports them again", async () => {
    const served = serve(asking(CITY));
    await open(served).say("Book");
    const [asked] = await lastOpen(served);
    const other = open(served);
    await other.say("Something else");
    expect(await lastOpen(served)).toEqual([asked]);
    await other.client.accept((await other.item()).id, { city: "Rome" });
    await expect.poll(other.texts).toHaveLength(1);
  });

  test("a reload restores the open interrupts from the storage, and an answer continues the turn", async () => {
    const served = serve(both);
    const storage = createMemoryStorage();
    const before = open(served, { storage });
    await before.say("Book");
    const after = open(served, { storage, initialMessages: before.agent.messages });
    expect(after.statuses()).toEqual(["pending", "pending"]);
    for (const { id } of after.client.getSnapshot().items) void after.client.decline(id);
    await expect.poll(() => after.texts().at(-1)).toContain("declined");
    expect(after.texts()).toHaveLength(before.texts().length + 1);
    expect(storage.length).toBe(0);
  });

  test("`recover` restores the interrupts and the messages without storage", async () => {
    const served = serve(both);
    await open(served).say("Book");
    const page = open(served);
    await page.channel.recover();
    expect(page.texts()).toEqual(["One moment."]);
    expect(page.statuses()).toEqual(["pending", "pending"]);
  });

  test("`recover` does not run the agent if the thread has no open interrupts", async () => {
    let turns = 0;
    const served = serve(async function* run() {
      turns += 1;
      yield* text("Hello.");
    });
    const page = open(served);
    await page.channel.recover();
    expect(turns).toBe(0);
    await page.say("Hi");
    expect(turns).toBe(1);
    const again = open(served);
    await again.channel.recover();
    expect(turns).toBe(1);
    expect(again.texts()).toEqual(["Hello."]);
  });

  test("an answer whose reply was lost can be sent again, and the rest of the turn is read once", async () => {
    const served = serve(asking(CITY));
    const page = open(served);
    await page.say("Book");
    const { id } = await page.item();
    served.tamper = withoutEnd;
    await page.client.accept(id, { city: "Rome" });
    served.tamper = undefined;
    expect(await page.item()).toMatchObject({ status: "pending", notice: { code: "server-error" } });
    expect(page.agent.pendingInterrupts).toHaveLength(1);
    await page.client.accept(id, { city: "Rome" });
    expect(page.statuses()).toEqual(["accepted"]);
    await expect.poll(page.texts).toEqual([expect.stringContaining("Rome")]);
    await page.say("Again");
    expect(await page.item(1)).toMatchObject({ status: "pending" });
  });

  test("the client retries a resume that did not reach the server", async () => {
    const served = serve(asking(CITY));
    let isDown = false;
    const page = open({
      fetch: (url, init) => (isDown ? Promise.reject(new TypeError("offline")) : served.fetch(url, init)),
    });
    await page.say("Book");
    const { id } = await page.item();
    isDown = true;
    void page.client.accept(id, { city: "Rome" });
    await expect.poll(() => page.statuses()).toEqual(["undelivered"]);
    expect(page.agent.pendingInterrupts).toHaveLength(1);
    isDown = false;
    await page.client.retry(id);
    await expect.poll(page.texts).toHaveLength(1);
    expect(page.statuses()).toEqual(["accepted"]);
  });

  test("a turn stops when the client disconnects during a run, but not when it disconnects after an interrupt", async () => {
    const stopped: unknown[] = [];
    const served = serve(async function* run({ signal, ask }) {
      yield* text("…");
      if (stopped.length > 0) return void (await ask(CITY));
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      stopped.push(signal.reason);
    });
    const { url, close } = await listen({
      fetch: async (request) => served.fetch(request.url, await initOf(request)),
    });
    onTestFinished(close);
    const page = open({ fetch: (_, init) => fetch(url, init) });
    const said = page.say("Go");
    await expect.poll(page.texts).toHaveLength(1);
    page.agent.abortRun();
    await said.catch(() => {});
    await expect.poll(() => stopped).toHaveLength(1);
    await page.say("Next");
    page.agent.abortRun();
    expect(await lastOpen(served)).toHaveLength(1);
    expect(page.statuses()).toEqual(["pending"]);
  });

  test("a message is refused while the agent answers another one in another tab, and can be sent again", async () => {
    const ended = createDeferred<void>();
    const heard: unknown[] = [];
    const served = serve(async function* run({ messages }) {
      heard.push(messages.at(-1));
      yield* text("…");
      if (heard.length === 1) await ended.promise;
    });
    const [first, second] = [open(served), open(served)];
    const said = first.say("Go");
    await expect.poll(first.texts).toHaveLength(1);
    second.agent.addMessage({ id: "of the other tab", role: "user", content: "And a hotel" });
    await expect(second.agent.runAgent()).rejects.toThrow("409");
    ended.resolve();
    await said;
    await second.agent.runAgent();
    expect(heard).toMatchObject([{ id: "thread-1-user-1" }, { id: "of the other tab" }]);
  });

  test("the same message in another tab, or after a lost connection, reads the turn that answers it", async () => {
    const ended = createDeferred<void>();
    let turns = 0;
    const served = serve(async function* run() {
      turns += 1;
      yield* text("…");
      await ended.promise;
      yield* text("Done");
    });
    const [first, second] = [open(served), open(served)];
    const said = first.say("Go");
    await expect.poll(first.texts).toHaveLength(1);
    const read = second.say("Go");
    ended.resolve();
    await Promise.all([said, read]);
    expect(second.texts()).toEqual(first.texts());
    expect(turns).toBe(1);
  });

  test("a message right after a stop gets a turn of its own, however long the agent takes to stop", async () => {
    const stopped = createDeferred<void>();
    const heard: unknown[] = [];
    const served = serve(async function* run({ messages, signal }) {
      heard.push(messages.at(-1));
      if (heard.length > 1) return yield* text("Here it is.");
      yield* text("…");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      setTimeout(() => stopped.resolve(), 50);
      await stopped.promise;
    });
    const { url, close } = await listen({
      fetch: async (request) => served.fetch(request.url, await initOf(request)),
    });
    onTestFinished(close);
    const page = open({ fetch: (_, init) => fetch(url, init) });
    const said = page.say("Go");
    await expect.poll(page.texts).toHaveLength(1);
    page.agent.abortRun();
    await said.catch(() => {});
    await page.say("Something else");
    expect(page.texts().at(-1)).toBe("Here it is.");
    expect(heard).toHaveLength(2);
  });

  test("a turn continues when one of two tabs disconnects, and stops with the last one", async () => {
    const ended = createDeferred<void>();
    const served = serve(async function* run({ signal }) {
      signal.addEventListener("abort", () => ended.resolve());
      yield* text("…");
      await ended.promise;
    });
    const stops: string[] = [];
    const surface = served.runtime.surface("ag-ui");
    const watched = (turn: SurfaceTurn): SurfaceTurn => ({
      ...turn,
      stop(reason) {
        stops.push(reason);
        return turn.stop(reason);
      },
    });
    const { endpoint } = serve(
      asking(CITY),
      {},
      {
        runtime: {
          elicitations: served.runtime.elicitations,
          surface: () => ({
            ...surface,
            async start(input) {
              const turn = await surface.start(input);
              return "refused" in turn ? turn : watched(turn);
            },
            async find(user, where) {
              const turn = await surface.find(user, where);
              return turn && watched(turn);
            },
          }),
        },
      },
    );
    const begin = async (runId: string, recover: boolean) => {
      const messages = [{ id: "m1", role: "user", content: "Go" }];
      const forwardedProps = { "elicit-kit": { recover } };
      const response = await endpoint(
        new Request("https://agent.example.com/agent", {
          method: "POST",
          headers: { authorization: "Bearer ada", "content-type": "application/json" },
          body: JSON.stringify({ threadId: "thread-1", runId, messages, forwardedProps }),
        }),
      );
      const reader = response.body!.getReader();
      await reader.read();
      return reader;
    };
    const first = await begin("run-1", false);
    const second = await begin("run-2", true);
    await second.cancel();
    expect(stops).toEqual([]);
    await first.cancel();
    expect(stops).toEqual(["The client has disconnected."]);
    await ended.promise;
  });
});

describe("with invalid input,", () => {
  async function post(served: ReturnType<typeof serve>, body: object, headers: Record<string, string> = {}) {
    const response = await served.fetch("https://agent.example.com/agent", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer ada", ...headers },
      body: JSON.stringify({ threadId: "thread-1", runId: crypto.randomUUID(), messages: [], ...body }),
    });
    const wire = await response.text();
    const events = [...wire.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!));
    return { status: response.status, last: events.at(-1), events };
  }
  const go = { messages: [{ id: "u1", role: "user", content: "Go" }] };
  const entry = (interruptId: string, more: object = {}) => ({
    interruptId,
    status: "resolved",
    payload: { city: "Rome" },
    ...more,
  });

  test("a resume for an unknown interrupt is ignored, and the open ones are reported again", async () => {
    const served = serve(asking(CITY));
    const { last } = await post(served, go);
    const [{ id }] = last.outcome.interrupts;
    const again = await post(served, { resume: [entry("unknown.0"), "nonsense", { interruptId: 7 }] });
    expect(again.last).toMatchObject({
      outcome: { type: "interrupt", interrupts: [{ message: "Where to?" }] },
    });
    const done = await post(served, { resume: [entry(id), entry(id, { payload: { city: "Oslo" } })] });
    expect(done.last).toMatchObject({ outcome: { type: "success" } });
    expect(JSON.stringify(done.events)).toContain("Rome");
  });

  test("a resume in a thread without open interrupts succeeds with a text", async () => {
    const served = serve(asking(CITY));
    const { events, last } = await post(served, { resume: [entry("unknown")] });
    expect(last).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    expect(events.map(({ type }) => type)).toContain("TEXT_MESSAGE_CONTENT");
  });

  test("a repeated resume changes nothing and gives the same result", async () => {
    const served = serve(asking(CITY));
    const { last } = await post(served, go);
    const resume = [entry(last.outcome.interrupts[0].id)];
    const first = await post(served, { resume });
    const second = await post(served, { resume });
    const texts = ({ events }: typeof first) => events.filter(({ type }) => type.startsWith("TEXT"));
    expect(texts(second)).toEqual(texts(first));
    expect(second.last).toMatchObject({ outcome: { type: "success" } });
  });

  test("a resume for half of the round keeps that answer, and the other half is reported", async () => {
    const served = serve(both);
    const { last } = await post(served, go);
    const [form, page] = last.outcome.interrupts;
    const half = await post(served, { resume: [entry(form.id)] });
    expect(half.last.outcome).toMatchObject({ type: "interrupt", interrupts: [{ reason: page.reason }] });
    expect(half.last.outcome.interrupts).toHaveLength(1);
    const rest = { interruptId: half.last.outcome.interrupts[0].id, status: "cancelled" };
    expect((await post(served, { resume: [rest] })).last).toMatchObject({ outcome: { type: "success" } });
  });

  test.each([
    ["no object", "Rome"],
    ["nested content", { city: { name: "Rome" } }],
    ["content that does not fit", { city: "R" }],
    ["nothing", undefined],
  ])("the question is repeated, three times at most, for %s as an answer", async (_, payload) => {
    const served = serve(asking(CITY));
    let { last } = await post(served, go);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const [{ id, message }] = last.outcome.interrupts;
      if (attempt > 1) expect(message.length).toBeGreaterThan("Where to?".length);
      ({ last } = await post(served, { resume: [entry(id, { payload })] }));
    }
    expect(last).toMatchObject({ outcome: { type: "success" } });
  });

  test("after an invalid answer, another process repeats the question with the reason, three times at most in total", async () => {
    const ports = {
      records: createMemoryRecords(),
      waiter: createMemoryWaiter(),
      stream: createMemoryTurnStream(),
    };
    const processes = [serve(asking(CITY), { ports }), serve(asking(CITY), { ports })] as const;
    const [first, second] = processes;
    let { last } = await post(first, go);
    for (const [answering, reading] of [
      [first, second],
      [second, first],
    ] as const) {
      const resume = [entry(last.outcome.interrupts[0].id, { payload: { city: "R" } })];
      await post(answering, { resume });
      // A run without `resume` reports them again.
      ({ last } = await post(reading, go));
      expect(last.outcome.interrupts[0].message).toMatch(/^Where to\?\n\nPlease check: city does not fit/);
    }
    const resume = [entry(last.outcome.interrupts[0].id, { payload: { city: "R" } })];
    expect((await post(first, { resume })).last).toMatchObject({ outcome: { type: "success" } });
  });

  test("an answer beyond the rate limit gets 429, and counts when it is sent again", async () => {
    let writes = 0;
    const writeLimit = (): Allowed => {
      writes += 1;
      return writes > 1 && writes < 6 ? { ok: false, retryAfter: 7 } : { ok: true };
    };
    const served = serve(asking(CITY), { ports: { writeLimit } });
    const { last } = await post(served, go);
    const resume = [entry(last.outcome.interrupts[0].id)];
    for (let times = 0; times < 4; times += 1) {
      const { status, events } = await post(served, { resume });
      expect([status, events]).toEqual([429, []]);
    }
    const { events } = await post(served, { resume });
    expect(JSON.stringify(events)).toContain("Rome");
  });

  test("a form that asks for a secret is never shown as a form", async () => {
    const requestedSchema = { type: "object", properties: { password: { type: "string" } } } as const;
    const secret = asking({ ...CITY, requestedSchema });
    const refused = await post(serve(secret), go);
    expect(refused.last).toMatchObject({ outcome: { type: "success" } });
    expect(JSON.stringify(refused.events)).toContain("the form asks for a secret");

    const hostedPage = { origin: "https://auth.example.com" };
    const { last } = await post(serve(secret, { hostedPage }), go);
    const [interrupt] = last.outcome.interrupts;
    expect(interrupt).toMatchObject({
      reason: "confirmation",
      message: expect.stringContaining("https://auth.example.com/auth/answer?elicitationId="),
    });
    expect(interrupt).not.toHaveProperty("responseSchema");
  });

  test("a user cannot answer another user's questions, and a run without a user is refused", async () => {
    const served = serve(asking(CITY));
    const { last } = await post(served, go);
    const resume = [entry(last.outcome.interrupts[0].id)];
    const eve = await post(served, { resume }, { authorization: "Bearer eve" });
    expect(eve.last).toMatchObject({ outcome: { type: "success" } });
    expect(await lastOpen(served)).toHaveLength(1);
    const anonymous = await post(served, { ...go, threadId: "t2" }, { authorization: "" });
    expect(anonymous).toMatchObject({ status: 401, events: [] });
  });

  test.each([
    ["another type than JSON", { "content-type": "text/plain" }, {}, 415],
    ["no thread", {}, { threadId: "" }, 400],
    ["messages that are none", {}, { messages: [1] }, 400],
    ["a resume that is no list", {}, { resume: {} }, 400],
    ["a body that is too large", {}, { pad: "x".repeat(1024 * 1024) }, 413],
  ])("%s is refused", async (_, headers, body, status) => {
    expect((await post(serve(asking(CITY)), body, headers)).status).toBe(status);
  });
});

/** Drops everything after the start of the run, like a broken connection. The server has sent everything. */
function withoutEnd(response: Response): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const whole = await response.text();
      controller.enqueue(new TextEncoder().encode(`${whole.split("\n\n")[0]}\n\n`));
      controller.close();
    },
  });
  return new Response(body, response);
}

async function initOf(request: Request): Promise<RequestInit> {
  return {
    method: request.method,
    headers: request.headers,
    body: await request.text(),
    signal: request.signal,
  };
}
