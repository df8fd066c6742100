import { readFileSync } from "node:fs";
import { createAgentTurn } from "elicit-kit/agent";
import { parseRequestedSchema } from "elicit-kit/form";
import { createElicitor } from "elicit-kit/runtime";
import { toRequestedSchema } from "../../src/form/zod-form.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createBookHotel } from "../../docs/examples/book-later.ts";
import { createHotelAgent } from "../../docs/examples/own-later.ts";
import { createDraftMail } from "../../docs/examples/draft-mail.ts";
import { planTrip } from "../../docs/examples/plan-trip.ts";
import { createTeamDay } from "../../docs/examples/team-day.ts";
import { pickControl, pickLayout } from "../../src/form/pick-control.ts";
import { ASSIGN } from "../stages/assigning.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { noErrors } from "../stages/no-errors.ts";
import { createScriptedModel, toolResultsSeen } from "../stages/scripted-model.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const guide = read("docs/ask/from-a-tool.md");

describe("docs/ask/from-a-tool.md", () => {
  it("contains its example unchanged", () => {
    expect(guide).toContain(
      `\`\`\`ts\n// docs/examples/plan-trip.ts\n${read("docs/examples/plan-trip.ts")}\`\`\``,
    );
  });

  it("contains an example that asks three questions in one tool call and uses the answers", async () => {
    const model = createScriptedModel({ plan_trip: {} }, "Have a good trip.");
    const runTurn = createAgentTurn({
      model,
      tools: { plan_trip: planTrip },
      requester: { name: "Travel agent" },
      onError: noErrors(),
    });
    const runtime = createTestRuntime(runTurn);
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    const answers = [
      { answer: "sea" },
      { from: "2027-05-01", to: "2027-05-08", budget: 900, interests: ["Food", "Beach"] },
      { answer: true },
    ];
    const answered = new Set<string>();
    for (const content of answers) {
      const { elicitationId } = await stream.request(0, ({ elicitationId: id }) => !answered.has(id));
      answered.add(elicitationId);
      expect((await ada.answer("c1", { elicitationId, action: "accept", content })).status).toBe(200);
    }
    await stream.done;
    expect(toolResultsSeen(model)).toEqual([
      { type: "text", value: "Booked: sea, 2027-05-01 to 2027-05-08, Food and Beach." },
    ]);
  });

  const ASKED = [{ book_hotel: { city: "Rome" } }, "I have asked.", "Booked."];
  const model = createScriptedModel(...ASKED);
  const ownModel = createScriptedModel({ bookHotel: { city: "Rome" } }, "I have asked.", "Booked.");
  it.each([
    [
      "createAgentTurn",
      model,
      () =>
        createAgentTurn({
          model,
          tools: { book_hotel: createBookHotel(async () => {}) },
          requester: { name: "Travel agent" },
          onError: noErrors(),
        }),
    ],
    ["a loop of its own", ownModel, () => createHotelAgent(ownModel)],
  ])("contains an agent that asks later, with %s", async (_, scripted, createTurn) => {
    const file = "docs/examples/book-later.ts";
    expect(guide).toContain(`\`\`\`ts\n// ${file}\n${read(file)}\`\`\``);
    const ada = createChatClient(createTestRuntime(createTurn()).fetch, { user: "ada" });
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    await expect.poll(() => scripted.doStreamCalls.length).toBe(2);
    await ada.answer("c1", { elicitationId, action: "accept", content: { answer: "Ritz" } });
    await stream.done;
    expect(JSON.stringify(scripted.doStreamCalls.at(-1)?.prompt)).toContain("Booked: Ritz.");
    const ends = stream.chunks.filter(({ type }) => type === "start" || type === "finish");
    expect(ends.map(({ type }) => type)).toEqual(["start", "finish"]);
  });

  it("names every method and every option of the elicitor", () => {
    const elicitor = createElicitor({ turn: { ask: () => Promise.reject(new Error("unused")) }, tool: "t" });
    const methods = Object.keys(elicitor).filter(
      (name) => !new RegExp(`\\| \`${name}\\((?:message|subject|work)`).test(guide),
    );
    expect(methods).toEqual([]);
    const options = ["title", "description", "fallback", "expiresInMs", "key", "signal"];
    expect(options.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

  const many = (count: number) =>
    z.enum(Array.from({ length: count }, (_, at) => `Option ${at}`) as [string, ...string[]]);
  it.each([
    ["z.string()", z.string(), "text", undefined],
    ["z.string()", z.string().max(200), "text", undefined],
    ["z.string()", z.string().max(201), "textarea", undefined],
    ["z.email()", z.email(), "email", undefined],
    ["z.url()", z.url(), "url", undefined],
    ["z.iso.date()", z.iso.date(), "date", undefined],
    ["z.iso.datetime({ offset: true })", z.iso.datetime({ offset: true }), "date-time", undefined],
    ["z.int().min(1).max(9)", z.int().min(1).max(9), "number", "stepper"],
    ["z.int().min(1).max(9)", z.int().min(0).max(20), "number", "stepper"],
    ["z.int().min(1).max(9)", z.int().min(0).max(21), "number", undefined],
    ["z.number()", z.number(), "number", undefined],
    ["z.boolean()", z.boolean(), "yes-no", "segments"],
    ["z.boolean()", z.boolean().optional(), "checkbox", undefined],
    ["z.boolean()", z.boolean().default(true), "checkbox", undefined],
    ["z.enum([…])", many(5), "radio", "columns"],
    ["z.enum([…])", many(15), "select", undefined],
    ["z.enum([…])", many(16), "search", "cards"],
    [
      'z.union([z.literal("a").meta({ title: "A" }), …])',
      z.union([z.literal("a").meta({ title: "A" }), z.literal("b")]),
      "radio",
      "segments",
    ],
    ["z.array(z.enum([…])).min(1)", z.array(many(3)).min(1), "checkboxes", "chips"],
  ] as const)("names the control that a form shows for %s", (row, schema, control, layout) => {
    expect(guide).toContain(`\`${row}\``);
    const parsed = parseRequestedSchema(toRequestedSchema(z.object({ asked: schema, other: z.string() })));
    const [field] = parsed.ok ? parsed.fields : [];
    expect(field).toBeDefined();
    if (field === undefined) return;
    expect(pickControl(field)).toBe(control);
    expect(pickLayout(field, control)).toBe(layout);
  });
});

describe("docs/ask/use-an-answer-again.md", () => {
  it("contains a tool that asks once, and uses the answer in the next turn", async () => {
    const file = "docs/examples/draft-mail.ts";
    expect(read("docs/ask/use-an-answer-again.md")).toContain(`\`\`\`ts\n// ${file}\n${read(file)}\`\`\``);
    const saved: string[] = [];
    const runTurn = createAgentTurn({
      model: createScriptedModel(...[1, 2].flatMap(() => [{ draft_mail: { text: "Hello" } }, "Saved."])),
      tools: { draft_mail: createDraftMail(async (text) => void saved.push(text)) },
      requester: { name: "Mail agent" },
      onError: noErrors(),
    });
    const ada = createChatClient(createTestRuntime(runTurn).fetch, { user: "ada" });
    const first = await ada.send("c1");
    const { elicitationId } = await first.request();
    await ada.answer("c1", { elicitationId, action: "accept", content: { answer: true }, remember: true });
    await first.done;
    const second = await ada.send("c2");
    await second.done;
    expect(saved).toEqual(["Hello", "Hello"]);
  });
});

describe("docs/ask/somebody-else.md", () => {
  it.each([
    [{ action: "accept", content: { answer: true } }, ["bo"]],
    [{ action: "accept", content: { answer: false } }, []],
    [{ action: "decline" }, []],
    [{ action: "cancel" }, []],
  ])("contains a tool that pays only after a yes of the finance team: %j", async (answer, payers) => {
    const file = "docs/examples/team-day.ts";
    expect(read("docs/ask/somebody-else.md")).toContain(`\`\`\`ts\n// ${file}\n${read(file)}\`\`\``);
    const paid: (string | undefined)[] = [];
    const runTurn = createAgentTurn({
      model: createScriptedModel({ team_day: {} }, "Done."),
      tools: { team_day: createTeamDay(async (by) => void paid.push(by)) },
      requester: { name: "Office agent" },
      onError: noErrors(),
    });
    const { fetch } = createTestRuntime(runTurn, { assign: ASSIGN });
    const stream = await createChatClient(fetch, { user: "dan" }).send("c1");
    const { elicitationId } = await stream.request();
    // An assignee does not learn the conversation.
    const bo = createChatClient(fetch, { user: "bo" });
    expect((await bo.answer(elicitationId, { elicitationId, ...answer })).status).toBe(200);
    await stream.done;
    expect(paid).toEqual(payers);
  });
});
