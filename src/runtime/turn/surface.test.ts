import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import {
  CITY,
  CONNECT,
  type TestRuntime,
  asking,
  createTestRuntime,
  text,
} from "../../../test/stages/test-runtime.ts";
import type { RunTurn, RuntimeOptions } from "../index.ts";
import type { Surface, SurfaceTurn, TurnStart } from "../internal.ts";
import { originalOf } from "../../base/foreign-error.ts";

const ADA = { id: "ada" };
const BOTH = { url: true, form: true };
const { signal } = new AbortController();

/** A surface for another protocol, and a chat beside it. */
function setUp(runTurn: RunTurn = asking(CITY), options: Partial<RuntimeOptions> = {}) {
  const runtime = createTestRuntime(runTurn, options);
  const surface = runtime.surface("pigeon");
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  return { runtime, surface, ada, start: (input: Partial<TurnStart> = {}) => started(surface, input) };
}

async function started(surface: Surface, input: Partial<TurnStart> = {}): Promise<SurfaceTurn> {
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "Go" }] }];
  const turn = await surface.start({
    user: ADA,
    conversationId: "loft:7",
    messages,
    supports: BOTH,
    ...input,
  });
  if ("refused" in turn) throw new Error(`refused: ${turn.refused}`);
  return turn;
}

async function types(turn: SurfaceTurn, from: { after?: number } = {}): Promise<string[]> {
  const read: string[] = [];
  for await (const { chunk } of turn.read({ ...from, live: false, signal })) read.push(chunk.type);
  return read;
}

async function ended(turn: SurfaceTurn): Promise<string> {
  let log = "";
  for await (const { chunk } of turn.read({ live: true, signal })) log += JSON.stringify(chunk);
  return log;
}

async function firstOpen(turn: SurfaceTurn): Promise<string> {
  await expect.poll(() => turn.open()).not.toEqual([]);
  return (await turn.open())[0]!.elicitationId;
}

test("a surface starts a turn, reads its log, lists its open requests, and answers them", async () => {
  const { runtime, start } = setUp();
  const turn = await start({ ref: { message: "7.1" } });
  expect(turn).toMatchObject({ conversationId: "loft:7", ref: { message: "7.1" } });
  const elicitationId = await firstOpen(turn);
  expect(await turn.open()).toMatchObject([{ elicitationId, mode: "form", message: "Where to?" }]);
  const [cursor] = [0];
  expect(await types(turn)).toEqual(["start", "data-elicitation-request"]);
  expect(await types(turn, { after: cursor })).toEqual(["data-elicitation-request"]);
  expect((await runtime.elicitations.get(elicitationId))?.surface).toBe("pigeon");

  const log = ended(turn);
  const misfit = { elicitationId, action: "accept", content: {} } as const;
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } } as const;
  expect(await turn.answer([misfit, answer, answer])).toEqual([
    { kind: "invalid", errors: [expect.objectContaining({ field: "city" })] },
    { kind: "settled", outcome: "accepted", alreadyProcessed: false },
    { kind: "settled", outcome: "accepted", alreadyProcessed: true },
  ]);
  expect(await log).toContain("Rome");
  expect(await turn.open()).toEqual([]);
  expect(runtime.errors).toEqual([]);
});

test("a turn can be found by its id, conversation or requests, only for its own user and surface", async () => {
  const { runtime, surface, start } = setUp();
  const turn = await start({ ref: { message: "7.1" } });
  const elicitationId = await firstOpen(turn);
  for (const where of [{ turnId: turn.id }, { conversationId: "loft:7" }, { elicitationId }]) {
    expect(await surface.find(ADA, where)).toMatchObject({ id: turn.id, ref: { message: "7.1" } });
    expect(await surface.find({ id: "bob" }, where)).toBeUndefined();
    expect(await runtime.surface("raven").find(ADA, where)).toBeUndefined();
  }
  expect(await surface.find(ADA, { conversationId: "loft:8" })).toBeUndefined();
  await turn.stop("enough");
});

test("a turn does not know the requests of another turn or user", async () => {
  const { start } = setUp();
  const [turn, other] = [await start(), await start({ conversationId: "loft:8" })];
  const bob = await start({ user: { id: "bob" } });
  const answers = [await firstOpen(other), await firstOpen(bob)].map((elicitationId) => ({
    elicitationId,
    action: "decline" as const,
  }));
  expect(await turn.answer(answers)).toEqual([{ kind: "unknown" }, { kind: "unknown" }]);
  expect(await other.open()).toHaveLength(1);
});

test("an event that is sent twice starts one turn per user and surface", async () => {
  const { runtime, start } = setUp();
  const first = await start({ startId: "event-1", keepMs: 1000 });
  const elicitationId = await firstOpen(first);
  expect((await start({ startId: "event-1" })).id).toBe(first.id);
  expect((await start({ startId: "event-1", user: { id: "bob" } })).id).not.toBe(first.id);
  expect((await started(runtime.surface("raven"), { startId: "event-1", conversationId: "x" })).id).not.toBe(
    first.id,
  );
  expect(await first.open()).toMatchObject([{ elicitationId }]);
  await first.stop("enough");
  // A late duplicate must not start a second turn either, after the first has ended.
  expect((await start({ startId: "event-1" })).id).toBe(first.id);
});

test("a surface chooses whether a new message replaces the open turn or is refused", async () => {
  const { surface, start } = setUp();
  const first = await start();
  await firstOpen(first);
  const refused = {
    user: ADA,
    conversationId: "loft:7",
    messages: [],
    supports: BOTH,
    ifOpen: "refuse",
  } as const;
  expect(await surface.start(refused)).toEqual({ refused: "busy", turnId: first.id });
  expect(await first.open()).toHaveLength(1);
  const second = await start();
  await firstOpen(second);
  expect(await first.open()).toEqual([]);
  expect(await surface.find(ADA, { turnId: first.id })).toBeUndefined();
  await second.stop("enough");
  expect("refused" in (await surface.start(refused))).toBe(false);
});

test("the log of an ended turn can be read as long as the surface has asked for", async () => {
  const { runtime, surface, start, ada } = setUp();
  const turn = await start({ keepMs: 60_000 });
  await firstOpen(turn);
  await turn.stop("enough");
  expect(await types(turn)).toEqual([
    "start",
    "data-elicitation-request",
    "data-elicitation-request",
    "abort",
  ]);
  expect((await surface.find(ADA, { conversationId: "loft:7" }))?.id).toBe(turn.id);
  expect((await ada.fetch("/run/api/chat/loft:7/stream")).status).toBe(204);
  runtime.clock.advance(59_999);
  expect((await surface.find(ADA, { turnId: turn.id }))?.id).toBe(turn.id);
  runtime.clock.advance(1);
  expect(await surface.find(ADA, { turnId: turn.id })).toBeUndefined();
  expect(await types(turn)).toEqual([]);
  expect(runtime.clock.waiting).toBe(0);
});

test("a turn without a user cannot ask, and cannot be found", async () => {
  const { surface, start } = setUp();
  const turn = await start({ user: undefined });
  expect(await ended(turn)).toContain("unsupported");
  expect(await turn.open()).toEqual([]);
  expect(await turn.answer([{ elicitationId: "e1", action: "decline" }])).toEqual([{ kind: "unknown" }]);
  expect(await surface.find(ADA, { turnId: turn.id })).toBeUndefined();
});

test("the agent gets the kind of its surface, and the surface sets the time limit for the user", async () => {
  let surface = "";
  const { runtime, start } = setUp(async function* run(turn) {
    ({ surface } = turn);
    yield* text((await turn.ask(CITY)).outcome);
  });
  const turn = await start({ expiresInMs: 5000 });
  const elicitationId = await firstOpen(turn);
  expect(surface).toBe("pigeon");
  const { createdAt, expiresAt } = (await runtime.elicitations.get(elicitationId))!;
  expect(expiresAt - createdAt).toBe(5000);
  await turn.stop("enough");
});

test("the limits of the runtime apply to a surface, which gets a retryAfter", async () => {
  const { surface, start } = setUp(asking(CITY), { limits: { writesPerMinute: 2, turns: { perPerson: 1 } } });
  const input = { user: ADA, conversationId: "loft:8", messages: [], supports: BOTH };
  await start();
  expect(await surface.start(input)).toEqual({ refused: "limit", of: "sender", retryAfter: 10 });
  expect(await surface.start(input)).toEqual({ refused: "limit", of: "sender", retryAfter: 60 });
  const anonymous = { ...input, user: undefined, limitKey: "203.0.113.7" };
  for (const conversationId of ["1", "2"]) await surface.start({ ...anonymous, conversationId });
  expect(await surface.start(anonymous)).toMatchObject({ refused: "limit" });
});

test("an answer through a surface counts as a write: beyond the limit it is refused with a time to wait", async () => {
  const { start, runtime } = setUp(asking(CITY), { limits: { writesPerMinute: 2 } });
  const turn = await start();
  const elicitationId = await firstOpen(turn);
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } } as const;
  const misfit = { ...answer, content: { city: 7 } };
  expect(await turn.answer([misfit, answer])).toMatchObject([
    { kind: "invalid" },
    { kind: "limited", retryAfter: 60 },
  ]);
  runtime.clock.advance(60_000);
  expect(await turn.answer([answer])).toMatchObject([{ kind: "settled", outcome: "accepted" }]);
});

test("messages of a surface are counted in bytes, not in characters", async () => {
  const { surface } = setUp(asking(CITY), { limits: { turns: { bytesPerPerson: 6000 } } });
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "€".repeat(2500) }] }];
  const input = { user: ADA, conversationId: "loft:7", messages, supports: BOTH };
  expect(await surface.start(input)).toMatchObject({ refused: "limit", of: "sender" });
});

test("a closed runtime starts no turn", async () => {
  const { runtime, surface } = setUp();
  await runtime.close();
  const input = { user: ADA, conversationId: "loft:7", messages: [], supports: BOTH };
  expect(await surface.start(input)).toEqual({ refused: "closed", retryAfter: 5 });
});

test("a ref that is too large is refused", async () => {
  const { start } = setUp();
  await expect(start({ ref: { page: "x".repeat(5000) } })).rejects.toThrow("4096");
});

const consented = async (runtime: TestRuntime, turn: SurfaceTurn) => {
  const elicitationId = await firstOpen(turn);
  const accept = { elicitationId, action: "accept", acceptMeans: "consent" } as const;
  expect(await turn.answer([accept])).toEqual([{ kind: "consented" }]);
  expect((await runtime.elicitations.get(elicitationId))?.status).toBe("consented");
  expect(await turn.open()).toMatchObject([{ elicitationId, progress: { status: "consented" } }]);
  return elicitationId;
};

test("a surface gets the outcome and the answer only of its own questions", async () => {
  const { start } = setUp(asking(CITY));
  const [turn, other] = [await start(), await start({ conversationId: "another" })];
  const elicitationId = await firstOpen(turn);
  expect(await turn.settlement(elicitationId, { signal })).toBeUndefined();
  await turn.answer([{ elicitationId, action: "accept", content: { city: "Rome" } }]);
  expect(await turn.settlement(elicitationId, { signal })).toEqual({
    outcome: "accepted",
    content: { city: "Rome" },
  });
  expect(await other.settlement(elicitationId, { signal })).toBeUndefined();
});

test("an accept of a surface that means consent is stored as consent, and the completion of the page ends the request", async () => {
  const { runtime, start } = setUp(asking(CONNECT));
  const turn = await start();
  const elicitationId = await consented(runtime, turn);
  expect(await turn.answer([{ elicitationId, action: "accept", acceptMeans: "consent" }])).toEqual([
    { kind: "consented" },
  ]);
  await runtime.elicitations.complete(elicitationId);
  expect(await ended(turn)).toContain("accepted");
});

test("a consent ends the request as accepted if the account is already connected", async () => {
  const { start } = setUp(asking(CONNECT), { isCompleted: () => true });
  const turn = await start();
  const elicitationId = await firstOpen(turn);
  expect(await turn.answer([{ elicitationId, action: "accept", acceptMeans: "consent" }])).toMatchObject([
    { kind: "settled", outcome: "accepted" },
  ]);
});

test.each([
  ["resolves", () => Promise.resolve(), "accepted"],
  ["rejects", () => Promise.reject(new Error("the call was cancelled")), "withdrawn"],
])(
  "when a remote call %s, its request ends, and the call has learned of the consent and each 'I have finished'",
  async (_, outcomeOfCall, outcome) => {
    let consents = 0;
    let endCall = (): void => undefined;
    const called = new Promise<void>((resolve) => (endCall = resolve)).then(outcomeOfCall);
    const { runtime, start } = setUp(
      asking({ ...CONNECT, onConsent: () => (consents += 1), completed: called }),
    );
    const turn = await start();
    const elicitationId = await consented(runtime, turn);
    await turn.answer([{ elicitationId, action: "accept", acceptMeans: "consent" }]);
    expect(consents).toBe(2);
    endCall();
    expect(await ended(turn)).toContain(`{\\"outcome\\":\\"${outcome}\\"`);
    expect((await runtime.elicitations.get(elicitationId))?.status).toBe(outcome);
    expect(runtime.errors).toEqual([]);
  },
);

test("a second endpoint of the same kind is refused, because its clients would find turns of the first", () => {
  const runtime = createTestRuntime(asking(CITY));
  const url = "https://agent.example.com/sales";
  runtime.surface("pigeon", { url });
  const other = "https://agent.example.com/support";
  expect(() => runtime.surface("pigeon", { url: other })).toThrow(
    `elicit-kit: two surfaces of this runtime have the kind "pigeon": at ${url} and at ${other}.`,
  );
  runtime.surface("pigeon-support", { url: other });
  // A module of the application may be loaded again.
  runtime.surface("pigeon", { url });
});

test("the surface's `deliver` is called in the process that runs the turn, until the turn ends", async () => {
  const delivered: string[] = [];
  const runtime = createTestRuntime(asking(CITY));
  const deliver = async (turn: SurfaceTurn): Promise<void> => {
    for await (const { chunk } of turn.read({ live: true, signal })) delivered.push(chunk.type);
    delivered.push(`to ${String(turn.ref["channel"])}`);
    throw new Error("could not be delivered");
  };
  const surface = runtime.surface("pigeon", { deliver });
  expect(() => runtime.surface("pigeon", { deliver })).toThrow("already exists");
  const turn = await started(surface, { ref: { channel: "C7" } });
  await firstOpen(turn);
  await started(runtime.surface("raven"), { conversationId: "x" });
  await runtime.close();
  expect(delivered).toEqual([
    "start",
    "data-elicitation-request",
    "data-elicitation-request",
    "error",
    "to C7",
  ]);
  expect(runtime.errors.map(originalOf)).toEqual([new Error("could not be delivered")]);
});
