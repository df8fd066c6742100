import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createMemoryDecisionLog } from "../../../extras/audit/index.ts";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { type Question, type RunTurn, createMemoryRecords } from "../index.ts";
import type { RuntimeOptions } from "../runtime-options.ts";

const MINUTE = 60_000;

/** Ada's agent asks her `question` at twelve o'clock. */
async function ask(question: Question = CITY, options: Partial<RuntimeOptions> = {}, runTurn?: RunTurn) {
  const runtime = createTestRuntime(runTurn ?? asking(question), options);
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const request = await stream.request();
  const { elicitationId } = request;
  const extend = async (id = elicitationId, as = ada) => {
    const response = await as.fetch(`/run/api/elicitations/${id}/extend`, { body: {} });
    return { status: response.status, body: await response.json() };
  };
  const answer = () => ada.answer("c1", { elicitationId, action: "accept", content: { city: "Lisbon" } });
  return { runtime, ada, stream, request, elicitationId, extend, answer };
}

const resultIn = (chunks: readonly Readonly<Record<string, unknown>>[]): unknown =>
  JSON.parse(String(chunks.find(({ type }) => type === "text-delta")?.["delta"]));

test("a user who asks for more time gets as long as at first, and their later answer counts", async () => {
  const { runtime, stream, request, extend, answer, elicitationId } = await ask();
  expect(request).toMatchObject({
    expiresAt: "2026-11-20T12:10:00.000Z",
    extendableUntil: "2026-11-20T14:00:00.000Z",
  });
  await runtime.clock.advanceAsync(9 * MINUTE);
  const expiresAt = "2026-11-20T12:20:00.000Z";
  expect(await extend()).toEqual({ status: 200, body: { success: true, elicitationId, expiresAt } });
  await stream.request(0, (again) => again.expiresAt === expiresAt);
  await runtime.clock.advanceAsync(10 * MINUTE);
  expect((await answer()).status).toBe(200);
  await stream.done;
  expect(resultIn(stream.chunks)).toEqual({ outcome: "accepted", content: { city: "Lisbon" } });
});

test.each([
  ["form", CITY],
  ["page", CONNECT],
])(
  "a %s whose user got more time expires at the new end, and the agent reads how long it was",
  async (_, question) => {
    const { runtime, stream, extend } = await ask(question);
    await runtime.clock.advanceAsync(9 * MINUTE);
    await extend();
    await runtime.clock.advanceAsync(10.9 * MINUTE);
    expect(JSON.stringify(stream.chunks)).not.toContain("expired");
    await runtime.clock.advanceAsync(MINUTE);
    await stream.done;
    // Silence is never consent: without an answer the agent gets `expired`, however often the user asked for time.
    expect(resultIn(stream.chunks)).toEqual({ outcome: "expired", afterMs: 20 * MINUTE });
    expect(runtime.errors).toEqual([]);
  },
);

test("a user can ask for more time at least ten times, and reads before when the last time ends", async () => {
  const { ada, extend, elicitationId, answer } = await ask();
  for (let time = 1; time <= 10; time += 1) expect((await extend()).status).toBe(200);
  expect(await extend()).toMatchObject({ status: 200, body: { expiresAt: "2026-11-20T14:00:00.000Z" } });
  expect(await extend()).toMatchObject({ status: 403 });
  const report = await (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json();
  expect(report).toMatchObject({ status: "pending", expiresAt: "2026-11-20T14:00:00.000Z" });
  await answer();
  expect(await extend()).toMatchObject({ status: 409, body: { outcome: "accepted" } });
});

test("the server decides how much time there is, and a question that gets no more does not offer it", async () => {
  const few = await ask(CITY, { timeToAnswer: { maxExpiresInMs: 15 * MINUTE } });
  expect(few.request.extendableUntil).toBe("2026-11-20T12:15:00.000Z");
  expect((await few.extend()).body).toMatchObject({ expiresAt: "2026-11-20T12:15:00.000Z" });
  const long = await ask({ ...CITY, expiresInMs: 60 * MINUTE });
  expect(long.request.extendableUntil).toBe("2026-11-20T23:00:00.000Z");
  for (const none of [
    await ask(CITY, { timeToAnswer: { maxExpiresInMs: 0 } }),
    await ask({ ...CITY, maxExpiresInMs: 0 }),
  ]) {
    expect(none.request).not.toHaveProperty("extendableUntil");
    expect(await none.extend()).toMatchObject({ status: 403 });
  }
});

test("only the user who is asked can ask for more time", async () => {
  const { runtime, extend, ada, elicitationId } = await ask();
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const nobody = createChatClient(runtime.fetch);
  expect((await extend(elicitationId, bob)).status).toBe(404);
  expect((await extend(elicitationId, nobody)).status).toBe(401);
  expect((await extend("unknown", ada)).status).toBe(404);
});

test("more time for one question of a round is more time for all of them", async () => {
  const { runtime, stream, extend } = await ask(CITY, {}, async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    await turn.askRound([CITY, { ...CITY, message: "And then?", key: "then" }]);
    yield { type: "finish" };
  });
  await runtime.clock.advanceAsync(9 * MINUTE);
  await extend();
  const expiresAt = "2026-11-20T12:20:00.000Z";
  const later = (index: number) => stream.request(index, (request) => request.expiresAt === expiresAt);
  const ids = (await Promise.all([later(0), later(1)])).map((request) => request.elicitationId);
  expect(new Set(ids).size).toBe(2);
  await stream.cancel();
});

test("more time is no decision, so the log of decisions does not record it", async () => {
  const decisions = createMemoryDecisionLog();
  const clock = createManualClock();
  const { extend } = await ask(CITY, {
    ports: { records: decisions.watch(createMemoryRecords({ clock })), clock },
  });
  await extend();
  expect((await decisions.read({ limit: 10 })).map(({ event }) => event)).toEqual(["asked"]);
});
