import { expect, test, vi } from "vitest";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { CITY, CONNECT } from "../../../test/stages/test-runtime.ts";
import { type Assignments, OWN_QUESTIONS } from "../request/features/who-decides.ts";
import { type BeforeAsk, deciderOf, ruledFor } from "./policy.ts";
import type { Question } from "./question.ts";

const owner = { turnId: "t", conversationId: "c", user: { id: "ada" } };
const BO = { user: "bo" };
const assigned = { to: BO, name: "Bo", from: "Ada", mayTakeBack: false };
const digest = { of: async () => "digest" };

function setUp(beforeAsk: BeforeAsk | undefined, more: Partial<Assignments> = {}) {
  const get = vi.fn(async (id: string) => (id === "known" ? testRecord({ id, assigned }) : undefined));
  const assignments = { ...OWN_QUESTIONS, ...more };
  return {
    get,
    decide: (question: Question) => deciderOf({ beforeAsk, assignments, records: { get } }, owner, question),
  };
}

test("without a rule and an assignee, the user decides, and no store is read", async () => {
  const { decide, get } = setUp(undefined);
  expect(await decide({ ...CITY, elicitationId: "known" })).toEqual({});
  expect(get).not.toHaveBeenCalled();
});

test("a question of an earlier run keeps its decider, and its rule is not asked again", async () => {
  const rule = vi.fn();
  const { decide, get } = setUp(rule);
  expect(await decide({ ...CITY, elicitationId: "known" })).toEqual({ assigned });
  expect(rule).not.toHaveBeenCalled();
  expect(await decide({ ...CITY, elicitationId: "new" })).toEqual({ decided: undefined });
  expect(get).toHaveBeenCalledTimes(2);
  expect(await decide(CITY)).toEqual({ decided: undefined });
  expect(get).toHaveBeenCalledTimes(2);
});

test("a rule sees what the user would see, and the fields of a form only", async () => {
  const rule = vi.fn();
  const { decide } = setUp(rule);
  await decide(CITY);
  await decide(CONNECT);
  const { message, tool, requestedSchema } = CITY;
  expect(rule.mock.calls).toStrictEqual([
    [
      {
        user: { id: "ada" },
        conversationId: "c",
        mode: "form",
        message,
        tool,
        context: undefined,
        requestedSchema,
      },
    ],
    [
      {
        user: { id: "ada" },
        conversationId: "c",
        mode: "url",
        message: CONNECT.message,
        tool: CONNECT.tool,
        context: CONNECT.context,
      },
    ],
  ]);
});

test("a rule that names the user leaves the question to them", async () => {
  const assign = vi.fn();
  const { decide } = setUp(() => ({ rule: "Own", assignee: { user: "ada" } }), { assign });
  expect(await decide(CITY)).toEqual({ decided: { rule: "Own", assignee: { user: "ada" } } });
  expect(assign).not.toHaveBeenCalled();
});

test("an assignee decides if the application allows it, and the rule goes before the tool", async () => {
  const assign = vi.fn<Assignments["assign"]>(async () => ({ assigned }));
  const { decide } = setUp(() => ({ rule: "Large", assignee: BO }), { assign, problemOf: () => undefined });
  const question = { ...CITY, assignee: { user: "eve" } };
  expect(await decide(question)).toEqual({ decided: { rule: "Large", assignee: BO }, assigned });
  expect(assign).toHaveBeenCalledWith(owner.user, BO, {
    asker: owner.user,
    conversationId: "c",
    tool: CITY.tool,
  });
  assign.mockResolvedValue(undefined);
  expect(await decide(question)).toBeUndefined();
});

test("an assignee without the rule `assign` is an error that says what to set", async () => {
  await expect(setUp(undefined).decide({ ...CITY, assignee: BO })).rejects.toThrow(
    "Set `assign` of createRuntime",
  );
});

test.each<[string, Question, object]>([
  ["does not fit its form", CITY, { city: "R" }],
  ["is for a page", CONNECT, {}],
])("an answer of a rule that %s is an error that names the rule", async (_, question, answer) => {
  const { decide } = setUp(() => ({ rule: "Small", answer: { ...answer } }));
  await expect(decide(question)).rejects.toThrow('elicit-kit: the rule "Small" of beforeAsk answers');
});

test("a rule that answers or refuses ends the request in its name", async () => {
  const end = async (beforeAsk: BeforeAsk) => {
    const decider = await setUp(beforeAsk).decide(CITY);
    return ruledFor(digest, testRecord(), decider?.decided);
  };
  const content = { city: "Rome" };
  expect(await end(() => ({ rule: "Home", answer: content }))).toStrictEqual({
    settlement: { outcome: "accepted", content: expect.objectContaining(content) },
    endedBy: "Home",
    reason: undefined,
    answerDigest: "digest",
  });
  const reason = 'the rule "Never" does not allow it';
  expect(await end(() => ({ rule: "Never", refuse: true }))).toStrictEqual({
    settlement: { outcome: "failed", reason },
    endedBy: "Never",
    reason,
  });
  expect(await end(() => undefined)).toBeUndefined();
});
