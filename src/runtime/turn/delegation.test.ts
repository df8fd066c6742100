import { expect, test } from "vitest";
import { createChatClient, readStream } from "../../../test/stages/chat-client.ts";
import { CITY, CONNECT, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import type { RunTurn, Turn } from "../index.ts";
import type { TurnEvent } from "../internal.ts";

/** Runs an agent to its end and returns its text. */
async function resultOf(agent: RunTurn, turn: Turn): Promise<string> {
  let said = "";
  for await (const chunk of (await agent(turn)) as AsyncIterable<{ type: string; delta?: string }>) {
    if (chunk.type === "text-delta") said += chunk.delta;
  }
  return said;
}

/** Two levels: the concierge delegates to the travel agent, which delegates to the booking agent, which asks. */
const booking: RunTurn = async function* run(turn) {
  const [city, account] = await Promise.all([turn.ask(CITY), turn.ask(CONNECT)]);
  yield* text(
    `${city.outcome === "accepted" ? String(city.content["city"]) : city.outcome}/${account.outcome}`,
  );
};
const travel: RunTurn = async function* run(turn) {
  yield* text(await resultOf(booking, turn.delegate({ id: "call_1", messages: [] })));
};
const concierge: RunTurn = async function* run(turn) {
  yield { type: "start" };
  yield* text(`Booked: ${await resultOf(travel, turn.delegate({ id: "call_1", messages: [] }))}`);
};

test("a request of an agent two delegations down is shown on the stream of the parent, and its answer reaches that agent", async () => {
  const runtime = createTestRuntime(concierge);
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const form = await stream.request(0, ({ mode }) => mode === "form");
  const url = await stream.request(0, ({ mode }) => mode === "url");
  await ada.answer("c1", { elicitationId: url.elicitationId, action: "decline" });
  await ada.answer("c1", { elicitationId: form.elicitationId, action: "accept", content: { city: "Faro" } });
  await stream.done;
  expect(stream.chunks).toContainEqual({ type: "text-delta", id: "t1", delta: "Booked: Faro/declined" });
});

test("code in the process can subscribe to the requests of a stream, and a failing listener has no effect", async () => {
  const events: TurnEvent[] = [];
  const runtime = createTestRuntime(async function* run(turn) {
    const deeper = turn.delegate({ id: "call_1", messages: [] }).delegate({ id: "call_1", messages: [] });
    expect(deeper.streamRequestId).toBe(turn.id);
    expect(deeper.id).not.toBe(turn.id);
    runtime.subscribe(deeper.streamRequestId, () => {
      throw new Error("faulty");
    });
    runtime.subscribe(deeper.streamRequestId, (event) => events.push(event));
    await deeper.ask(CITY);
    yield* text("done");
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Oslo" } });
  await stream.done;
  expect(events).toMatchObject([
    { type: "elicitation-needed", request: { elicitationId } },
    { type: "elicitation-resolved", request: { elicitationId, resolution: { outcome: "accepted" } } },
  ]);
  expect(JSON.stringify(events)).not.toContain("Oslo");
  expect(runtime.errors).toHaveLength(2);
});

test("ending a delegated agent withdraws its requests and does not affect the parent turn", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    const abort = new AbortController();
    const asked = turn.delegate({ id: "call_1", messages: [], signal: abort.signal }).ask(CITY);
    const stop = runtime.subscribe(turn.id, () => abort.abort(new Error("no longer needed")));
    const { outcome } = await asked;
    stop();
    yield* text(`${outcome} ${turn.signal.aborted}`);
  });
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await stream.done;
  expect(stream.chunks).toContainEqual({ type: "text-delta", id: "t1", delta: "withdrawn false" });
});

test("when the agent that has asked to connect is ended, another agent that needs the account asks the user again", async () => {
  const abort = new AbortController();
  const runtime = createTestRuntime(async function* run(turn) {
    const first = turn.delegate({ id: "call_1", messages: [], signal: abort.signal }).ask(CONNECT);
    const second = turn.ask(CONNECT);
    yield* text(`${(await first).outcome} ${(await second).outcome}`);
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const shared = await stream.request();
  abort.abort(new Error("no longer needed"));
  const { elicitationId } = await stream.request(
    0,
    (request) => request.elicitationId !== shared.elicitationId,
  );
  await runtime.elicitations.complete(elicitationId);
  await stream.done;
  expect(stream.chunks).toContainEqual({ type: "text-delta", id: "t1", delta: "withdrawn accepted" });
});

test("when the user refuses one agent, the other agents of the turn get the same refusal", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    const first = await turn.delegate({ id: "call_1", messages: [] }).ask(CONNECT);
    const second = await turn.ask(CONNECT);
    yield* text(`${first.outcome} ${second.outcome}`);
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "cancel" });
  await stream.done;
  expect(stream.chunks).toContainEqual({ type: "text-delta", id: "t1", delta: "cancelled cancelled" });
});

test("an approval and an elicitation in one turn are independent, each with its own answer", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield { type: "tool-input-available", toolCallId: "own", toolName: "delete_file", input: {} } as never;
    const allowed = new Map<string, boolean>();
    const decided = new Promise<void>((resolve) => {
      runtime.subscribe(turn.streamRequestId, (event) => {
        if (event.type === "approval-resolved") allowed.set(event.toolCallId, event.approved);
        if (allowed.size === 2) resolve();
      });
    });
    for (const toolCallId of ["own", "delegated"]) {
      runtime.publishApproval(turn.streamRequestId, {
        type: "approval-needed",
        approvalId: `approval-${toolCallId}`,
        toolCallId,
        toolName: "delete_file",
        input: { path: "/tmp/x" },
      });
    }
    const [city] = await Promise.all([turn.ask(CITY), decided]);
    yield* text(`${city.outcome} ${JSON.stringify([...allowed])}`);
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  const turnId = String(stream.chunks[0]?.["messageId"]);
  runtime.publishApproval(turnId, { type: "approval-resolved", toolCallId: "own", approved: false });
  runtime.publishApproval(turnId, { type: "approval-resolved", toolCallId: "delegated", approved: true });
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  const about = (id: string) =>
    stream.chunks.filter(({ toolCallId }) => toolCallId === id).map(({ type }) => type);
  expect(about("own")).toEqual(["tool-input-available", "tool-approval-request", "tool-output-denied"]);
  expect(about("delegated")).toEqual([
    "tool-input-available",
    "tool-approval-request",
    "tool-output-available",
  ]);
  expect(
    stream.chunks.filter(({ type }) => type === "tool-approval-response").map(({ approved }) => approved),
  ).toEqual([false, true]);
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: 'declined [["own",false],["delegated",true]]' }),
  );
});

test("an agent below an OpenAI-style stream can ask on that stream", async () => {
  const runtime = createTestRuntime(concierge);
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const response = await ada.fetch("/run/v1/chat/completions", {
    headers: { "x-supports-elicitation": "true" },
    body: { conversationId: "c1", stream: true, messages: [{ role: "user", content: "Go" }] },
  });
  const stream = readStream(response);
  let open: { elicitationId: string }[] = [];
  while (open.length < 2) {
    ({ elicitations: open } = await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json());
  }
  for (const { elicitationId } of open) await ada.answer("c1", { elicitationId, action: "cancel" });
  await stream.done;
  expect(JSON.stringify(stream.chunks)).toContain("Booked: cancelled/cancelled");
});
