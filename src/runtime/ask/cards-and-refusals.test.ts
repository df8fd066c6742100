import { describe, expect, test } from "vitest";
import { type Deferred, createDeferred } from "../../base/deadlines.ts";
import { ElicitorError } from "../../contract/kit-error.ts";
import { CITY, CONNECT } from "../../../test/stages/test-runtime.ts";
import { Asker, type AskerOptions, refusalKey } from "./asker.ts";
import type { ElicitationResult, FormQuestion, Question, UrlQuestion } from "./question.ts";

const ACCEPTED: ElicitationResult = { outcome: "accepted", content: {} };
const BOTH = { url: true, form: true };
const NO_PAGES = { url: false, form: true };

const hotel: FormQuestion = { ...CITY, tool: { id: "hotel", name: "book_hotel" } };
const tracker: UrlQuestion = { ...CONNECT, toolCallId: "call_1" };

/** An asker whose cards the test answers. */
function setUp(options: Partial<AskerOptions> = {}) {
  const asked: Question[] = [];
  const answers: Deferred<ElicitationResult>[] = [];
  const notices: unknown[] = [];
  const errors: unknown[] = [];
  const asker = new Asker({
    supports: BOTH,
    notify: (notice) => void notices.push(notice),
    onError: (error) => void errors.push(error),
    open: (questions) =>
      new Map(
        questions.map((question) => {
          const answer = createDeferred<ElicitationResult>();
          asked.push(question);
          answers.push(answer);
          return [question, answer.promise];
        }),
      ),
    ...options,
  });
  /** Asks, and answers the card if there is one. */
  async function ask(question: Question, result: ElicitationResult = ACCEPTED): Promise<ElicitationResult> {
    const before = answers.length;
    const told = asker.ask(question);
    answers[before]?.resolve(result);
    return told;
  }
  return { asker, ask, asked, answers, notices, errors };
}

describe("a refusal", () => {
  test.each<ElicitationResult>([
    { outcome: "declined" },
    { outcome: "cancelled" },
    { outcome: "expired", afterMs: 60_000 },
  ])("is the result of every other call of the tool, if the question is $outcome", async (refusal) => {
    const { ask, asked } = setUp();
    await ask({ ...hotel, toolCallId: "call_1" }, refusal);
    expect(await ask({ ...hotel, toolCallId: "call_2" })).toEqual(refusal);
    expect(await ask(hotel)).toEqual(refusal);
    expect(asked).toHaveLength(1);
  });

  test("does not count for the other questions of its own call", async () => {
    const { ask, asked } = setUp();
    await ask({ ...hotel, toolCallId: "call_1" }, { outcome: "declined" });
    expect(await ask({ ...hotel, toolCallId: "call_1", message: "Which room?" })).toEqual(ACCEPTED);
    expect(asked).toHaveLength(2);
  });

  test("does not count for other tools, for the other mode, and for questions without a tool", async () => {
    const { ask, asked } = setUp();
    const { tool: _, ...anybody } = CITY;
    await ask({ ...hotel, toolCallId: "call_1" }, { outcome: "declined" });
    await ask(anybody, { outcome: "declined" });
    expect(await ask({ ...hotel, tool: { id: "car", name: "rent" }, toolCallId: "call_2" })).toEqual(
      ACCEPTED,
    );
    expect(await ask({ ...CONNECT, tool: hotel.tool, toolCallId: "call_3" })).toEqual(ACCEPTED);
    expect(await ask(anybody)).toEqual(ACCEPTED);
    expect(asked).toHaveLength(5);
  });

  test.each<ElicitationResult>([ACCEPTED, { outcome: "failed", reason: "away" }, { outcome: "withdrawn" }])(
    "does not follow from a question that ended as $outcome: the next call asks again",
    async (result) => {
      const { ask, asked } = setUp();
      expect(await ask({ ...hotel, toolCallId: "call_1" }, result)).toEqual(result);
      expect(await ask({ ...hotel, toolCallId: "call_2" })).toEqual(ACCEPTED);
      expect(asked).toHaveLength(2);
    },
  );

  test("of an earlier run counts for new calls only: a call that asked before gets its own result", async () => {
    const refused = new Map([[refusalKey(hotel) ?? "", { outcome: "declined" } as const]]);
    const { ask, asked } = setUp({ past: { calls: new Set(["call_1"]), refused } });
    expect(await ask({ ...hotel, toolCallId: "call_2" })).toEqual({ outcome: "declined" });
    expect(asked).toEqual([]);
    expect(await ask({ ...hotel, toolCallId: "call_1" })).toEqual(ACCEPTED);
    expect(await ask(hotel)).toEqual(ACCEPTED);
    expect(asked).toHaveLength(2);
  });
});

describe("a card", () => {
  test("is shared by two questions for one page, in one round and in two calls", async () => {
    const { asker, asked, answers } = setUp();
    const round = asker.askRound([tracker, { ...tracker, toolCallId: "call_2" }]);
    const later = asker.ask({ ...tracker, toolCallId: "call_3" });
    expect(asked).toEqual([tracker]);
    answers[0]?.resolve(ACCEPTED);
    expect(await round).toEqual([ACCEPTED, ACCEPTED]);
    expect(await later).toEqual(ACCEPTED);
    expect(asked).toHaveLength(1);
  });

  test("is not shared once it has ended, nor by questions with a key, of other tools, or for other pages", async () => {
    const { asker, ask, asked } = setUp();
    await ask(tracker);
    expect(asked).toHaveLength(1);
    void asker.askRound([
      tracker,
      { ...tracker, key: "work" },
      { ...tracker, tool: { id: "mail", name: "mail" } },
      { ...tracker, url: "https://auth.example.com/other" },
    ]);
    expect(asked).toHaveLength(5);
  });

  test("that its first call has withdrawn is opened again for the call that shared it", async () => {
    const { asker, asked, answers } = setUp();
    const first = asker.ask(tracker);
    const second = asker.ask({ ...tracker, toolCallId: "call_2" });
    answers[0]?.resolve({ outcome: "withdrawn" });
    expect(await first).toEqual({ outcome: "withdrawn" });
    await expect.poll(() => asked).toHaveLength(2);
    answers[1]?.resolve(ACCEPTED);
    expect(await second).toEqual(ACCEPTED);
  });

  test("of a form is never shared", () => {
    const { asker, asked } = setUp();
    void asker.askRound([hotel, { ...hotel }]);
    expect(asked).toHaveLength(2);
  });

  test("that cannot be made fails with a reason for the model, and the error is reported", async () => {
    const { asker, answers, errors } = setUp();
    const told = asker.ask(hotel);
    const broken = new Error("no store");
    answers[0]?.reject(broken);
    expect(await told).toEqual({ outcome: "failed", reason: "the request could not be made" });
    expect(errors).toEqual([broken]);
  });

  test("with a mistake of the developer rejects with it", async () => {
    const { asker, answers, errors } = setUp();
    const told = asker.ask(hotel);
    answers[0]?.reject(new ElicitorError("elicit-kit: the fallback does not fit."));
    await expect(told).rejects.toThrow("the fallback does not fit");
    expect(errors).toEqual([]);
  });

  test("tells each question its result", async () => {
    const { asker, answers } = setUp();
    const results: ElicitationResult[] = [];
    const told = asker.askRound([
      { ...hotel, onResult: (result) => void results.push(result) },
      { ...tracker, onResult: (result) => void results.push(result) },
    ]);
    answers[1]?.resolve({ outcome: "declined" });
    await expect.poll(() => results).toEqual([{ outcome: "declined" }]);
    answers[0]?.resolve(ACCEPTED);
    expect(await told).toEqual([ACCEPTED, { outcome: "declined" }]);
    expect(results).toEqual([{ outcome: "declined" }, ACCEPTED]);
  });
});

describe("a form that asks for a secret", () => {
  const refuseForm = (form: FormQuestion) => (form.message === "Password?" ? "no secrets here" : undefined);
  const password = { ...hotel, message: "Password?" };

  test("fails in a chat that must not show it, with the reason, and other questions are asked", async () => {
    const { ask, asked } = setUp({ supports: { ...BOTH, secrets: false }, refuseForm });
    expect(await ask(password)).toEqual({ outcome: "failed", reason: "no secrets here" });
    expect(await ask(hotel)).toEqual(ACCEPTED);
    expect(await ask({ ...tracker, message: "Password?" })).toEqual(ACCEPTED);
    expect(asked).toHaveLength(2);
  });

  test.each([undefined, true])("is asked in a chat whose support for secrets is %s", async (secrets) => {
    const { ask } = setUp({ supports: { ...BOTH, secrets }, refuseForm });
    expect(await ask(password)).toEqual(ACCEPTED);
  });

  test("is asked where nothing refuses forms", async () => {
    const { ask } = setUp({ supports: { ...BOTH, secrets: false } });
    expect(await ask(password)).toEqual(ACCEPTED);
  });
});

describe("a chat that shows no pages", () => {
  const signIn = { url: "https://mcp.example.com/issues?key=secret", service: "Tracker" };
  const notice = (more: object) => ({
    type: "data-tool-auth-required",
    data: {
      type: "data-tool-auth-required",
      toolCallId: "call_1",
      toolName: CONNECT.tool?.name,
      toolId: CONNECT.tool?.id,
      message: CONNECT.message,
      ...more,
    },
  });

  test("gets one notice of the missing account, with a link and the server's address without its query", async () => {
    const { ask, notices } = setUp({
      supports: NO_PAGES,
      linkTo: async () => "https://chat.example.com/connect",
    });
    const question: UrlQuestion = { ...tracker, service: { name: "Tracker" }, signIn };
    expect(await ask(question)).toEqual({ outcome: "unsupported" });
    expect(await ask({ ...question, toolCallId: "call_2" })).toEqual({ outcome: "unsupported" });
    expect(notices).toEqual([
      notice({
        mcpServerName: "Tracker",
        mcpServerUrl: "https://mcp.example.com/issues",
        authLink: "https://chat.example.com/connect",
      }),
    ]);
  });

  test("gets a notice without a link if the runtime makes no links, or fails to make this one", async () => {
    const { service: _, ...question } = tracker;
    const without = setUp({ supports: NO_PAGES });
    await without.ask(question);
    expect(without.notices).toEqual([notice({})]);
    const broken = new Error("no store");
    const failing = setUp({ supports: NO_PAGES, linkTo: () => Promise.reject(broken) });
    await failing.ask(question);
    expect(failing.notices).toEqual([notice({})]);
    expect(failing.errors).toEqual([broken]);
  });

  test("gets no notice of other pages, forms, and questions without a tool or a call", async () => {
    const { ask, notices } = setUp({ supports: { url: false, form: false } });
    const { context: _, ...open } = tracker;
    const { toolCallId: __, ...noCall } = tracker;
    await ask({ ...tracker, context: { trigger: "tool" } });
    await ask(open);
    await ask(noCall);
    await ask({ ...tracker, tool: undefined });
    await ask({ ...hotel, toolCallId: "call_1", context: { trigger: "credential_required" } });
    expect(notices).toEqual([]);
  });

  test("gets the fallback of a form that it cannot show", async () => {
    const { ask } = setUp({ supports: { url: false, form: false } });
    const content = { city: "Rome" };
    expect(await ask({ ...hotel, fallback: content })).toEqual({ outcome: "accepted", content });
    expect(await ask(hotel)).toEqual({ outcome: "unsupported" });
  });
});

test("a chat that shows pages gets no notice when the user has refused one", async () => {
  const { ask, notices } = setUp();
  await ask(tracker, { outcome: "declined" });
  expect(await ask({ ...tracker, toolCallId: "call_2" })).toEqual({ outcome: "declined" });
  expect(notices).toEqual([]);
});
