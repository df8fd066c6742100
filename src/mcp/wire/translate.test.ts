import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readElicitResult } from "../../contract/elicit-result.ts";
import {
  type McpElicitation,
  type McpRevision,
  elicitResultOf,
  elicitationCapability,
  readElicitation,
  readRequiredUrls,
  readRound,
  SOME_2025_REVISION,
  writeElicitation,
} from "./translate.ts";

const value = <T>(read: { ok: true; value: T } | { ok: false; reason: string }): T => {
  if (!read.ok) throw new Error(read.reason);
  return read.value;
};

/** The examples in "Elicitation Requests" of the specification, in each revision. */
const GOLDEN: Readonly<
  Record<string, { revision: McpRevision; params: unknown; elicitation: McpElicitation }>
> = {
  "a form without a mode": {
    revision: "2025-06-18",
    params: {
      message: "Please provide your GitHub username",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
    elicitation: {
      mode: "form",
      message: "Please provide your GitHub username",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
  },
  "a form with titled options and defaults": {
    revision: "2025-11-25",
    params: {
      mode: "form",
      message: "Please provide your contact information",
      requestedSchema: {
        type: "object",
        properties: {
          email: { type: "string", format: "email", description: "Your email address" },
          age: { type: "number", minimum: 18, default: 30 },
          color: { type: "string", oneOf: [{ const: "#FF0000", title: "Red" }], default: "#FF0000" },
          many: {
            type: "array",
            minItems: 1,
            items: { anyOf: [{ const: "a", title: "A" }] },
            default: ["a"],
          },
        },
        required: ["email"],
      },
    },
    elicitation: {
      mode: "form",
      message: "Please provide your contact information",
      requestedSchema: {
        type: "object",
        properties: {
          email: { type: "string", format: "email", description: "Your email address" },
          age: { type: "number", minimum: 18, default: 30 },
          color: { type: "string", oneOf: [{ const: "#FF0000", title: "Red" }], default: "#FF0000" },
          many: {
            type: "array",
            minItems: 1,
            items: { anyOf: [{ const: "a", title: "A" }] },
            default: ["a"],
          },
        },
        required: ["email"],
      },
    },
  },
  "a page of 2025-11-25": {
    revision: "2025-11-25",
    params: {
      mode: "url",
      elicitationId: "550e8400-e29b-41d4-a716-446655440000",
      url: "https://mcp.example.com/ui/set_api_key",
      message: "Please provide your API key to continue.",
    },
    elicitation: {
      mode: "url",
      elicitationId: "550e8400-e29b-41d4-a716-446655440000",
      url: "https://mcp.example.com/ui/set_api_key",
      message: "Please provide your API key to continue.",
    },
  },
  "a page of 2026-07-28": {
    revision: "2026-07-28",
    params: { mode: "url", url: "https://mcp.example.com/ui/set_api_key", message: "Please set a key." },
    elicitation: { mode: "url", url: "https://mcp.example.com/ui/set_api_key", message: "Please set a key." },
  },
};

test.each(Object.entries(GOLDEN))("%s is read and written as in the specification", (_, golden) => {
  expect(value(readElicitation(golden.params))).toEqual(golden.elicitation);
  expect(value(writeElicitation(golden.elicitation, golden.revision))).toEqual(golden.params);
});

test("in 2025-06-18, titled options become enumNames, and defaults other than booleans are left out", () => {
  const properties = {
    color: {
      type: "string",
      title: "Color",
      oneOf: [{ const: "r", title: "Red" }, { const: "g" }],
      default: "r",
    },
    sure: { type: "boolean", default: true },
  };
  const form = { mode: "form", message: "?", requestedSchema: { type: "object", properties } } as const;
  expect(value(writeElicitation(form, "2025-06-18"))).toEqual({
    message: "?",
    requestedSchema: {
      type: "object",
      properties: {
        color: { type: "string", title: "Color", enum: ["r", "g"], enumNames: ["Red", "g"] },
        sure: { type: "boolean", default: true },
      },
    },
  });
});

test("in an unknown revision of 2025, titled options become enumNames, and everything else is kept", () => {
  const many = { type: "array", items: { type: "string", enum: ["x"] }, default: ["x"] };
  const color = { type: "string", oneOf: [{ const: "r", title: "Red" }], default: "r" };
  const requestedSchema = { type: "object", properties: { color, many }, required: ["color"] } as const;
  expect(
    value(writeElicitation({ mode: "form", message: "?", requestedSchema }, SOME_2025_REVISION)),
  ).toEqual({
    mode: "form",
    message: "?",
    requestedSchema: {
      type: "object",
      properties: { color: { type: "string", enum: ["r"], enumNames: ["Red"], default: "r" }, many },
      required: ["color"],
    },
  });
});

test.each<[string, McpElicitation, McpRevision]>([
  ["a page in 2025-06-18", { mode: "url", message: "", url: "https://x.example" }, "2025-06-18"],
  [
    "a page without an id in 2025-11-25",
    { mode: "url", message: "", url: "https://x.example" },
    "2025-11-25",
  ],
  [
    "a multi-select in 2025-06-18",
    {
      mode: "form",
      message: "",
      requestedSchema: { type: "object", properties: { a: { type: "array", items: { enum: ["x"] } } } },
    },
    "2025-06-18",
  ],
])("%s cannot be asked for in MCP", (_, elicitation, revision) => {
  expect(writeElicitation(elicitation, revision).ok).toBe(false);
});

const text = fc.string({ maxLength: 40, unit: "binary" });
const property = fc.oneof(
  fc.record({ type: fc.constant("string"), title: text, maxLength: fc.nat(), default: text }),
  fc.record({ type: fc.constantFrom("number", "integer"), minimum: fc.integer() }),
  fc.record({ type: fc.constant("boolean"), default: fc.boolean() }),
  fc.record({
    type: fc.constant("array"),
    items: fc.record({ anyOf: fc.array(fc.record({ const: text, title: text })) }),
  }),
);
const elicitation: fc.Arbitrary<McpElicitation> = fc.oneof(
  fc.record({
    mode: fc.constant("form" as const),
    message: text,
    requestedSchema: fc.record({
      type: fc.constant("object" as const),
      properties: fc.dictionary(text, property, { noNullPrototype: true }),
    }),
  }),
  fc.record({ mode: fc.constant("url" as const), message: text, url: fc.webUrl(), elicitationId: text }),
);

test("a request that is written for 2025-11-25 or 2026-07-28 is read back unchanged, but 2026 has no id", () => {
  fc.assert(
    fc.property(elicitation, (asked) => {
      expect(value(readElicitation(value(writeElicitation(asked, "2025-11-25"))))).toEqual(asked);
      const later = value(readElicitation(value(writeElicitation(asked, "2026-07-28"))));
      const { elicitationId: _, ...rest } = { elicitationId: undefined, ...asked };
      expect(later).toEqual(rest);
    }),
  );
});

test("any JSON value is read or refused, and the error does not contain the value", () => {
  const key = "s3cret";
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({
      mode: fc.constantFrom("form", "url", key),
      message: fc.jsonValue(),
      requestedSchema: fc.jsonValue(),
    }),
    fc.record({ mode: fc.constant("url"), message: fc.constant("?"), url: fc.constantFrom(key, 1, null) }),
  );
  fc.assert(
    fc.property(anything, (params) => {
      const read = readElicitation(params);
      if (!read.ok) expect(read.reason).not.toContain(key);
      expect(readRound(params)).toBeUndefined();
      expect(readRequiredUrls({ code: -32042, data: params })).toBeUndefined();
      expect(typeof readElicitResult(params).ok).toBe("boolean");
    }),
  );
});

test("a message or a URL may have 8,192 characters and no more", () => {
  const url = (length: number) => "https://x.example/".padEnd(length, "a");
  expect(readElicitation({ mode: "url", message: "😀".repeat(8192), url: url(8192) }).ok).toBe(true);
  expect(readElicitation({ mode: "url", message: "a".repeat(8193), url: url(100) }).ok).toBe(false);
  expect(readElicitation({ mode: "url", message: "a", url: url(8193) }).ok).toBe(false);
});

describe("answers", () => {
  test.each([
    ["accepted", "accept"],
    ["declined", "decline"],
    ["cancelled", "cancel"],
    ["expired", "cancel"],
    ["withdrawn", "cancel"],
    ["failed", "cancel"],
  ] as const)("are sent to the server for the outcome %s as %s", (outcome, action) => {
    expect(elicitResultOf(outcome)).toEqual({ action });
    expect(value(readElicitResult({ action }))).toEqual({ action });
  });

  test("contain content only with an accept, and null counts as no content", () => {
    const content = { name: "Ada", age: 36.5, sure: true, many: ["a"] };
    expect(elicitResultOf("accepted", content)).toEqual({ action: "accept", content });
    expect(elicitResultOf("declined", content)).toEqual({ action: "decline" });
    expect(value(readElicitResult({ action: "accept", content: null }))).toEqual({ action: "accept" });
    expect(readElicitResult({ action: "accept", content: { nested: {} } }).ok).toBe(false);
    expect(readElicitResult({ action: "maybe" }).ok).toBe(false);
  });
});

test("a client declares the modes that its chat supports, and no capability when it supports none", () => {
  expect(elicitationCapability({ form: true, url: true })).toEqual({ form: {}, url: {} });
  expect(elicitationCapability({ form: false, url: true })).toEqual({ url: {} });
  expect(elicitationCapability({ form: false, url: false })).toBeUndefined();
});

test("the URLs in an error -32042 are read, and invalid URLs are ignored", () => {
  const page = { mode: "url", message: "Pay", url: "https://pay.example", elicitationId: "1" };
  const data = { elicitations: [page, { ...page, mode: "form" }, { ...page, url: "pay" }] };
  expect(readRequiredUrls({ code: -32042, data })).toEqual([page]);
  expect(readRequiredUrls({ code: -32602, data })).toBeUndefined();
});

test("a round is read with the keys of its questions, and a missing state stays missing", () => {
  const asked = { method: "elicitation/create", params: { message: "?" } };
  const round = readRound({
    resultType: "input_required",
    inputRequests: { a: asked, b: 7 },
    requestState: "",
  });
  expect(round).toEqual({
    requests: [
      { key: "a", ...asked },
      { key: "b", method: undefined, params: undefined },
    ],
    requestState: "",
  });
  expect(readRound({ resultType: "input_required", inputRequests: {} })).toEqual({ requests: [] });
  expect(readRound({ resultType: "complete", content: [] })).toBeUndefined();
});
