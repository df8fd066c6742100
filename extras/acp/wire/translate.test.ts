import { CreateElicitationRequest } from "@agentclientprotocol/sdk";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRequestedSchema } from "../../../src/form/index.ts";
import type { RequestedSchema } from "../../../src/contract/contract.ts";
import { readElicitResult } from "../../../src/contract/elicit-result.ts";
import { formRequest, urlRequest } from "../../../src/contract/testing/requests.ts";
import { META_KEY, readElicitation, resultOf, supportedByClient, writeElicitation } from "./translate.ts";

const AGENT = { elicitationId: "mine", agentName: "Coder" };

/** Returns the value of a successful read. */
function value<T>(read: { ok: true; value: T } | { ok: false; reason: string }): T {
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

/** One property of every kind that the contract can show, with the keywords of ACP. */
const text = fc.string({ minLength: 1, maxLength: 12 });
const options = fc.uniqueArray(text, { minLength: 1, maxLength: 4 });
const titled = options.map((values) => values.map((entry) => ({ const: entry, title: `${entry}!` })));
const named = { title: fc.string({ minLength: 1 }), description: fc.string() };
const anyProperty = fc.oneof(
  fc.record(
    {
      type: fc.constant("string"),
      ...named,
      minLength: fc.nat(3),
      maxLength: fc.integer({ min: 4, max: 9 }),
      format: fc.constantFrom("email", "uri", "date", "date-time"),
      default: text,
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    { type: fc.constantFrom("number", "integer"), ...named, minimum: fc.nat(), default: fc.nat() },
    {
      requiredKeys: ["type"],
    },
  ),
  fc.record({ type: fc.constant("boolean"), ...named, default: fc.boolean() }, { requiredKeys: ["type"] }),
  options.map((values) => ({ type: "string", enum: values, default: values[0] })),
  options.map((values) => ({ type: "string", enum: values, enumNames: values.map((entry) => `${entry}!`) })),
  titled.map((oneOf) => ({ type: "string", oneOf })),
  options.map((values) => ({ type: "array", items: { type: "string", enum: values }, maxItems: 2 })),
  titled.map((anyOf) => ({ type: "array", items: { anyOf }, minItems: 1, default: [anyOf[0]?.const] })),
);
const anySchema: fc.Arbitrary<RequestedSchema> = fc
  .dictionary(fc.string({ maxLength: 8 }), anyProperty, { maxKeys: 6 })
  .chain((properties) =>
    fc
      .subarray(Object.keys(properties))
      .map((required) => ({ type: "object" as const, properties, required })),
  );

describe("a request that is written and read back", () => {
  test("keeps its fields, for any form", () => {
    fc.assert(
      fc.property(anySchema, (requestedSchema) => {
        const params = value(writeElicitation(formRequest({ requestedSchema }), "s1"));
        const { request, sessionId } = value(readElicitation(structuredClone(params), AGENT));
        expect(sessionId).toBe("s1");
        expect(parseRequestedSchema(request.requestedSchema)).toEqual(parseRequestedSchema(requestedSchema));
      }),
    );
  });

  test("passes the SDK's schema, for any form", () => {
    fc.assert(
      fc.property(anySchema, (requestedSchema) => {
        const params = value(writeElicitation(formRequest({ requestedSchema }), "s1"));
        expect(CreateElicitationRequest.isForm(params)).toBe(true);
      }),
    );
  });

  test("gets a new id, shows the operator's name for the agent, and marks the agent's own name as a claim", () => {
    const expiresAt = "2026-11-23T12:00:00Z";
    const asked = urlRequest({ expiresAt, toolCallId: "call-1", requester: { name: "Acme" } });
    const params = value(writeElicitation(asked, "s1"));
    expect(params).toEqual({
      sessionId: "s1",
      toolCallId: "call-1",
      mode: "url",
      message: asked.message,
      url: asked.url,
      elicitationId: "url-1",
      _meta: { [META_KEY]: { requester: { name: "Acme" }, context: asked.context, expiresAt } },
    });
    expect(value(readElicitation(params, AGENT))).toEqual({
      sessionId: "s1",
      agentElicitationId: "url-1",
      request: {
        type: "elicitation-request",
        elicitationId: "mine",
        mode: "url",
        message: asked.message,
        url: asked.url,
        acceptMeans: "consent",
        requester: { name: "Coder", claimedName: "Acme" },
        context: { trigger: "acp_elicitation" },
        toolCallId: "call-1",
        expiresAt,
      },
    });
  });
});

describe("forms with features that ACP does not have", () => {
  test("lose unknown formats and keywords, and get their enumNames as titles", () => {
    const requestedSchema = {
      type: "object" as const,
      $schema: "x",
      properties: {
        phone: { type: "string", format: "phone", examples: ["1"], writeOnly: true, "x-ui": 1 },
        size: { enum: ["s"], enumLabels: ["Small"] },
      },
    };
    const params = value(writeElicitation(formRequest({ requestedSchema }), "s1"));
    expect(params).toMatchObject({
      requestedSchema: {
        type: "object",
        properties: {
          phone: { type: "string" },
          size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
        },
      },
    });
    expect(Object.keys(params).toSorted()).toEqual([
      "_meta",
      "message",
      "mode",
      "requestedSchema",
      "sessionId",
    ]);
  });

  test.each([
    ["an object", { type: "object" }],
    ["a list without options", { type: "array", items: { type: "string" } }],
    ["a list of any items", { type: "array" }],
    ["null", null],
    ["without a type", { title: "?" }],
  ])("cannot be asked if a property is %s", (_, property) => {
    const requestedSchema = { type: "object" as const, properties: { value: property } };
    expect(writeElicitation(formRequest({ requestedSchema }), "s1")).toEqual({
      ok: false,
      reason: ".requestedSchema.properties.value: ACP has no such property",
    });
  });
});

describe("a request of an agent", () => {
  const form = { sessionId: "s1", mode: "form", message: "?", requestedSchema: { properties: {} } };

  test("belongs to a session or to a request, not to both", () => {
    const { sessionId: _, ...rest } = form;
    expect(value(readElicitation({ ...rest, requestId: 7 }, AGENT)).sessionId).toBeUndefined();
    expect(value(readElicitation({ ...rest, requestId: "7" }, AGENT)).sessionId).toBeUndefined();
    const reason = "params: expected either sessionId or requestId";
    expect(readElicitation(rest, AGENT)).toEqual({ ok: false, reason });
    expect(readElicitation({ ...form, requestId: 7 }, AGENT)).toEqual({ ok: false, reason });
  });

  test("may have null for any keyword that is absent", () => {
    const choice = {
      type: "string",
      title: null,
      enum: null,
      oneOf: [{ const: "a", title: "A", description: null }],
    };
    const list = {
      type: "array",
      items: { enum: null, anyOf: [{ const: "b", title: "B" }] },
      minItems: null,
    };
    const schema = { type: "object", title: null, required: null, properties: { choice, list } };
    const { request } = value(readElicitation({ ...form, toolCallId: null, requestedSchema: schema }, AGENT));
    expect(request.toolCallId).toBeUndefined();
    expect(parseRequestedSchema(request.requestedSchema)).toMatchObject({
      ok: true,
      fields: [{ kind: "choice" }, { kind: "multi-choice" }],
    });
  });

  test.each([
    [{ expiresAt: "soon", requester: { name: 7 } }, { name: "Coder" }],
    ["text", { name: "Coder" }],
    [{ requester: { name: "x".repeat(500) } }, { name: "Coder", claimedName: "x".repeat(100) }],
  ])("cannot override the operator's name for the agent through _meta", (meta, requester) => {
    const { request } = value(readElicitation({ ...form, _meta: { [META_KEY]: meta } }, AGENT));
    expect(request.requester).toEqual(requester);
    expect(request.expiresAt).toBeUndefined();
  });

  test("is read without throwing, and the result is always a valid request", () => {
    const ids = (params: unknown) => {
      const read = readElicitation(params, AGENT);
      return read.ok ? read.value.request.elicitationId : "mine";
    };
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (schema, more) => {
        expect(ids(more)).toBe("mine");
        expect(ids({ ...form, requestedSchema: schema })).toBe("mine");
        expect(ids({ ...form, _meta: more })).toBe("mine");
      }),
    );
  });
});

describe("answers", () => {
  test.each([
    ["accepted", "accept"],
    ["declined", "decline"],
    ["cancelled", "cancel"],
    ["expired", "cancel"],
    ["withdrawn", "cancel"],
    ["failed", "cancel"],
  ] as const)("are sent to the agent for the outcome %s as %s", (outcome, action) => {
    expect(resultOf(outcome)).toEqual({ action });
    expect(value(readElicitResult({ action }))).toEqual({ action });
  });

  test("contain content only with an accept, and null counts as no content", () => {
    const content = { name: "Ada", age: 36.5, sure: true, many: ["a"] };
    expect(resultOf("accepted", content)).toEqual({ action: "accept", content });
    expect(resultOf("declined", content)).toEqual({ action: "decline" });
    expect(value(readElicitResult({ action: "accept", content }))).toEqual({ action: "accept", content });
    expect(value(readElicitResult({ action: "accept", content: null }))).toEqual({ action: "accept" });
    expect(value(readElicitResult({ action: "decline", content: { nested: {} } }))).toEqual({
      action: "decline",
    });
  });

  test.each([null, "accept", {}, { action: "_later" }, { action: "accept", content: { nested: {} } }])(
    "are refused when they are malformed: %j",
    (result) => expect(readElicitResult(result).ok).toBe(false),
  );
});

test("a client supports only the modes that it names: an empty object or null means none", () => {
  expect(supportedByClient({ elicitation: { form: {}, url: {} } })).toEqual({ form: true, url: true });
  for (const capabilities of [undefined, null, {}, { elicitation: null }, { elicitation: {} }]) {
    expect(supportedByClient(capabilities)).toEqual({ form: false, url: false });
  }
  expect(supportedByClient({ elicitation: { form: null, url: {} } })).toEqual({ form: false, url: true });
});
