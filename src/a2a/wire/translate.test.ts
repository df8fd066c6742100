import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ElicitationResponse } from "../../contract/contract.ts";
import {
  type A2aQuestion,
  ELICITATION_EXTENSION,
  actionOf,
  readAnswers,
  readModes,
  readQuestions,
  readWithdrawn,
  writeAnswers,
  writeModes,
  writeQuestions,
  writeWithdrawn,
} from "./translate.ts";

const schema = { type: "object" as const, properties: { name: { type: "string" } } };
const form = { elicitationId: "f1", mode: "form", message: "Who?", requestedSchema: schema } as const;
const page = { elicitationId: "p1", mode: "url", message: "Pay", url: "https://pay.example.com/" } as const;
const carrying = (payload: unknown) => ({
  extensions: [ELICITATION_EXTENSION],
  metadata: { [ELICITATION_EXTENSION]: payload },
});
/** Returns the message after a round trip through JSON. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,22}$/);
const words = fc.string({ unit: "grapheme", maxLength: 200 });
const forms = fc.record({
  elicitationId: id,
  mode: fc.constant("form" as const),
  message: words,
  requestedSchema: fc.record({
    type: fc.constant("object" as const),
    properties: fc.dictionary(fc.string({ minLength: 1 }), fc.record({ type: fc.constant("string") }), {
      noNullPrototype: true,
    }),
  }),
});
const pages = fc.record({
  elicitationId: id,
  mode: fc.constant("url" as const),
  message: words,
  url: fc.webUrl(),
});
const batch = <T extends { elicitationId: string }>(entries: fc.Arbitrary<T>) =>
  fc.uniqueArray(entries, { minLength: 1, maxLength: 10, selector: ({ elicitationId }) => elicitationId });
const content = fc.dictionary(
  fc.string({ minLength: 1 }),
  fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.array(fc.string())),
  { noNullPrototype: true },
);
const answers: fc.Arbitrary<ElicitationResponse> = fc.oneof(
  fc.record({ elicitationId: id, action: fc.constantFrom("decline" as const, "cancel" as const) }),
  fc.record({ elicitationId: id, action: fc.constant("accept" as const), content }),
);

describe("requests", () => {
  it("are read back as they were written, and each mode has its own task state", () => {
    fc.assert(
      fc.property(fc.oneof(batch<A2aQuestion>(forms), batch<A2aQuestion>(pages)), (questions) => {
        const written = writeQuestions(questions);
        if (!written.ok) throw new Error(written.reason);
        const { state, ...message } = written.value;
        expect(state).toBe(questions[0]?.mode === "form" ? "input-required" : "auth-required");
        expect(readQuestions(state, sent(message))).toEqual({ ok: true, value: sent(questions) });
      }),
    );
  });

  it("contain a text for clients without the extension, with the URL of a page", () => {
    expect(writeQuestions([page])).toMatchObject({ value: { text: "Pay\nhttps://pay.example.com/" } });
  });

  it("contain only fields of the extension", () => {
    const asked = {
      ...form,
      requester: { name: "Forged" },
      context: { trigger: "forged" },
      resolution: null,
    };
    const read = readQuestions(
      "input-required",
      carrying({ requests: [{ ...asked, resolution: undefined }] }),
    );
    expect(read).toEqual({ ok: true, value: [form] });
  });

  it.each([
    ["without the URI in `extensions`", { metadata: carrying({ requests: [form] }).metadata }],
    [
      "with the URI of another extension",
      { ...carrying({ requests: [form] }), extensions: ["https://x.example/v1"] },
    ],
    ["without metadata", { extensions: [ELICITATION_EXTENSION] }],
    ["with metadata that is a text", carrying("requests")],
    ["not a message", undefined],
  ])("are ignored if they are %s", (_, message) => {
    expect(readQuestions("input-required", message)).toBeUndefined();
  });

  it.each([
    ["no list", {}, "requests: expected 1 to 10 objects"],
    ["an empty list", { requests: [] }, "requests: expected 1 to 10 objects"],
    [
      "too many",
      { requests: Array.from({ length: 11 }, (_, n) => ({ ...form, elicitationId: `f${n}` })) },
      "requests: expected 1 to 10 objects",
    ],
    ["a list of texts", { requests: ["form"] }, "requests: expected 1 to 10 objects"],
    ["the same id twice", { requests: [form, form] }, "requests: expected each elicitationId once"],
    [
      "no id",
      { requests: [{ ...form, elicitationId: undefined }] },
      "requests[0].elicitationId: expected id",
    ],
    [
      "an id of dots, which a path cannot hold",
      { requests: [{ ...form, elicitationId: ".." }] },
      "requests[0].elicitationId: expected id",
    ],
    ["a page in input-required", { requests: [page] }, "requests[0].mode: expected form in input-required"],
    ["a form with a url", { requests: [{ ...form, url: page.url }] }, "requests[0].url: expected nothing"],
    [
      "a message without end",
      { requests: [{ ...form, message: "x".repeat(8193) }] },
      "requests[0].message: expected text of at most 8192 characters",
    ],
    [
      "a schema that is a list",
      { requests: [{ ...form, requestedSchema: [] }] },
      "requests[0].requestedSchema: expected object",
    ],
  ])("are refused with %s, and the error does not contain their values", (_, payload, reason) => {
    expect(readQuestions("input-required", carrying(payload))).toEqual({ ok: false, reason });
  });

  it("are refused when they contain a form in auth-required", () => {
    const read = readQuestions("auth-required", carrying({ requests: [form] }));
    expect(read).toEqual({ ok: false, reason: "requests[0].mode: expected url in auth-required" });
  });

  it("are read without an exception, whatever their shape", () => {
    const state = fc.constantFrom("input-required" as const, "auth-required" as const, "working" as const);
    fc.assert(
      fc.property(state, fc.anything(), (at, payload) => {
        const read = () => [
          readQuestions(at, carrying(payload)),
          readQuestions(at, carrying({ requests: payload })),
          readQuestions(at, carrying({ requests: [payload] })),
          readAnswers(carrying({ responses: [payload] })),
          readWithdrawn(carrying({ withdrawn: payload })),
          readModes(carrying({ modes: payload })),
        ];
        expect(read).not.toThrow();
      }),
    );
  });

  it.each([
    ["none", []],
    ["two modes", [form, page]],
    ["one id twice", [form, form]],
  ])("cannot be written as a message: %s requests", (_, questions) => {
    expect(writeQuestions(questions)).toMatchObject({ ok: false });
  });

  it("are read back together with the ids that their status withdraws", () => {
    fc.assert(
      fc.property(batch<A2aQuestion>(pages), fc.uniqueArray(id, { maxLength: 10 }), (questions, gone) => {
        const written = writeQuestions(questions, gone);
        if (!written.ok) throw new Error(written.reason);
        expect(readQuestions("auth-required", sent(written.value))).toMatchObject({
          ok: true,
          value: questions,
        });
        expect(readWithdrawn(sent(written.value))).toEqual(gone);
      }),
    );
  });

  it("can be withdrawn by id", () => {
    expect(readWithdrawn(sent(writeWithdrawn(["f1", "p1"])))).toEqual(["f1", "p1"]);
    expect(readWithdrawn(undefined)).toEqual([]);
  });
});

describe("answers of the extension", () => {
  it("are read back as they were written", () => {
    fc.assert(
      fc.property(batch(answers), (given) => {
        expect(readAnswers(sent(writeAnswers(given)))).toEqual({ ok: true, value: sent(given) });
      }),
    );
  });

  it("are ignored in a message without the extension", () => {
    expect(readAnswers({ extensions: [], metadata: {} })).toBeUndefined();
    expect(readAnswers(carrying({ modes: ["form"] }))).toBeUndefined();
  });

  it.each([
    [
      "an unknown action",
      { elicitationId: "f1", action: "yes" },
      "responses[0].action: expected accept|decline|cancel",
    ],
    [
      "content with a decline",
      { elicitationId: "f1", action: "decline", content: {} },
      "responses[0].content: expected nothing",
    ],
    [
      "nested content",
      { elicitationId: "f1", action: "accept", content: { a: {} } },
      "responses[0].content: expected content",
    ],
  ])("are refused with %s", (_, answer, reason) => {
    expect(readAnswers(carrying({ responses: [answer] }))).toEqual({ ok: false, reason });
  });

  it("are accept, decline and cancel for these outcomes, and cancel for every other", () => {
    const outcomes = ["accepted", "declined", "cancelled", "expired", "withdrawn", "failed"] as const;
    expect(outcomes.map(actionOf)).toEqual(["accept", "decline", "cancel", "cancel", "cancel", "cancel"]);
  });
});

describe("the modes of a client", () => {
  it.each([[{ form: true, url: true }], [{ form: true, url: false }], [{ form: false, url: true }]])(
    "are read back as they were written: %o",
    (modes) => {
      expect(readModes(sent(writeModes(modes)))).toEqual(modes);
    },
  );

  it("are both modes when the client names none", () => {
    expect(readModes({})).toEqual({ form: true, url: true });
  });
});
