import { afterEach, describe, expect, test, vi } from "vitest";
import type { ElicitationRequest } from "../../contract/contract.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { CITY, CONNECT } from "../../../test/stages/test-runtime.ts";
import { QuestionChanged, ensureSameQuestion, requestOf } from "./new-request.ts";
import type { FormQuestion, Question, UrlQuestion } from "./question.ts";

const ID = "AAAAAAAAAAAAAAAAAAAAAA";
const AT = Date.UTC(2026, 10, 1);
const PAGES = "https://auth.example.com";

type Options = Parameters<typeof requestOf>[2];

function request(question: Question, more: Partial<Options> = {}): ElicitationRequest {
  return requestOf(question, ID, {
    expiresAt: AT,
    extendableUntil: AT,
    hostedPageOrigin: undefined,
    takesSentence: undefined,
    remembers: true,
    delegates: true,
    ...more,
  });
}

afterEach(() => void vi.unstubAllGlobals());

describe("a request", () => {
  const base = { type: "elicitation-request", elicitationId: ID, expiresAt: "2026-11-01T00:00:00.000Z" };
  const { requestedSchema } = CITY;

  test("of a short question has only what the question has", () => {
    expect(request({ mode: "form", message: "Where to?", requestedSchema })).toStrictEqual({
      ...base,
      mode: "form",
      message: "Where to?",
      requestedSchema,
    });
    expect(request({ mode: "url", message: "Pay.", url: "https://pay.example.com/" })).toStrictEqual({
      ...base,
      mode: "url",
      message: "Pay.",
      url: "https://pay.example.com/",
    });
  });

  test("has the members of its question", () => {
    const more = {
      requester: { name: "Demo" },
      round: { id: "r", size: 2 },
      toolCallId: "call_1",
      context: { trigger: "tool" as const, title: "Trip" },
    };
    expect(request({ ...CITY, ...more })).toMatchObject(more);
    const page = { acceptMeans: "consent", service: { name: "Tracker" }, purpose: "pay" } as const;
    expect(request({ ...CONNECT, ...more, ...page })).toMatchObject({
      ...more,
      ...page,
      url: `${PAGES}/auth/connect?elicitationId=${ID}`,
    });
  });

  test("says how long its time can be extended, if it can", () => {
    expect(request(CITY, { extendableUntil: AT + 1 })).toMatchObject({
      extendableUntil: "2026-11-01T00:00:00.001Z",
    });
    expect(request(CITY)).not.toHaveProperty("extendableUntil");
  });

  test("works by its link if the runtime has pages, and for a page if it is one of them", () => {
    const byLink = { context: { trigger: "tool", worksByLink: true } };
    expect(request(CITY, { hostedPageOrigin: PAGES })).toMatchObject(byLink);
    expect(request({ ...CONNECT, context: undefined }, { hostedPageOrigin: PAGES })).toMatchObject(byLink);
    expect(request(CONNECT, { hostedPageOrigin: "https://other.example.com" }).context).toEqual(
      CONNECT.context,
    );
  });

  test("offers sentences only where they are read, whatever the tool says", () => {
    const says = { trigger: "tool", takesSentence: true, worksByLink: true, title: "Trip" } as const;
    expect(request({ ...CITY, context: says }).context).toEqual({ trigger: "tool", title: "Trip" });
    const takesSentence = vi.fn(() => true);
    expect(request(CITY, { takesSentence }).context).toEqual({ trigger: "tool", takesSentence: true });
    expect(takesSentence).toHaveBeenCalledWith(expect.objectContaining({ mode: "form", elicitationId: ID }));
    expect(request(CITY, { takesSentence: () => false })).not.toHaveProperty("context");
  });

  test("has an icon of at most 8,192 characters, which the chat need not load", () => {
    const withIcon = (iconDataUrl: string) =>
      request({ ...CONNECT, service: { name: "Tracker", iconDataUrl } });
    const icon = (length: number) => "data:image/png;base64,".padEnd(length, "A");
    expect(withIcon(icon(8192))).toMatchObject({ service: { iconDataUrl: icon(8192) } });
    expect(() => withIcon(icon(8193))).toThrow("with at most 8192 characters");
    expect(() => withIcon("https://tracker.example.com/icon.png")).toThrow("must be a data: URL of an image");
  });
});

describe("an answer can be remembered", () => {
  const remember = (more: Partial<FormQuestion>, options: Partial<Options> = {}) =>
    request({ ...CITY, remember: true, ...more }, options).remember;

  test("for 30 days, or as long as the tool says, for one question or for a kind", () => {
    expect(remember({})).toEqual({ days: 30 });
    expect(remember({ remember: { days: 7 } })).toEqual({ days: 7 });
    expect(remember({ remember: { kind: "cities" } })).toEqual({ days: 30, kind: "cities" });
  });

  test("for all calls of a conversation, also without fields", () => {
    const requestedSchema = { type: "object" as const, properties: {} };
    expect(remember({ remember: { scope: "conversation" }, requestedSchema })).toEqual({
      days: 30,
      scope: "conversation",
    });
  });

  test.each<[string, Partial<FormQuestion>, Partial<Options>?]>([
    ["the runtime remembers nothing", {}, { remembers: false }],
    ["the tool does not ask for it", { remember: undefined }],
    ["there is no tool", { tool: undefined }],
    ["a third party asks", { requester: { name: "Demo", claimedName: "Tracker" } }],
    ["there are no fields", { requestedSchema: { type: "object", properties: {} } }],
    [
      "a field is a secret",
      {
        requestedSchema: { type: "object", properties: { password: { type: "string", title: "Password" } } },
      },
    ],
  ])("not if %s", (_, more, options) => {
    expect(remember(more, options)).toBeUndefined();
  });

  test("not on a server without Web Crypto, which could not tell questions apart", () => {
    vi.stubGlobal("crypto", {});
    expect(remember({})).toBeUndefined();
  });
});

describe("the user may leave the decision to the agent", () => {
  const fallback = { city: "Rome" };

  test("if there is a valid fallback, and nobody was named to decide", () => {
    const question = { ...CITY, fallback, delegate: true };
    expect(request(question)).toMatchObject({ delegate: true });
    expect(request(question, { delegates: false })).not.toHaveProperty("delegate");
    expect(request({ ...CITY, fallback })).not.toHaveProperty("delegate");
  });

  test("and a fallback that is missing or invalid is an error that says why", () => {
    expect(() => request({ ...CITY, delegate: true })).toThrow("`delegate` needs a `fallback`");
    expect(() => request({ ...CITY, delegate: true, fallback: { city: "R", nights: 0.5 } })).toThrow(
      /The fallback does not fit its own question: city .+; nights .+/,
    );
    expect(request({ ...CITY, fallback: { city: "R" } })).toMatchObject({ mode: "form" });
  });
});

describe("a question that is asked again under its id", () => {
  const recordOf = (question: Question) =>
    testRecord({
      request: request(question),
      ...(question.mode === "url" && question.signIn !== undefined && { signIn: question.signIn }),
    });
  const isSame = (before: Question, after: Question) => {
    try {
      ensureSameQuestion(recordOf(before), recordOf(after), after);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(QuestionChanged);
      return false;
    }
  };
  const page: UrlQuestion = { ...CONNECT, service: { name: "Tracker" } };
  const other = { ...CITY.requestedSchema, required: [] };
  const signIn = { url: "https://mcp.example.com", service: "Tracker" };

  test.each<[string, boolean, Question, Question]>([
    ["the same form", true, CITY, CITY],
    ["a form with other words", false, CITY, { ...CITY, message: "Whither?" }],
    [
      "a form with other words and a key",
      true,
      { ...CITY, key: "k" },
      { ...CITY, key: "k", message: "Whither?" },
    ],
    ["a form with other fields", false, CITY, { ...CITY, requestedSchema: other }],
    ["a form with other fields and a key", false, CITY, { ...CITY, key: "k", requestedSchema: other }],
    ["a page instead of a form", false, CITY, page],
    ["the same account in other words", true, page, { ...page, message: "Please connect." }],
    ["another account", false, page, { ...page, service: { name: "Mail" } }],
    ["another page", false, page, { ...page, url: "https://auth.example.com/other" }],
    ["another server", false, page, { ...page, signIn }],
    ["other rights", false, { ...page, signIn }, { ...page, signIn: { ...signIn, scope: "write" } }],
    [
      "another payment",
      false,
      { ...CONNECT, context: undefined, purpose: "pay" },
      { ...CONNECT, context: undefined, purpose: "pay", message: "Pay 1,000 €" },
    ],
  ])("%s counts as the same question: %s", (_, expected, before, after) => {
    expect(isSame(before, after)).toBe(expected);
  });
});
