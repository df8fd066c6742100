import { context, metrics, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createMemoryProcesses } from "../../../test/stages/memory-processes.ts";
import { CITY, CONNECT, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { type Question, type RuntimeOptions, createMemoryRecords } from "../../runtime/index.ts";
import type { TelemetryAttributes } from "../../runtime/internal.ts";
import { originalOf } from "../../base/foreign-error.ts";

const spans = new InMemorySpanExporter();
const counters = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: counters, exportIntervalMillis: 3_600_000 });
const meters = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  metrics.setGlobalMeterProvider(meters);
});
afterAll(async () => {
  await meters.shutdown();
  trace.disable();
  metrics.disable();
  context.disable();
});

function setUp(question: Question, options: Partial<RuntimeOptions> = {}) {
  spans.reset();
  const lines: [string, TelemetryAttributes][] = [];
  const runtime = createTestRuntime(
    async function* run(turn) {
      const result = await trace.getTracer("app").startActiveSpan("tool", async (span) => {
        const asked = await turn.ask(question);
        span.end();
        return asked;
      });
      yield* text(JSON.stringify(result));
    },
    {
      telemetry: {
        tracer: trace.getTracer("elicit-kit"),
        meter: metrics.getMeter("elicit-kit"),
        logger: { info: (message, attributes) => void lines.push([message, attributes]) },
      },
      ...options,
    },
  );
  return { runtime, lines, ada: createChatClient(runtime.fetch, { user: "ada" }) };
}

const milliseconds = ({ duration: [seconds, nanos] }: ReadableSpan) => seconds * 1000 + nanos / 1e6;

/** The increments of a metric since the last call, by one of its attributes. A counter that starts at zero is left out. */
async function counted(
  name = "elicitation.outcomes",
  by = "elicitation.outcome",
): Promise<Record<string, number>> {
  counters.reset();
  await reader.forceFlush();
  const collected = counters.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
  const outcomes: Record<string, number> = {};
  for (const metric of collected.flatMap((scope) => scope.metrics)) {
    if (metric.descriptor.name !== name) continue;
    for (const { attributes, value } of metric.dataPoints) {
      if (value === 0 && name !== "elicitation.waiting") continue;
      const key = String(attributes[by]);
      outcomes[key] = (outcomes[key] ?? 0) + Number(value);
    }
  }
  return outcomes;
}

test("a request is a span of its whole wait, its outcome is a span without duration, and both have the operator's attributes", async () => {
  const question = { ...CONNECT, context: { trigger: "credential_required", credentialType: "oauth" } };
  const { runtime, ada } = setUp(question);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  runtime.clock.advance(12_345);
  await runtime.elicitations.complete(elicitationId);
  await stream.done;
  const [end, requested] = spans.getFinishedSpans();
  const attributes = {
    "elicitation.id": elicitationId,
    "elicitation.mode": "url",
    "elicitation.trigger": "credential_required",
    "elicitation.outcome": "accepted",
    "tool.id": "tracker",
    "tool.name": "tracker_create_issue",
    "credential.type": "oauth",
    "user.id": "ada",
    "conversation.id": "c1",
    "turn.id": expect.any(String),
    "elicitation.surface": "chat",
    duration_ms: 12_345,
  };
  expect(end).toMatchObject({ name: "elicitation.completed", attributes });
  expect(requested).toMatchObject({ name: "elicitation.requested", attributes });
  expect(milliseconds(requested!)).toBe(12_345);
  expect(milliseconds(end!)).toBe(0);
  expect(await counted()).toEqual({ accepted: 1 });
});

test.each([
  ["declined", "elicitation.declined", { action: "decline" }],
  ["cancelled", "elicitation.cancelled", { action: "cancel" }],
  ["expired", "elicitation.timeout", undefined],
  ["withdrawn", "elicitation.withdrawn", "stop"],
] as const)(
  "a request that is %s appears in the span and the log line as %s, and is counted once",
  async (outcome, name, end) => {
    await counted();
    const { runtime, ada, lines } = setUp(CITY);
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    if (end === undefined) runtime.clock.advance(600_000);
    else if (end === "stop") await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
    else await ada.answer("c1", { elicitationId, ...end });
    await stream.done;
    const names = spans.getFinishedSpans().map((span) => span.name);
    expect(names.filter((each) => each.startsWith("elicitation."))).toEqual([name, "elicitation.requested"]);
    expect(lines.map(([message]) => message)).toEqual(["elicitation.requested", name]);
    expect(lines[1]?.[1]).toMatchObject({ "elicitation.id": elicitationId, "elicitation.outcome": outcome });
    expect(await counted()).toEqual({ [outcome]: 1 });
  },
);

test("consent and a failed attempt are logged, without the provider's message", async () => {
  const { runtime, ada, lines } = setUp({ ...CONNECT, acceptMeans: "consent" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "accept" });
  await runtime.elicitations.fail(elicitationId, "provider secret-detail");
  await runtime.elicitations.complete(elicitationId);
  await stream.done;
  expect(lines.map(([message]) => message)).toEqual([
    "elicitation.requested",
    "elicitation.consented",
    "elicitation.attempt_failed",
    "elicitation.completed",
  ]);
  expect(JSON.stringify(lines)).not.toContain("secret-detail");
});

test("a request that is given to somebody else and taken back is counted once", async () => {
  await counted("elicitation.requests", "elicitation.mode");
  const { ada, lines } = setUp(CITY, { assign: { may: () => true, nameOf: () => "Bob" } });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  for (const to of [{ user: "bob" }, null])
    await ada.fetch(`/run/api/elicitations/${elicitationId}/assignee`, { body: { to } });
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(lines.map(([message]) => message)).toEqual([
    "elicitation.requested",
    "elicitation.assigned",
    "elicitation.taken_back",
    "elicitation.declined",
  ]);
  expect(await counted("elicitation.requests", "elicitation.mode")).toEqual({ form: 1 });
});

test("no span and no log line contains a URL, a message or user input", async () => {
  const { ada, lines } = setUp(CITY);
  const form = await ada.send("c1");
  const { elicitationId } = await form.request();
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Reykjavik" } });
  await form.done;
  const connect = setUp(CONNECT);
  const stream = await connect.ada.send("c2");
  await connect.runtime.elicitations.complete((await stream.request()).elicitationId);
  await stream.done;
  const told = JSON.stringify([
    lines,
    connect.lines,
    spans.getFinishedSpans().map(({ attributes }) => attributes),
  ]);
  for (const secret of ["Reykjavik", "https://", "Where to?", "Tracker account"])
    expect(told).not.toContain(secret);
});

test("the spans belong to the trace of the tool that asks", async () => {
  const { ada } = setUp(CITY);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  const all = spans.getFinishedSpans();
  const tool = all.find(({ name }) => name === "tool");
  const own = all.filter(({ name }) => name.startsWith("elicitation."));
  expect(own.map((span) => span.parentSpanContext?.spanId)).toEqual(
    own.map(() => tool?.spanContext().spanId),
  );
});

test("a failing tracer, meter or logger does not fail a request", async () => {
  const fail = (): never => {
    throw new Error("exporter down");
  };
  const { runtime, ada } = setUp(CITY, {
    telemetry: { tracer: { startSpan: fail }, logger: { info: fail } },
  });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect((await ada.answer("c1", { elicitationId, action: "decline" })).status).toBe(200);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: '{"outcome":"declined"}' }));
  expect(runtime.errors.map((error) => String(originalOf(error)))).toEqual(
    Array.from({ length: 4 }, () => "Error: exporter down"),
  );
});

test.each([
  ["a sentence", "my password is hunter2"],
  ["a line of its own", "c1\nelicitation.completed user.id=bob"],
  ["commands for a terminal", "c1\u001b[2J"],
  ["letters that run backwards", "c1\u202e"],
  ["far too much", "c".repeat(200)],
])("%s as the id of a conversation is not in the telemetry or the log", async (_, conversationId) => {
  const { runtime, lines, ada } = setUp(CITY);
  const stream = await ada.send(conversationId);
  const { elicitationId } = await stream.request();
  await ada.answer(conversationId, { elicitationId, action: "decline" });
  await stream.done;
  await runtime.close();
  const own = spans.getFinishedSpans().filter(({ name }) => name.startsWith("elicitation."));
  const attributes = [...lines.map(([, told]) => told), ...own.map((span) => span.attributes)];
  expect(attributes).toHaveLength(4);
  for (const told of attributes) {
    expect(told["conversation.id"]).toBe("(not shown)");
    expect(JSON.stringify(told)).not.toContain(JSON.stringify(conversationId).slice(1, -1));
  }
});

test("ids in common formats are reported unchanged", async () => {
  for (const id of ["c1", "0b5c9a3e-6f0e-4e0e-9d5a-3f7f1f6e2a11", "thread_abc.DEF:12/3", "ada@example.com"]) {
    const { runtime, lines, ada } = setUp(CITY);
    await (await ada.send(id)).request();
    await runtime.close();
    expect(lines[0]?.[1]["conversation.id"]).toBe(id);
  }
});

test("names from a tool or another agent are reported without control characters, and shortened", async () => {
  const { runtime, lines, ada } = setUp({
    ...CITY,
    tool: { id: "tracker\nuser.id=bob", name: `\u202e${"n".repeat(300)}` },
    context: { trigger: "please log: hunter2", credentialType: "oauth\u001b[2J" },
  });
  await (await ada.send("c1")).request();
  await runtime.close();
  expect(lines[0]?.[1]).toMatchObject({
    "tool.id": "tracker?user.id=bob",
    "tool.name": `?${"n".repeat(127)}`,
    "elicitation.trigger": "(not shown)",
    "credential.type": "(not shown)",
  });
});

test("a request is counted once by its trigger, however often it changes", async () => {
  await counted();
  const question = { ...CONNECT, context: { trigger: "credential_required" } };
  const { runtime, ada } = setUp(question);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.fail(elicitationId, "denied");
  await runtime.elicitations.complete(elicitationId);
  await stream.done;
  expect(await counted("elicitation.requests", "elicitation.trigger")).toEqual({ credential_required: 1 });
});

/** The data points of a metric since the last call. */
async function pointsOf(name: string): Promise<readonly { attributes: object; value: unknown }[]> {
  counters.reset();
  await reader.forceFlush();
  const scopes = counters.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
  return scopes
    .flatMap(({ metrics: all }) => all)
    .filter(({ descriptor }) => descriptor.name === name)
    .flatMap<{ attributes: object; value: unknown }>(({ dataPoints }) => dataPoints);
}

test("the time from a request to its end is measured in seconds, by outcome", async () => {
  await pointsOf("elicitation.duration");
  const { runtime, ada } = setUp(CITY);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  runtime.clock.advance(42_000);
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  const [point, ...others] = await pointsOf("elicitation.duration");
  expect(others).toEqual([]);
  expect(point?.attributes).toEqual({ "elicitation.outcome": "declined", "elicitation.mode": "form" });
  expect(point?.value).toMatchObject({ count: 1, sum: 42 });
});

test("the number of waiting questions goes up when one is asked and down when it is answered", async () => {
  await pointsOf("elicitation.waiting");
  const { ada } = setUp(CITY);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect(await counted("elicitation.waiting", "elicitation.mode")).toEqual({ form: 1 });
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(await counted("elicitation.waiting", "elicitation.mode")).toEqual({ form: -1 });
});

test("a question that has ended for its turn is not counted as waiting, even if the store is away", async () => {
  await pointsOf("elicitation.waiting");
  const records = createMemoryRecords();
  const stop = new AbortController();
  const { ada } = setUp(
    { ...CITY, signal: stop.signal },
    {
      ports: { records: { ...records, compareAndSet: () => Promise.reject(new Error("the store is away")) } },
    },
  );
  const stream = await ada.send("c1");
  await stream.request();
  stop.abort();
  await stream.done;
  expect(await counted("elicitation.waiting", "elicitation.mode")).toEqual({ form: 0 });
});

test("counters of rare events start at zero, so that a system that measures growth sees the first event", async () => {
  const started: Record<string, readonly unknown[]> = {};
  for (const what of ["refused_answers", "limited", "notices"]) {
    setUp(CITY);
    const points = await pointsOf(`elicitation.${what}`);
    expect(points.filter(({ value }) => value !== 0)).toEqual([]);
    started[what] = points.flatMap(({ attributes }) => Object.values(attributes));
  }
  expect(started).toEqual({
    refused_answers: [
      "invalid",
      "expired",
      "ended",
      "content-differs",
      "not-delegable",
      "assigned",
      "unknown",
    ],
    limited: ["writes", "proposals", "turns", "server", "open"],
    notices: ["sent", "failed"],
  });

  const { ada } = setUp(CITY);
  await (await ada.send("c1")).request();
  const ends = await pointsOf("elicitation.outcomes");
  expect(ends.map(({ attributes, value }) => [attributes, value])).toEqual(
    ["accepted", "declined", "cancelled", "expired", "withdrawn", "failed"].map((outcome) => [
      { "elicitation.outcome": outcome, "elicitation.mode": "form" },
      0,
    ]),
  );
});

test("answers that are refused are counted by reason", async () => {
  const refusals = () => counted("elicitation.refused_answers", "elicitation.refusal");
  await refusals();
  const { ada } = setUp(CITY);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "R" } });
  await ada.answer("c2", { elicitationId, action: "decline" });
  await ada.answer("c1", { elicitationId, action: "decline" });
  await ada.answer("c1", { elicitationId, action: "cancel" });
  await ada.answer("c1", { elicitationId, action: "decline" });
  expect(await refusals()).toEqual({ invalid: 1, unknown: 1, ended: 1 });
});

test("refusals because of a limit are counted by the limit", async () => {
  const limits = () => counted("elicitation.limited", "elicitation.limit");
  await limits();
  const { ada, runtime } = setUp(CITY, {
    limits: { turns: { perPerson: 1 }, open: { perPerson: 0 }, writesPerMinute: 3 },
  });
  await (
    await ada.send("c1")
  ).done;
  expect(await limits()).toEqual({ open: 1 });
  const waiting = setUp(CITY, { limits: { turns: { perPerson: 1 } } });
  await (await waiting.ada.send("c1")).request();
  expect((await waiting.ada.send("c2")).response.status).toBe(429);
  expect(await limits()).toEqual({ turns: 1 });
  const full = setUp(CITY, { limits: { turns: { bytes: 1 } } });
  expect((await full.ada.send("c1")).response.status).toBe(503);
  expect(await limits()).toEqual({ server: 1 });
  for (let count = 0; count < 3; count += 1)
    await ada.answer("c1", { elicitationId: "e1", action: "decline" });
  expect(await limits()).toEqual({ writes: 1 });
  await Promise.all([runtime.close(), waiting.runtime.close()]);
});

test("calls of onWaiting are counted by their result", async () => {
  const notices = () => counted("elicitation.notices", "elicitation.notice");
  await notices();
  const tries: string[] = [];
  const { ada, runtime } = setUp(CITY, {
    notices: {
      afterMs: 1000,
      onWaiting({ id }) {
        tries.push(id);
        if (tries.length === 1) throw new Error("the mail server is away");
      },
    },
  });
  const stream = await ada.send("c1");
  await stream.request();
  await stream.cancel();
  for (let seconds = 0; tries.length < 2 && seconds < 300; seconds += 1) {
    runtime.clock.advance(1000);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await expect.poll(notices).toEqual({ failed: 1, sent: 1 });
  await runtime.close();
});

test("a request of a turn that runs again after a crash is counted once", async () => {
  const lines: string[] = [];
  const telemetry = { logger: { info: (message: string) => void lines.push(message) } };
  const startProcess = createMemoryProcesses();
  const start = () =>
    startProcess(
      async function* run(turn) {
        yield* text((await turn.ask(CITY)).outcome);
      },
      { telemetry },
    );
  const first = start();
  const { elicitationId } = await (await first.ada.send("c1")).request();
  first.runner.die();
  const second = start();
  const recovered = second.runner.recover();
  const stream = await second.ada.fetch("/run/api/chat/c1/stream");
  await second.ada.answer("c1", { elicitationId, action: "decline" });
  await Promise.all([recovered, stream.text()]);
  expect(lines).toEqual(["elicitation.requested", "elicitation.declined"]);
});
