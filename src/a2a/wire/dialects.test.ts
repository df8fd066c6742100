import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkContent } from "../../form/check-content.ts";
import { parseRequestedSchema } from "../../form/index.ts";
import type { ElicitationContent, RequestedSchema } from "../../contract/contract.ts";
import { agentStackForms } from "./agentstack-forms.ts";
import type { AgentWords, Dialect } from "./dialect.ts";
import { dialectsFor } from "./dialects.ts";
import { kagentQuestions } from "./kagent-questions.ts";
import { ELICITATION_EXTENSION } from "./translate.ts";

const carrying = ({ uri }: Dialect, payload: unknown, text = "I need something."): AgentWords => ({
  text,
  extensions: [uri],
  metadata: { [uri]: payload },
});

/** The only form in a status. */
function formOf(
  dialect: Dialect,
  message: AgentWords,
): { message: string; requestedSchema: RequestedSchema } {
  const read = dialect.read("input-required", message);
  if (read?.ok !== true || read.value[0]?.mode !== "form") throw new Error(JSON.stringify(read));
  expect(read.value).toHaveLength(1);
  return read.value[0];
}

/** The payload of the answer, which must fit the form. */
function accepted(dialect: Dialect, message: AgentWords, content: ElicitationContent): unknown {
  const { requestedSchema } = formOf(dialect, message);
  expect(checkContent(requestedSchema, content)).toMatchObject({ ok: true });
  const written = dialect.write([{ elicitationId: "x", action: "accept", content }], message);
  expect(written?.extensions).toEqual([dialect.uri]);
  return written?.metadata[dialect.uri];
}

describe("questions of kagent (hitl/v1)", () => {
  const ASK = {
    type: "ask_user_request",
    id: "ask-1",
    questions: [
      { question: "Which region?", choices: ["us-east-1", "eu-central-1"], multiple: false },
      { question: "Which zones?", choices: ["a", "b", "c"], multiple: true },
      { question: "What is it for?", choices: [] },
    ],
  };

  test("become one form, and the answers go back in the same order under the same id", () => {
    const asked = carrying(kagentQuestions, ASK);
    const form = formOf(kagentQuestions, asked);
    expect(form.message).toBe("I need something.");
    expect(parseRequestedSchema(form.requestedSchema)).toMatchObject({
      ok: true,
      fields: [
        { kind: "choice", label: "Which region?", required: true },
        { kind: "multi-choice", label: "Which zones?", required: true },
        { kind: "text", label: "What is it for?", required: true },
      ],
    });
    const content = { answer1: "us-east-1", answer2: ["a", "c"], answer3: "A test" };
    expect(accepted(kagentQuestions, asked, content)).toEqual({
      type: "ask_user_response",
      id: "ask-1",
      answers: [{ answer: ["us-east-1"] }, { answer: ["a", "c"] }, { answer: ["A test"] }],
    });
  });

  test("go back under the id of its tool call, if they come from an agent behind the agent", () => {
    const nested = {
      subagent_name: "db",
      tools: [{ id: "nested-7", call_id: "c", name: "ask_user", args: {} }],
    };
    const asked = carrying(kagentQuestions, { ...ASK, questions: [{ question: "Sure?" }], nested });
    expect(accepted(kagentQuestions, asked, { answer1: "Yes" })).toMatchObject({ id: "nested-7" });
  });

  test.each(["decline", "cancel"] as const)("cannot be answered with %s", (action) => {
    const asked = carrying(kagentQuestions, ASK);
    expect(kagentQuestions.write([{ elicitationId: "x", action }], asked)).toBeUndefined();
  });

  test.each([
    { ...ASK, id: "" },
    { ...ASK, questions: [] },
    { ...ASK, questions: [{ choices: ["a"] }] },
    { ...ASK, questions: [{ question: "Which?", choices: [1] }] },
    { ...ASK, questions: Array.from({ length: 51 }, () => ({ question: "?" })) },
  ])("are refused if they are malformed: %j", (payload) => {
    expect(kagentQuestions.read("input-required", carrying(kagentQuestions, payload))).toMatchObject({
      ok: false,
    });
  });

  test("are ignored in a message that does not name the extension", () => {
    const message = { ...carrying(kagentQuestions, ASK), extensions: [] };
    expect(kagentQuestions.read("input-required", message)).toBeUndefined();
  });
});

test("the kagent extension is used for tool approvals even in a chat that cannot ask", () => {
  const card = { extensions: [kagentQuestions.uri, ELICITATION_EXTENSION] };
  expect(dialectsFor(card, { form: false, url: false }, true)).toEqual([kagentQuestions]);
});

describe("tool approvals of kagent (hitl/v1)", () => {
  const { approvals, uri } = kagentQuestions;
  const tool = (id: string) => ({ id, call_id: `call-${id}`, name: "delete_pod", args: { pod: "web-0" } });
  const call = (id: string) => ({ id, name: "delete_pod", input: { pod: "web-0" } });
  const asking = (payload: object) =>
    carrying(kagentQuestions, { type: "tool_approval_request", ...payload });

  test.each([
    [{ hint: "To clean up", tools: [tool("a"), tool("b")] }, [call("a"), call("b")], "To clean up"],
    [{ tools: [tool("a")], nested: { subagent_name: "sub", tools: [tool("n")] } }, [call("n")], undefined],
    [{ tools: [{ ...tool("a"), args: null }], nested: null }, [{ ...call("a"), input: {} }], undefined],
  ])(
    "are not questions: the calls to approve are read, even those of an agent behind the agent",
    (payload, calls, hint) => {
      const asked = asking(payload);
      expect(kagentQuestions.read("input-required", asked)).toBeUndefined();
      expect(approvals?.read("input-required", asked)).toEqual({
        ids: calls.map(({ id }) => id),
        calls,
        hint,
      });
      expect(approvals?.read("auth-required", asked)).toBeUndefined();
    },
  );

  test.each([
    ["an id twice", [tool("a"), { ...tool("a"), name: "read_pod" }], ["a"]],
    ["a call without an id", [tool("a"), { ...tool("b"), id: "" }], ["a"]],
    ["a call without a name", [tool("a"), { ...tool("b"), name: undefined }], ["a", "b"]],
    ["an input that is no object", [{ ...tool("a"), args: "rm" }], ["a"]],
    ["an input too long to be seen", [{ ...tool("a"), args: { x: "x".repeat(20_000) } }], ["a"]],
    ["too many calls", Array.from({ length: 51 }, (_, index) => tool(`${index}`)), undefined],
    ["no calls", [], []],
    ["calls that are no list", "a", []],
  ])("with %s have ids to answer, but no calls to decide on", (_, tools, ids) => {
    const asked = approvals?.read("input-required", asking({ tools }));
    expect(asked?.calls?.length ?? 0).toBe(0);
    if (ids !== undefined) expect(asked?.ids).toEqual(ids);
  });

  test("are answered once for each id", () => {
    const decisions = new Map([
      ["a", { approved: true }],
      ["b", { approved: false, reason: "Not today." }],
    ]);
    expect(approvals?.write(decisions).metadata[uri]).toEqual({
      type: "tool_approval_response",
      approvals: [
        { id: "a", approved: true },
        { id: "b", approved: false, rejection_reason: "Not today." },
      ],
    });
  });
});

describe("forms of AgentStack (ui/form_request/v1)", () => {
  const FORM = {
    title: "Book a trip",
    description: "For the invoice",
    columns: 2,
    submit_label: "Book",
    fields: [
      { id: "name", type: "text", label: "Name", required: true, placeholder: "Ada", col_span: 2 },
      { id: "day", type: "date", label: "Day", default_value: "2026-12-01" },
      {
        id: "class",
        type: "singleselect",
        label: "Class",
        options: [
          { id: "1", label: "First" },
          { id: "2", label: "Second" },
        ],
      },
      {
        id: "meals",
        type: "multiselect",
        label: "Meals",
        options: [{ id: "v", label: "Vegan" }],
        default_value: ["v"],
      },
      { id: "window", type: "checkbox", label: "Seat", content: "At the window", default_value: true },
      { id: "terms", type: "checkbox", label: "Terms", content: "I agree", required: true },
      {
        id: "news",
        type: "checkbox_group",
        label: "News",
        fields: [
          { id: "mail", type: "checkbox", label: "Mail", content: "By mail", default_value: true },
          { id: "post", type: "checkbox", label: "Post", content: "By post" },
        ],
      },
    ],
  };

  test("become a form, and each value goes back with its type", () => {
    const asked = carrying(agentStackForms, FORM);
    const form = formOf(agentStackForms, asked);
    expect(form.message).toBe("Book a trip\nFor the invoice");
    expect(parseRequestedSchema(form.requestedSchema)).toMatchObject({
      ok: true,
      fields: [
        { kind: "text", label: "Name", required: true, placeholder: "Ada" },
        { kind: "text", format: "date", label: "Day", default: "2026-12-01" },
        { kind: "choice", label: "Class", required: false },
        { kind: "multi-choice", label: "Meals", default: ["v"] },
        { kind: "boolean", label: "Seat", description: "At the window", default: true },
        { kind: "multi-choice", label: "Terms", required: true },
        { kind: "multi-choice", label: "News", default: ["mail"] },
      ],
    });
    const content = { name: "Ada", class: "2", window: false, terms: ["ticked"], news: ["post"] };
    expect(accepted(agentStackForms, asked, content)).toEqual({
      values: {
        name: { type: "text", value: "Ada" },
        day: { type: "date", value: null },
        class: { type: "singleselect", value: "2" },
        meals: { type: "multiselect", value: null },
        window: { type: "checkbox", value: false },
        terms: { type: "checkbox", value: true },
        news: { type: "checkbox_group", value: { mail: false, post: true } },
      },
    });
  });

  test("are read from a message that names the extension only in its metadata", () => {
    expect(formOf(agentStackForms, { ...carrying(agentStackForms, FORM), extensions: [] }).message).toMatch(
      "Book",
    );
  });

  test.each([
    ["a field for files", { id: "f", type: "file", label: "Receipt", accept: ["image/*"] }],
    ["a field of a later version", { id: "f", type: "slider", label: "How much?" }],
    ["a choice without options", { id: "f", type: "singleselect", label: "Class", options: [] }],
    ["two fields with one id", FORM.fields[0]],
    [
      "a group with a box that must be ticked",
      {
        id: "f",
        type: "checkbox_group",
        label: "News",
        fields: [{ id: "a", type: "checkbox", label: "A", content: "A", required: true }],
      },
    ],
  ])("with %s are ignored, because an answer would lose data", (_, field) => {
    const message = carrying(agentStackForms, { ...FORM, fields: [FORM.fields[0], field] });
    expect(agentStackForms.read("input-required", message)).toMatchObject({ ok: false });
  });
});

test.each([kagentQuestions, agentStackForms])(
  "no message of an agent makes the reader of $uri throw",
  (dialect) => {
    const member = fc.constantFrom(
      "type",
      "id",
      "questions",
      "nested",
      "tools",
      "fields",
      "title",
      "options",
      "label",
    );
    const payload = fc.dictionary(member, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(payload, (value) => {
        const message = carrying(dialect, value);
        expect(() => {
          dialect.read("input-required", message);
          const asked = dialect.approvals?.read("input-required", message);
          for (const { input } of asked?.calls ?? []) expect(JSON.stringify(input)).toBeTypeOf("string");
          expect(new Set(asked?.ids).size).toBe(asked?.ids.length ?? 0);
          dialect.write([{ elicitationId: "x", action: "accept", content: {} }], message);
        }).not.toThrow();
      }),
    );
  },
);

test.each([
  [{ form: true, url: true }, [ELICITATION_EXTENSION, kagentQuestions.uri]],
  [{ form: false, url: true }, [ELICITATION_EXTENSION]],
  [{ form: false, url: false }, []],
])(
  "an agent gets, of the extensions that it offers, those that fit a chat that supports %o",
  (supports, uris) => {
    const extensions = [kagentQuestions.uri, "https://example.com/other", ELICITATION_EXTENSION];
    expect(dialectsFor({ extensions }, supports, false).map(({ uri }) => uri)).toEqual(uris);
  },
);
