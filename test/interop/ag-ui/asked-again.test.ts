import { HttpAgent } from "@ag-ui/client";
import { HttpAgent as OlderAgent } from "@ag-ui/client-0.0.59";
import { describe, expect, test } from "vitest";
import { type Event, type Script, FORM, createAgent, interrupts, open, success } from "./scripted-agent.ts";
import { createMemoryStorage } from "../../../src/client/testing/memory-storage.ts";

const DELETE = { message: "Delete the account for good?" };
const FINISHED: Event = { type: "RUN_FINISHED" };

const legacy = (...events: readonly [value: unknown, id?: string][]): readonly Event[] => [
  ...events.map(([value, id]) => ({
    type: "CUSTOM",
    name: "on_interrupt",
    value: typeof value === "string" ? value : JSON.stringify(value),
    ...(id !== undefined && { rawEvent: { id, value } }),
  })),
  FINISHED,
];

/** Ends each run with the next of these events. */
const inTurn =
  (...runs: readonly (readonly Event[])[]): Script =>
  (_, count) =>
    runs[count - 1] ?? [success];

describe("an agent that asks twice", () => {
  const shown = ({ items }: ReturnType<typeof open>) =>
    items().map(({ status, request }) => [request.message, status]);

  describe.each([
    [
      "with one id",
      (): readonly [readonly Event[], readonly Event[]] => [
        [interrupts(FORM)],
        [interrupts({ ...FORM, ...DELETE, responseSchema: undefined })],
      ],
    ],
    ["with on_interrupt and no id", () => [legacy(["Where to?"]), legacy([DELETE.message])] as const],
    [
      "with on_interrupt and one id",
      () => [legacy(["Where to?", "a1"]), legacy([DELETE.message, "a1"])] as const,
    ],
  ])("%s", (_, runs) => {
    test("gets each answer for its own question, and the user sees two cards", async () => {
      const { agent, inputs } = createAgent(HttpAgent, inTurn(...runs()));
      const page = open(agent);
      await agent.runAgent();
      const content =
        page.items()[0]!.request.mode === "form" && runs()[0].length === 1
          ? { city: "Rome" }
          : { response: "Rome" };
      await page.client.accept(page.items()[0]!.id, content);
      expect(shown(page)).toEqual([
        ["Where to?", "accepted"],
        [DELETE.message, "pending"],
      ]);
      await page.client.accept(page.items()[1]!.id, { response: "no" });
      expect(shown(page).map(([, status]) => status)).toEqual(["accepted", "accepted"]);
      expect(inputs).toHaveLength(3);
    });

    test("has the first question withdrawn when it asks the second without an answer", async () => {
      const { agent, inputs } = createAgent(HttpAgent, inTurn(...runs()));
      const page = open(agent);
      await agent.runAgent();
      const [first] = page.items();
      agent.pendingInterrupts = [];
      await agent.runAgent();
      expect(shown(page)).toEqual([
        ["Where to?", "withdrawn"],
        [DELETE.message, "pending"],
      ]);
      await page.client.accept(first!.id, { city: "Rome", response: "Rome" });
      expect(inputs).toHaveLength(2);
    });
  });

  test("and changes only the schema gets a new card", async () => {
    const other = { ...FORM, responseSchema: { type: "object", properties: { sure: { type: "boolean" } } } };
    const { agent } = createAgent(HttpAgent, inTurn([interrupts(FORM)], [interrupts(other)]));
    const page = open(agent);
    await agent.runAgent();
    await page.client.accept(page.items()[0]!.id, { city: "Rome" });
    expect(page.statuses()).toEqual(["accepted", "pending"]);
    expect(page.items()[1]?.fields?.map(({ name }) => name)).toEqual(["sure"]);
  });

  test("and means another tool call gets a new card for the approval", async () => {
    const call = (toolCallId: string) =>
      interrupts({ id: "approval", reason: "tool_call", message: "Run the tool?", toolCallId });
    const { agent } = createAgent(HttpAgent, inTurn([call("c1")], [call("c2")]));
    const page = open(agent);
    await agent.runAgent();
    agent.pendingInterrupts = [];
    await agent.runAgent();
    expect(page.statuses()).toEqual(["withdrawn", "pending"]);
  });

  test("and means other arguments gets a new card, also where the words are equal", async () => {
    const call = (city: string) =>
      interrupts({ id: "approval", reason: "confirmation", message: "Book?", metadata: { args: { city } } });
    const { agent } = createAgent(HttpAgent, inTurn([call("Rome")], [call("Oslo")]));
    const page = open(agent);
    await agent.runAgent();
    agent.pendingInterrupts = [];
    await agent.runAgent();
    expect(page.statuses()).toEqual(["withdrawn", "pending"]);
  });

  test("and repeats an answered question gets a new card", async () => {
    const { agent } = createAgent(HttpAgent, inTurn([interrupts(FORM)], [interrupts(FORM)]));
    const page = open(agent);
    await agent.runAgent();
    await page.client.accept(page.items()[0]!.id, { city: "Rome" });
    expect(page.statuses()).toEqual(["accepted", "pending"]);
  });

  test("and reports an open question again keeps the card", async () => {
    const { agent } = createAgent(HttpAgent, inTurn([interrupts(FORM)], [interrupts(FORM)]));
    const page = open(agent);
    await agent.runAgent();
    agent.pendingInterrupts = [];
    await agent.runAgent();
    expect(page.statuses()).toEqual(["pending"]);
  });

  test("under one id in one run gets no answer for either, and its thread continues when the user dismisses them", async () => {
    const { agent, inputs } = createAgent(HttpAgent, inTurn([interrupts(FORM, { ...FORM, ...DELETE })]));
    const page = open(agent);
    await agent.runAgent();
    expect(page.statuses()).toEqual(["blocked"]);
    await page.client.cancel(page.items()[0]!.id);
    expect(inputs[1]?.resume).toEqual([{ interruptId: "i1", status: "cancelled" }]);
  });

  const IDS = ["0d81e8b79565dd04a36eb45fc2e1cdba", "64d2dacf1ba03de7cf2183d26d331a59"] as const;

  // The id is beside the value of the event, so it depends on what a version passes on.
  test.each([
    ["1.0.0", HttpAgent],
    ["0.0.59", OlderAgent as unknown as typeof HttpAgent],
  ])("at once with on_interrupt of LangGraph gets each answer under its id (version %s)", async (_, Base) => {
    const { agent, inputs } = createAgent(
      Base,
      inTurn(legacy(["Your city?", IDS[0]], ["Your name?", IDS[1]])),
    );
    const { client, items } = open(agent);
    await agent.runAgent();
    void client.accept(items()[1]!.id, { response: "Ada" });
    await client.accept(items()[0]!.id, { response: "Rome" });
    expect(inputs[1]?.forwardedProps).toEqual({ command: { resume: { [IDS[0]]: "Rome", [IDS[1]]: "Ada" } } });
  });

  test("gets the text 42 as a text, although LangGraph's adapter reads JSON in it", async () => {
    const { agent, inputs } = createAgent(HttpAgent, inTurn(legacy(["Your code?", IDS[0]])));
    const { client, items } = open(agent);
    await agent.runAgent();
    await client.accept(items()[0]!.id, { response: "42" });
    expect(inputs[1]?.forwardedProps).toEqual({ command: { resume: { [IDS[0]]: "42" } } });
  });

  test("at once has both cards again after a reload", async () => {
    const storage = createMemoryStorage();
    const first = createAgent(HttpAgent, inTurn(legacy(["Your city?"], ["Your name?"])));
    open(first.agent, { storage });
    await first.agent.runAgent();
    const second = createAgent(HttpAgent, inTurn());
    const { client, items } = open(second.agent, { storage });
    void client.accept(items()[0]!.id, { response: "Rome" });
    await client.accept(items()[1]!.id, { response: "Ada" });
    expect(second.inputs[0]?.forwardedProps).toEqual({ command: { resume: ["Rome", "Ada"] } });
  });
});

describe("Mastra's on_interrupt", () => {
  const suspended = {
    type: "mastra_suspend",
    toolCallId: "call-1",
    toolName: "book",
    suspendPayload: { reason: "Which city?" },
    resumeSchema: JSON.stringify(FORM.responseSchema),
    runId: "run-1",
  };

  test.each([
    ["accept", { city: "Rome" }],
    ["decline", false],
    ["cancel", false],
  ] as const)("is resumed with the event beside the answer %s", async (action, resume) => {
    const { agent, inputs } = createAgent(HttpAgent, inTurn(legacy([suspended])));
    const { client, items } = open(agent);
    await agent.runAgent();
    const { id, request } = items()[0]!;
    expect(request).toMatchObject({ message: "Which city?", toolCallId: "call-1" });
    await (action === "accept" ? client.accept(id, { city: "Rome" }) : client[action](id));
    expect(inputs[1]?.forwardedProps).toEqual({
      command: { resume, interruptEvent: { toolCallId: "call-1", runId: "run-1" } },
    });
  });

  test("asks one question at a time, because a run resumes one call", async () => {
    const other = { ...suspended, toolCallId: "call-2" };
    const { agent } = createAgent(HttpAgent, inTurn(legacy([suspended], [other])));
    const { items } = open(agent);
    await agent.runAgent();
    expect(items()).toMatchObject([{ request: { toolCallId: "call-1" } }]);
  });
});

describe("an interrupt without a message has the words of its metadata:", () => {
  test.each([
    ["Mastra's payload", { mastra: { suspendPayload: { message: "Which city?" } } }],
    ["Mastra's payload, as a text", { mastra: { suspendPayload: "Which city?" } }],
    [
      "Mastra's payload with a name of the tool's own",
      { mastra: { suspendPayload: { why: "Which city?", n: 1 } } },
    ],
    ["LangGraph's value", { langgraph: { raw: { question: "Which city?" } } }],
    ["LangGraph's value in a list", { langgraph: { raw: [{ description: "Which city?" }] } }],
    [
      "LangChain's calls to approve",
      { langgraph: { raw: { actionRequests: [{ name: "book", args: {}, description: "Which city?" }] } } },
    ],
  ])("%s", async (_, metadata) => {
    const { agent } = createAgent(
      HttpAgent,
      inTurn([interrupts({ id: "i1", reason: "mastra:tool_suspend", metadata })]),
    );
    const { items } = open(agent);
    await agent.runAgent();
    expect(items()).toMatchObject([{ request: { message: "Which city?" } }]);
  });
});
