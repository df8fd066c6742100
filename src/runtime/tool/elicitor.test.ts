import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { ElicitationRequest } from "../../contract/contract.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import {
  type Elicited,
  type ElicitedChoice,
  type Elicitor,
  ElicitorError,
  createElicitor,
} from "../index.ts";

const TOOL = "helper";

/** A turn in which a tool asks with an elicitor. The user answers with `answer`. */
async function ask<T>(
  use: (elicitor: Elicitor) => Promise<Elicited<T> | ElicitedChoice<T>>,
  answer: object,
): Promise<{ request: ElicitationRequest; result: unknown; replies: number[] }> {
  let result: unknown;
  const runtime = createTestRuntime(async function* run(turn) {
    result = await use(
      createElicitor({ turn, tool: TOOL, toolCallId: "call_1", requester: { name: "Demo" } }),
    );
    yield* text("done");
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const request = await stream.request();
  const replies: number[] = [];
  for (const each of Array.isArray(answer) ? answer : [answer]) {
    replies.push((await ada.answer("c1", { elicitationId: request.elicitationId, ...each })).status);
  }
  await stream.done;
  expect(runtime.errors).toEqual([]);
  return { request, result, replies };
}

/** The same in a chat that cannot show requests. */
async function askNobody<T>(use: (elicitor: Elicitor) => Promise<Elicited<T>>): Promise<Elicited<T>> {
  const turn = { ask: async () => ({ outcome: "unsupported" }) as const };
  return use(createElicitor({ turn, tool: TOOL }));
}

const accept = (content: object) => ({ action: "accept", content });

describe("the result of an elicitor's method", () => {
  test("choose with other: is one of the values, or the user's own text", async () => {
    const answered = (content: object) =>
      ask(
        (elicitor) => elicitor.choose("Which seat?", ["aisle", "window"], { other: true }),
        accept(content),
      );
    const { request, result } = await answered({ answer_other: " By the exit " });
    expect(request.requestedSchema).toEqual({
      type: "object",
      properties: {
        answer: {
          title: "Your answer",
          type: "string",
          oneOf: [
            { const: "aisle", title: "aisle" },
            { const: "window", title: "window" },
          ],
        },
        answer_other: { type: "string", title: "Or in your own words", maxLength: 500 },
      },
      anyOf: [{ required: ["answer"] }, { required: ["answer_other"] }],
    });
    expect(result).toEqual({ outcome: "accepted", other: "By the exit" });
    expect((await answered({ answer: "aisle" })).result).toEqual({ outcome: "accepted", value: "aisle" });
    // Clients that show both fields send both values.
    expect((await answered({ answer: "aisle", answer_other: "" })).result).toMatchObject({ value: "aisle" });
    expect((await answered({ answer: "aisle", answer_other: "the exit" })).result).toMatchObject({
      other: "the exit",
    });
    expect((await answered({ answer_other: " " })).result).toMatchObject({ outcome: "failed" });
  });

  test("choose with other: is missing if the answer has neither, and the question stays open", async () => {
    const { replies, result } = await ask(
      (elicitor) => elicitor.choose("Which seat?", ["aisle"], { other: true }),
      [accept({}), accept({ answer: "aisle" })],
    );
    expect(replies).toEqual([400, 200]);
    expect(result).toMatchObject({ value: "aisle" });
  });

  test("choose: is one of the values", async () => {
    const options = ["aisle", { value: "window", label: "By the window", preview: "[ ] [x]" }] as const;
    const { request, result } = await ask(
      (elicitor) => elicitor.choose("Which seat?", options),
      accept({ answer: "window" }),
    );
    expect(request).toMatchObject({
      mode: "form",
      message: "Which seat?",
      toolCallId: "call_1",
      requester: { name: "Demo" },
      context: { trigger: "tool", toolName: "helper" },
      requestedSchema: {
        type: "object",
        properties: {
          answer: {
            type: "string",
            title: "Your answer",
            oneOf: [
              { const: "aisle", title: "aisle" },
              { const: "window", title: "By the window", preview: "[ ] [x]" },
            ],
          },
        },
        required: ["answer"],
      },
    });
    expect(result).toEqual({ outcome: "accepted", value: "window" });
  });

  test("text: is within its limits, and an invalid answer leaves the request open", async () => {
    const { request, result, replies } = await ask(
      (elicitor) =>
        elicitor.text("Name it.", { title: "Name", minLength: 3, maxLength: 9, placeholder: "Robin" }),
      [accept({ answer: "ab" }), accept({ answer: "abc" })],
    );
    expect(request.requestedSchema?.properties["answer"]).toEqual({
      type: "string",
      title: "Name",
      minLength: 3,
      maxLength: 9,
      examples: ["Robin"],
    });
    expect(replies).toEqual([400, 200]);
    expect(result).toEqual({ outcome: "accepted", value: "abc" });
  });

  test("number and rating: is within their limits", async () => {
    const number = await ask(
      (elicitor) => elicitor.number("Tempo?", { minimum: 40, maximum: 200 }),
      [accept({ answer: 300 }), accept({ answer: 120.5 })],
    );
    expect(number.replies).toEqual([400, 200]);
    expect(number.result).toEqual({ outcome: "accepted", value: 120.5 });
    const rating = await ask(
      (elicitor) => elicitor.rating("How was it?"),
      [accept({ answer: 6 }), accept({ answer: 2.5 }), accept({ answer: 5 })],
    );
    expect(rating.request.context).toMatchObject({ fields: { answer: { control: "rating" } } });
    expect(rating.replies).toEqual([400, 400, 200]);
    expect(rating.result).toEqual({ outcome: "accepted", value: 5 });
  });

  test("choose: tells the chat that one press is the answer", async () => {
    const { request } = await ask(
      (elicitor) => elicitor.choose("When?", ["a", "b"], { send: "on-press" }),
      accept({ answer: "b" }),
    );
    expect(request.context).toEqual({ trigger: "tool", toolName: expect.any(String), send: "on-press" });
  });

  test("choose: is not affected by the recommended option, which is a hint with the requester's word", async () => {
    const options = [
      { value: "a", label: "Morning", recommended: "usual" },
      { value: "b", label: "Noon" },
    ] as const;
    const { request } = await ask((elicitor) => elicitor.choose("When?", options), accept({ answer: "b" }));
    expect(request.context).toMatchObject({
      fields: { answer: { recommended: { value: "a", word: "usual" } } },
    });
    expect(JSON.stringify(request.requestedSchema)).not.toContain("usual");
  });

  test("confirm: is yes or no, and a decline counts as no, but a dismissal does not", async () => {
    const confirm = (elicitor: Elicitor) => elicitor.confirm("Delete 3 files?");
    expect((await ask(confirm, accept({ answer: true }))).result).toEqual({
      outcome: "accepted",
      value: true,
    });
    expect((await ask(confirm, accept({ answer: false }))).result).toEqual({
      outcome: "accepted",
      value: false,
    });
    expect((await ask(confirm, { action: "decline" })).result).toEqual({ outcome: "accepted", value: false });
    expect((await ask(confirm, { action: "decline", note: "only two of them " })).result).toEqual({
      outcome: "accepted",
      value: false,
      note: "only two of them",
    });
    expect((await ask(confirm, { action: "cancel" })).result).toMatchObject({ outcome: "cancelled" });
  });

  test("form: is the answer as parsed by the zod schema", async () => {
    const schema = z.object({
      city: z.string().min(2).meta({ title: "City" }),
      nights: z.int().min(1).default(1),
      note: z
        .string()
        .transform((note) => note.toUpperCase())
        .optional(),
    });
    const { request, result } = await ask(
      (elicitor) => elicitor.form("Where to?", schema),
      accept({ city: "Lisbon", note: "quiet" }),
    );
    expect(request.requestedSchema).toEqual({
      type: "object",
      properties: {
        city: { title: "City", type: "string", minLength: 2 },
        nights: { default: 1, type: "integer", minimum: 1 },
        note: { type: "string" },
      },
      required: ["city"],
    });
    expect(result).toEqual({ outcome: "accepted", value: { city: "Lisbon", nights: 1, note: "QUIET" } });
  });

  test("form: is a failure with the reason for the model if only the zod schema rejects the answer", async () => {
    const schema = z.object({ even: z.number().refine((value) => value % 2 === 0, "must be even") });
    const { result } = await ask((elicitor) => elicitor.form("Even?", schema), accept({ even: 3 }));
    expect(result).toEqual({
      outcome: "failed",
      reason: "even: must be even",
      text: "The information was not provided: asking for it failed (even: must be even).",
    });
  });

  test("form: has fields with names of inherited properties like any other", async () => {
    const schema = z.object({ constructor: z.string().optional(), city: z.string() });
    const { result } = await ask((elicitor) => elicitor.form("Where to?", schema), accept({ city: "Faro" }));
    expect(result).toEqual({ outcome: "accepted", value: { city: "Faro" } });
  });

  test("url: is accepted when the page is complete", async () => {
    const { request, result } = await ask(
      (elicitor) =>
        elicitor.url("Pay.", {
          url: "https://pay.example/1",
          service: "Bank",
          purpose: "pay",
          expiresInMs: 60_000,
        }),
      { action: "decline" },
    );
    expect(request).toMatchObject({
      mode: "url",
      url: "https://pay.example/1",
      purpose: "pay",
      expiresAt: "2026-11-20T12:01:00.000Z",
    });
    expect(result).toEqual({
      outcome: "declined",
      text: "The payment was not made: the user declined to pay at Bank. Do not ask again in this turn; say what is missing.",
    });
  });

  test("url: does not mention an account if the page has no purpose", async () => {
    const { request, result } = await ask(
      (elicitor) => elicitor.url("Reserve the room.", { url: "https://venue.example/1", service: "Venue" }),
      { action: "cancel" },
    );
    expect(request).toMatchObject({ purpose: "open" });
    expect(result).toMatchObject({
      text: "The page was not completed: the user dismissed the request without deciding. Do not ask again in this turn; you may offer it later.",
    });
  });
});

test("the TypeScript types distinguish all outcomes", () => {
  expectTypeOf<Elicited<string>["outcome"]>().toEqualTypeOf<
    "accepted" | "declined" | "cancelled" | "expired" | "withdrawn" | "failed" | "unsupported"
  >();
  type Confirmed = Awaited<ReturnType<Elicitor["confirm"]>>;
  expectTypeOf<Extract<Confirmed, { outcome: "accepted" }>["value"]>().toEqualTypeOf<boolean>();
  expectTypeOf<Extract<Confirmed, { outcome: "declined" }>>().toEqualTypeOf<never>();
  const choose = (elicitor: Elicitor) => elicitor.choose("?", ["a", { value: "b", label: "B" }]);
  type Chosen = Extract<Awaited<ReturnType<typeof choose>>, { outcome: "accepted" }>;
  expectTypeOf<Chosen["value"]>().toEqualTypeOf<"a" | "b">();
  const say = (elicitor: Elicitor) => elicitor.choose("?", ["a"], { other: true });
  type Said = Extract<Awaited<ReturnType<typeof say>>, { outcome: "accepted" }>;
  expectTypeOf<Said["value"]>().toEqualTypeOf<"a" | undefined>();
  expectTypeOf<Said["other"]>().toEqualTypeOf<string | undefined>();
  // @ts-expect-error: `value` exists only after a check of the outcome.
  void ((elicited: Elicited<string>) => elicited.value);
});

test("in a chat that cannot show requests, the tool gets the fallback, or a text for the model that names the missing information", async () => {
  expect(await askNobody((elicitor) => elicitor.number("Tempo?"))).toEqual({
    outcome: "unsupported",
    text: 'Tool "helper" needs information only the user has: Tempo? Ask for it in your answer, or go on with defaults where they exist. Do not guess.',
  });
  const runtime = createTestRuntime(async function* run(turn) {
    const elicitor = createElicitor({ turn, tool: TOOL });
    const tempo = await elicitor.number("Tempo?", { fallback: 120 });
    const trip = await elicitor.form("Trip?", z.object({ city: z.string() }), { fallback: { city: "Faro" } });
    yield* text(JSON.stringify([tempo, trip]));
  });
  const stream = await createChatClient(runtime.fetch).send("c1");
  await stream.done;
  expect(JSON.parse(String(stream.chunks.find(({ type }) => type === "text-delta")?.["delta"]))).toEqual([
    { outcome: "accepted", value: 120 },
    { outcome: "accepted", value: { city: "Faro" } },
  ]);
});

test("a field of a form is shown with the control that its schema names", async () => {
  const { request } = await ask(
    (elicitor) =>
      elicitor.form(
        "How was it?",
        z.object({ comfort: z.int().min(1).max(10).meta({ control: "slider" }), city: z.string() }),
      ),
    accept({ comfort: 7, city: "Faro" }),
  );
  expect(request.context).toEqual({
    trigger: "tool",
    toolName: "helper",
    fields: { comfort: { control: "slider" } },
  });
});

test("expiresInMs of one question overrides the default, and the text contains how long it was open", async () => {
  let result: unknown;
  const runtime = createTestRuntime(async function* run(turn) {
    result = await createElicitor({ turn, tool: TOOL }).text("Name?", { expiresInMs: 30_000 });
    yield* text("done");
  });
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await stream.request();
  runtime.clock.advance(30_000);
  await stream.done;
  expect(result).toEqual({
    outcome: "expired",
    afterMs: 30_000,
    text: "The information was not provided: nobody answered within 30 seconds.",
  });
});

test.each<[string, (elicitor: Elicitor) => Promise<unknown>]>([
  ["a password by message", (e) => e.text("What is your password?")],
  ["a PIN by message", (e) => e.number("Enter your PIN")],
  ["a token by title", (e) => e.text("Please", { title: "Access token" })],
  [
    "a code by message and not by title",
    (e) => e.text("Type the 6 digits we texted you", { title: "Answer" }),
  ],
  ["a password by the message of a form", (e) => e.form("Enter your password.", z.object({ a: z.string() }))],
  ["an API key by name", (e) => e.form("Please", z.object({ apiKey: z.string() }))],
  ["a card by title", (e) => e.form("Pay", z.object({ n: z.string().meta({ title: "Card number" }) }))],
])("a question for a secret is refused, and the error suggests a web page: %s", async (_, use) => {
  const asked = askNobody((elicitor) => use(elicitor) as Promise<Elicited<unknown>>);
  await expect(asked).rejects.toThrow(ElicitorError);
  await expect(asked).rejects.toThrow(/asks for a secret.*url\(\)/);
});

test.each<[string, (elicitor: Elicitor) => Promise<unknown>, RegExp]>([
  ["a fallback that does not fit", (e) => e.rating("?", { fallback: 9 }), /fallback does not fit.*limit 5/],
  ["no options", (e) => e.choose("?", []), /cannot be asked/],
])("for a question that cannot be asked, the error says what to change: %s", async (_, use, message) => {
  await expect(askNobody((e) => use(e) as Promise<Elicited<unknown>>)).rejects.toThrow(message);
});
