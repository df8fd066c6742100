import { HttpAgent, type RunAgentInput } from "@ag-ui/client";
import { HttpAgent as OlderAgent } from "@ag-ui/client-0.0.59";
import { describe, expect, test } from "vitest";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import type { AgUiAgent } from "../../../extras/ag-ui/page/watch-runs.ts";
import { type Event, type Script, FORM, createAgent, interrupts, open, success } from "./scripted-agent.ts";
import { createMemoryStorage } from "../../../src/client/testing/memory-storage.ts";

const once =
  (list: object[], then: readonly Event[] = [success]): Script =>
  (input) =>
    input.resume === undefined && input.forwardedProps?.command === undefined ? [interrupts(...list)] : then;

describe.each([
  ["1.0.0", HttpAgent],
  ["0.0.59", OlderAgent as unknown as typeof HttpAgent],
])("an agent of @ag-ui/client %s", (_, Base) => {
  test("asks with a form, and gets the content as the payload", async () => {
    const { agent, inputs } = createAgent(Base, once([FORM]));
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    expect(items()).toMatchObject([{ conversationId: "t1", request: { message: "Where to?" } }]);
    expect(items()[0]?.id).not.toBe("i1");
    await client.accept(items()[0]!.id, { city: "Rome" });
    expect(statuses()).toEqual(["accepted"]);
    expect(inputs[1]?.resume).toEqual([{ interruptId: "i1", status: "resolved", payload: { city: "Rome" } }]);
    await expect.poll(() => agent.pendingInterrupts).toEqual([]);
  });

  test("asks to open a page, with a reason in the namespace of the kit", async () => {
    const page = {
      id: "i1",
      reason: "elicit-kit:elicitation_url",
      message: "Pay.",
      metadata: { "elicit-kit": { mode: "url", url: "https://pay.example.com/1" } },
    };
    const { agent, inputs } = createAgent(Base, once([page]));
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    expect(items()).toMatchObject([{ request: { mode: "url", url: "https://pay.example.com/1" } }]);
    await client.accept(items()[0]!.id);
    expect(statuses()).toEqual(["accepted"]);
    expect(inputs[1]?.resume).toEqual([{ interruptId: "i1", status: "resolved" }]);
  });

  test.each([
    ["cancel", { interruptId: "i1", status: "cancelled" }],
    [
      "decline",
      { interruptId: "i1", status: "cancelled", metadata: { "elicit-kit": { action: "decline" } } },
    ],
  ] as const)("gets a %s as cancelled", async (action, entry) => {
    const { agent, inputs } = createAgent(Base, once([FORM]));
    const { client, items } = open(agent);
    await agent.runAgent();
    await client[action](items()[0]!.id);
    expect(inputs[1]?.resume).toEqual([entry]);
  });

  test("has an expired interrupt cancelled, and its thread continues", async () => {
    const expiresAt = "2026-11-20T12:01:00Z";
    const { agent, inputs } = createAgent(
      Base,
      once([
        { ...FORM, expiresAt },
        { ...FORM, id: "i2" },
      ]),
    );
    const { client, clock, items, statuses } = open(agent);
    await agent.runAgent();
    await clock.advanceAsync(60_000);
    expect(statuses()).toEqual(["expired", "pending"]);
    await client.accept(items()[1]!.id, { city: "Rome" });
    expect(inputs[1]?.resume).toMatchObject([
      { interruptId: "i1", status: "cancelled" },
      { status: "resolved" },
    ]);
    await expect.poll(() => agent.pendingInterrupts).toEqual([]);
  });

  test("has its questions shown again when the resume fails, and the same resume can be sent again", async () => {
    let failures = 1;
    const script: Script = (input) => {
      if (input.resume === undefined) return [interrupts(FORM)];
      failures -= 1;
      return failures >= 0 ? [{ type: "RUN_ERROR", message: "boom" }] : [success];
    };
    const { agent, inputs } = createAgent(Base, script);
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    await client.accept(items()[0]!.id, { city: "Rome" });
    expect(items()).toMatchObject([{ status: "pending", notice: { code: "server-error" } }]);
    expect(agent.pendingInterrupts).toMatchObject([{ id: "i1" }]);
    await client.accept(items()[0]!.id, { city: "Rome" });
    expect(statuses()).toEqual(["accepted"]);
    expect(inputs[2]?.resume).toEqual(inputs[1]?.resume);
  });

  test("has the card of a page ended by the next resume, after one that failed", async () => {
    const page = {
      id: "i2",
      reason: "elicit-kit:elicitation_url",
      metadata: {
        "elicit-kit": { mode: "url", url: "https://pay.example.com/1", progress: { status: "consented" } },
      },
    };
    let failures = 1;
    const script: Script = (input) => {
      if (input.resume === undefined) return [interrupts(FORM, page)];
      failures -= 1;
      return failures >= 0 ? [{ type: "RUN_ERROR", message: "boom" }] : [success];
    };
    const { agent } = createAgent(Base, script);
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    const [form, link] = items().map(({ id }) => id);
    const declined = client.decline(link!);
    await client.accept(form!, { city: "Rome" });
    await declined;
    expect(statuses()).toEqual(["pending", "pending"]);
    await client.accept(form!, { city: "Rome" });
    await expect.poll(statuses).toEqual(["accepted", "accepted"]);
  });

  test("has its questions shown again when the stream of the resume ends early", async () => {
    const { agent } = createAgent(Base, once([FORM], []));
    const { client, items } = open(agent);
    await agent.runAgent();
    await client.accept(items()[0]!.id, { city: "Rome" });
    expect(items()).toMatchObject([{ status: "pending", notice: { code: "server-error" } }]);
    expect(agent.pendingInterrupts).toMatchObject([{ id: "i1" }]);
  });

  test("has the answers accepted as soon as the run continues, and a repeated question gets a new card", async () => {
    const text = { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" };
    const script: Script = (input, count) =>
      count > 2
        ? [success]
        : input.resume === undefined
          ? [interrupts(FORM)]
          : [text, { type: "TEXT_MESSAGE_END", messageId: "m1" }, interrupts(FORM)];
    const { agent } = createAgent(Base, script);
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    await client.accept(items()[0]!.id, { city: "Rome" });
    await expect.poll(statuses).toEqual(["accepted", "pending"]);
    await client.accept(items()[1]!.id, { city: "Oslo" });
    expect(statuses()).toEqual(["accepted", "accepted"]);
  });

  // The SDK itself does not handle the rejection of such a stream (ag-ui issue 2510, open).
  test("has its questions open again if the connection of the resume breaks, without an unhandled rejection of the channel", async () => {
    const broken = new TypeError("terminated");
    const alone = createAgent(Base, once([FORM]));
    alone.agent.fetch = breaking(broken);
    const ofTheSdk = await unhandledDuring(() => alone.agent.runAgent().catch(() => {}));
    const { agent } = createAgent(Base, once([FORM]));
    const { client, items } = open(agent);
    await agent.runAgent();
    agent.fetch = breaking(broken);
    const unhandled = await unhandledDuring(() => client.accept(items()[0]!.id, { city: "Rome" }));
    expect(unhandled).toEqual(ofTheSdk);
    expect(items()).toMatchObject([{ status: "pending", notice: { code: "server-error" } }]);
    expect(agent.pendingInterrupts).toMatchObject([{ id: "i1" }]);
  });

  test("has a question withdrawn that the app has resumed itself", async () => {
    const { agent } = createAgent(Base, once([FORM]));
    const { statuses } = open(agent);
    await agent.runAgent();
    await agent.runAgent({ resume: [{ interruptId: "i1", status: "cancelled" }] });
    expect(statuses()).toEqual(["withdrawn"]);
  });

  test("has its last state restored from the storage after a reload", async () => {
    const storage = createMemoryStorage();
    const first = createAgent(Base, once([FORM]));
    open(first.agent, { storage });
    await first.agent.runAgent();
    const second = createAgent(Base, once([FORM]));
    const { client, items, statuses } = open(second.agent, { storage });
    await expect(second.agent.runAgent()).rejects.toThrow(/pending interrupt/);
    await client.accept(items()[0]!.id, { city: "Rome" });
    expect(statuses()).toEqual(["accepted"]);
    expect(second.inputs[0]?.resume).toMatchObject([{ interruptId: "i1" }]);
    await expect.poll(() => storage.length).toBe(0);
  });

  test.each([
    ["a text", "What is your name?", { response: "Ada" }, "Ada"],
    [
      "an object with a schema, as JSON",
      JSON.stringify({ message: "Who?", responseSchema: FORM.responseSchema }),
      { city: "Rome" },
      { city: "Rome" },
    ],
  ])(
    "can use LangGraph's on_interrupt with %s, which is resumed by `command`",
    async (__, value, content, resume) => {
      const legacy: Script = (input) =>
        input.forwardedProps?.command === undefined
          ? [{ type: "CUSTOM", name: "on_interrupt", value }, { type: "RUN_FINISHED" }]
          : [success];
      const { agent, inputs } = createAgent(Base, legacy);
      const { client, items, statuses } = open(agent);
      await agent.runAgent();
      await client.accept(items()[0]!.id, content);
      expect(statuses()).toEqual(["accepted"]);
      expect(inputs[1]).toMatchObject({ forwardedProps: { command: { resume } } });
      expect(inputs[1]?.resume).toBeUndefined();
    },
  );

  test("gets the standard resume if it reports an interrupt in both styles", async () => {
    const script: Script = (input) =>
      input.resume === undefined
        ? [{ type: "CUSTOM", name: "on_interrupt", value: "Who?" }, interrupts(FORM)]
        : [success];
    const { agent, inputs } = createAgent(Base, script);
    const { client, items } = open(agent);
    await agent.runAgent();
    expect(items()).toHaveLength(1);
    await client.accept(items()[0]!.id, { city: "Rome" });
    expect(inputs[1]?.resume).toHaveLength(1);
  });
});

// Interrupts, and the answers to them.
describe("an agent", () => {
  test.each([
    ["a confirmation without schema", { reason: "confirmation" }, "accept", {}, { approved: true }],
    [
      "a tool call to approve",
      { reason: "tool_call", toolCallId: "c1" },
      "decline",
      undefined,
      { approved: false },
    ],
    ["an unknown reason without schema", { reason: "acme:ask" }, "accept", { response: "42" }, "42"],
    [
      "a schema that is no object",
      { reason: "input_required", responseSchema: { type: "string", enum: ["s", "l"] } },
      "accept",
      { response: "l" },
      "l",
    ],
    [
      "a schema of approval",
      {
        reason: "tool_call",
        responseSchema: {
          type: "object",
          properties: { approved: { type: "boolean" } },
          required: ["approved"],
        },
      },
      "accept",
      { approved: false },
      { approved: false },
    ],
  ] as const)("gets the matching payload for %s", async (_, interrupt, action, content, payload) => {
    const { agent, inputs } = createAgent(HttpAgent, once([{ id: "i1", ...interrupt }]));
    const { client, items } = open(agent);
    await agent.runAgent();
    await (action === "accept" ? client.accept(items()[0]!.id, content) : client.decline(items()[0]!.id));
    expect(inputs[1]?.resume).toEqual([{ interruptId: "i1", status: "resolved", payload }]);
  });

  test("gets no payload when the user dismisses a tool call, because the interrupt is cancelled", async () => {
    const { agent, inputs } = createAgent(
      HttpAgent,
      once([{ id: "i1", reason: "tool_call", toolCallId: "c1" }]),
    );
    const { client, items } = open(agent);
    await agent.runAgent();
    await client.cancel(items()[0]!.id);
    expect(inputs[1]?.resume).toEqual([{ interruptId: "i1", status: "cancelled" }]);
  });

  test("may ask without a message, and the card then says that the agent waits", async () => {
    const { agent } = createAgent(HttpAgent, once([{ ...FORM, message: undefined }]));
    const { items } = open(agent);
    await agent.runAgent();
    expect(items()).toMatchObject([{ request: { message: "The agent waits for your answer." } }]);
  });

  test.each([
    [
      "a schema outside the subset",
      { responseSchema: { type: "object", properties: { at: { type: "object" } } } },
    ],
    ["a page without URL", { reason: "elicit-kit:elicitation_url" }],
    [
      "a page with a script for a URL",
      { metadata: { "elicit-kit": { mode: "url", url: "javascript:alert(1)" } } },
    ],
  ])("has %s blocked: it can only be declined, and the thread continues", async (_, interrupt) => {
    const { agent, inputs } = createAgent(
      HttpAgent,
      once([{ id: "i1", reason: "input_required", ...interrupt }]),
    );
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    expect(statuses()).toEqual(["blocked"]);
    await client.accept(items()[0]!.id, {});
    expect(inputs).toHaveLength(1);
    await client.cancel(items()[0]!.id);
    expect(inputs[1]?.resume).toEqual([{ interruptId: "i1", status: "cancelled" }]);
  });

  test("gets one answer for each of ten interrupts, in any order of answers", async () => {
    const list = Array.from({ length: 10 }, (__, index) => ({ ...FORM, id: `i${index}` }));
    const { agent, inputs } = createAgent(HttpAgent, once(list));
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    for (const [index, { id }] of items().toReversed().entries()) {
      expect(inputs).toHaveLength(1);
      void client.accept(id, { city: String(index) });
    }
    await expect.poll(statuses).toEqual(Array(10).fill("accepted"));
    expect(inputs[1]?.resume?.map(({ interruptId }) => interruptId)).toEqual(list.map(({ id }) => id));
  });

  test("gets no answer of a round while one is invalid, and then all of them", async () => {
    const { agent, inputs } = createAgent(HttpAgent, once([FORM, { ...FORM, id: "i2" }]));
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    const [one, two] = items().map(({ id }) => id);
    await client.accept(one!, { city: "Rome" });
    await client.accept(two!, {});
    expect(inputs).toHaveLength(1);
    expect(items()).toMatchObject([
      { status: "pending", notice: { code: "refused" } },
      { status: "pending", fieldErrors: { city: { code: "required" } } },
    ]);
    await client.accept(one!, { city: "Rome" });
    await client.accept(two!, { city: "Oslo" });
    expect(statuses()).toEqual(["accepted", "accepted"]);
    expect(inputs[1]?.resume).toMatchObject([{ payload: { city: "Rome" } }, { payload: { city: "Oslo" } }]);
  });

  test("has an interrupt expire although its timer fires a little early, as those of Node.js may", async () => {
    const expiresAt = "2026-11-20T12:01:00Z";
    const { agent } = createAgent(HttpAgent, once([{ ...FORM, expiresAt }]));
    const clock = createManualClock();
    let early = 1;
    const { statuses } = open(agent, {
      clock: {
        now: clock.now,
        after: (ms, run) => clock.after(ms - early, run),
      },
    });
    await agent.runAgent();
    early = 0;
    await clock.advanceAsync(60_000);
    expect(statuses()).toEqual(["expired"]);
  });

  test("gets a run that cancels the last interrupt when that expires", async () => {
    const expiresAt = "2026-11-20T12:01:00Z";
    const { agent, inputs } = createAgent(HttpAgent, once([{ ...FORM, expiresAt }]));
    const { clock } = open(agent);
    await agent.runAgent();
    await clock.advanceAsync(60_000);
    await expect.poll(() => inputs[1]?.resume).toEqual([{ interruptId: "i1", status: "cancelled" }]);
  });
});

// Version 0.0.59 refuses these outcomes.
describe("a run that was cancelled", () => {
  const cancelled: Event = { type: "RUN_FINISHED", outcome: { type: "cancelled" } };

  test("shows no question, and the thread continues", async () => {
    const { agent } = createAgent(HttpAgent, (_, count) => [count === 1 ? cancelled : interrupts(FORM)]);
    const { items, statuses } = open(agent);
    await agent.runAgent();
    expect(items()).toEqual([]);
    await agent.runAgent();
    expect(statuses()).toEqual(["pending"]);
  });

  test("withdraws the questions whose answers it contained, because the agent may not have read them", async () => {
    const { agent, inputs } = createAgent(HttpAgent, (input) => [
      input.resume === undefined ? interrupts(FORM) : cancelled,
    ]);
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    await client.accept(items()[0]!.id, { city: "Rome" });
    expect(statuses()).toEqual(["withdrawn"]);
    expect(agent.pendingInterrupts).toEqual([]);
    await agent.runAgent();
    expect(inputs).toHaveLength(3);
    expect(statuses()).toEqual(["withdrawn", "pending"]);
  });

  test("keeps the answers with which the agent has continued", async () => {
    const text = { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" };
    const { agent } = createAgent(HttpAgent, (input) =>
      input.resume === undefined
        ? [interrupts(FORM)]
        : [text, { type: "TEXT_MESSAGE_END", messageId: "m1" }, cancelled],
    );
    const { client, items, statuses } = open(agent);
    await agent.runAgent();
    await client.accept(items()[0]!.id, { city: "Rome" });
    await expect.poll(statuses).toEqual(["accepted"]);
  });
});

test("a run that ends with pending tool calls of the page shows no card", async () => {
  const outcome = { type: "success", pendingToolCallIds: ["c1"] };
  const { agent } = createAgent(HttpAgent, () => [{ type: "RUN_FINISHED", outcome }]);
  const { items } = open(agent);
  await agent.runAgent();
  expect(items()).toEqual([]);
});

test("the types of agents of both versions match the channel", () => {
  const options = { url: "https://agent.example.com", threadId: "t1" };
  const agents: AgUiAgent[] = [new HttpAgent(options), new OlderAgent(options)];
  expect(agents.map(({ threadId }) => threadId)).toEqual(["t1", "t1"]);
});

/** A server whose connection breaks after the start of the run. */
function breaking(error: Error): HttpAgent["fetch"] {
  return async (_, init) => {
    const { threadId, runId } = JSON.parse(typeof init.body === "string" ? init.body : "{}") as RunAgentInput;
    const started = new TextEncoder().encode(
      `data: ${JSON.stringify({ type: "RUN_STARTED", threadId, runId })}\n\n`,
    );
    let isSent = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (isSent) controller.error(error);
        else controller.enqueue(started);
        isSent = true;
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

/** The unhandled rejections while `act` runs. Hides them from Vitest, which would fail. */
async function unhandledDuring(act: () => Promise<unknown>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (reason) => seen.push(reason));
  await act();
  await new Promise((resolve) => setImmediate(resolve));
  process.removeAllListeners("unhandledRejection");
  for (const other of others) process.on("unhandledRejection", other);
  return seen;
}
