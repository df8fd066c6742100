import Ajv2020 from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import {
  parseAnswerAck,
  parseCompletionMessage,
  parseElicitationRequest,
  parseElicitationResponse,
  parseProblem,
  parseResolution,
  parseStatusReport,
  type Parsed,
} from "./guard.ts";
import {
  answerAckSchema,
  answerResultsSchema,
  completionMessageSchema,
  elicitationAnswerSchema,
  elicitationListSchema,
  elicitationRequestSchema,
  elicitationResponseSchema,
  inboxPageSchema,
  parseStreamEvent,
  problemSchema,
  resolutionSchema,
  statusReportSchema,
  streamEventSchemas,
} from "./schema.ts";
import { isTimestamp } from "./timestamp.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

const published = {
  ElicitationRequest: elicitationRequestSchema,
  ElicitationResponse: elicitationResponseSchema,
  ElicitationAnswer: elicitationAnswerSchema,
  ElicitationResolution: resolutionSchema,
  StatusReport: statusReportSchema,
  ElicitationList: elicitationListSchema,
  InboxPage: inboxPageSchema,
  AnswerAck: answerAckSchema,
  AnswerResults: answerResultsSchema,
  Problem: problemSchema,
  CompletionMessage: completionMessageSchema,
};
const nameOf = new Map<unknown, string>(Object.entries(published).map(([name, schema]) => [schema, name]));
/** Zod's JSON Schema of one definition. Other published definitions in it become references. */
function toDefinition(schema: z.ZodMiniType): object {
  const { $schema: _, ...definition } = z.toJSONSchema(schema, {
    unrepresentable: "any",
    io: "input",
    override({ zodSchema, jsonSchema }) {
      const name = nameOf.get(zodSchema);
      if (name === undefined || name === nameOf.get(schema)) return;
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      jsonSchema.$ref = `#/$defs/${name}`;
    },
  });
  return definition;
}
const contract = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "elicit-kit wire contract",
  $defs: {
    ...Object.fromEntries(Object.entries(published).map(([name, schema]) => [name, toDefinition(schema)])),
    StreamEvent: {
      description: "One event of a stream. A known type is held to what it must carry; any other passes.",
      type: "object",
      properties: { type: { type: "string" } },
      required: ["type"],
      allOf: Object.entries(streamEventSchemas).map(([type, schema]) => ({
        anyOf: [{ properties: { type: { not: { const: type } } } }, toDefinition(schema)],
      })),
    },
  },
};

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,22}$/);
const text = fc.string({ unit: "binary" });
const timestamp = fc
  .record({
    at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-01-01") }),
    offset: fc.constantFrom("Z", "+05:30", "-08:00"),
  })
  .map(({ at, offset }) => at.toISOString().replace("Z", offset));
const outcome = fc.constantFrom("accepted", "declined", "cancelled", "expired", "withdrawn", "failed");
const resolution = fc.record(
  { outcome, at: timestamp, reason: text, account: text, by: text },
  { requiredKeys: ["outcome", "at"] },
);
const name = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "toString", "", "😀"));
/** Copies own properties only, whatever their names. */
const dictionary = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(name, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
const content = dictionary(
  fc.oneof(
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.array(text, { maxLength: 3 }),
  ),
);

const common = {
  type: fc.constant("elicitation-request"),
  elicitationId: id,
  message: text,
  context: fc.record({ trigger: text, more: fc.jsonValue() }, { requiredKeys: ["trigger"] }),
  requester: fc.record({ name: text, claimedName: text }, { requiredKeys: ["name"] }),
  purpose: text,
  round: fc.record({ id: text, size: fc.integer({ min: 1 }) }),
  toolCallId: text,
  expiresAt: timestamp,
  progress: fc.record(
    { status: fc.constantFrom("pending", "consented", "completed"), lastError: text, byUser: fc.boolean() },
    { requiredKeys: ["status"] },
  ),
  resolution,
};
const always = ["type", "elicitationId", "mode", "message"] as const;

/** Arbitraries for values that the contract allows, written independently of guard and schemas. */
const valid = {
  request: fc.oneof(
    fc.record(
      {
        ...common,
        mode: fc.constant("url"),
        url: fc.webUrl(),
        acceptMeans: fc.constantFrom("completion", "consent"),
        service: fc.record({ name: text, iconDataUrl: text }, { requiredKeys: ["name"] }),
      },
      { requiredKeys: [...always, "url"] },
    ),
    fc.record(
      {
        ...common,
        mode: fc.constant("form"),
        requestedSchema: fc.record(
          {
            type: fc.constant("object"),
            properties: dictionary(fc.jsonValue()),
            required: fc.array(text, { maxLength: 3 }),
          },
          { requiredKeys: ["type", "properties"] },
        ),
        remember: fc.record({ days: fc.integer({ min: 1 }), kind: text }, { requiredKeys: ["days"] }),
        delegate: fc.constant(true),
      },
      { requiredKeys: [...always, "requestedSchema"] },
    ),
  ),
  response: fc.oneof(
    fc.record(
      { elicitationId: id, action: fc.constant("accept"), content, remember: fc.boolean() },
      { requiredKeys: ["elicitationId", "action"] },
    ),
    fc.record({ elicitationId: id, action: fc.constant("accept"), delegated: fc.constant(true) }),
    fc.record({ elicitationId: id, action: fc.constant("cancel") }),
    fc.record(
      { elicitationId: id, action: fc.constant("decline"), note: fc.string({ maxLength: 500 }) },
      { requiredKeys: ["elicitationId", "action"] },
    ),
  ),
  resolution,
  status: fc.record(
    {
      elicitationId: id,
      status: fc.oneof(outcome, fc.constantFrom("pending", "consented", "completed")),
      lastError: text,
      byUser: fc.boolean(),
      expiresAt: timestamp,
      now: timestamp,
    },
    { requiredKeys: ["elicitationId", "status", "expiresAt", "now"] },
  ),
  ack: fc.oneof(
    fc.record(
      { success: fc.constant(true), elicitationId: id, outcome, alreadyProcessed: fc.constant(true) },
      { requiredKeys: ["success", "elicitationId", "outcome"] },
    ),
    fc.record(
      {
        success: fc.constant(true),
        elicitationId: id,
        status: fc.constantFrom("consented", "pending"),
        lastError: text,
        byUser: fc.boolean(),
      },
      { requiredKeys: ["success", "elicitationId", "status"] },
    ),
  ),
  problem: fc.record(
    {
      title: text,
      status: fc.integer(),
      detail: text,
      code: text,
      outcome,
      errors: fc.array(fc.record({ field: text, code: text, message: text }), { maxLength: 2 }),
    },
    { requiredKeys: ["title", "status", "detail"] },
  ),
  message: fc.oneof(
    fc.record({
      source: fc.constant("elicit-kit"),
      version: fc.constant(1),
      elicitationId: id,
      type: fc.constantFrom("elicitation-complete", "elicitation-failed"),
    }),
    fc.record({
      source: fc.constant("elicit-kit"),
      version: fc.constant(1),
      elicitationId: id,
      type: fc.constant("elicitation-bind"),
      challenge: text,
    }),
  ),
};

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, entry]) => pathsOf(entry, [...path, key]))];
}

/** Replaces, removes (`undefined`) or adds the value at a path, for own properties only. */
function put(value: unknown, [key, ...rest]: Path, entry: unknown): unknown {
  if (key === undefined) return entry;
  if (Array.isArray(value))
    return value.map((old, index) => (String(index) === String(key) ? put(old, rest, entry) : old));
  const entries = new Map(Object.entries(Object(value)));
  const changed = put(entries.get(String(key)), rest, entry);
  if (changed === undefined) entries.delete(String(key));
  else entries.set(String(key), changed);
  return Object.fromEntries(entries);
}

/** A valid object with one random change: a member is removed, replaced or added. */
function mutated(object: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const near = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      undefined,
      null,
      "",
      "url",
      "form",
      "accept",
      "decline",
      "pending",
      0,
      1,
      -1,
      1.5,
      2 ** 53,
      true,
      false,
      [],
      {},
      "..",
      "https://example.com",
      "2026-02-30T00:00:00Z",
      "elicitation-bind",
      "x".repeat(8192),
      "x".repeat(8193),
      "😀".repeat(8192),
      "😀".repeat(8193),
      `https://a.example/${"a".repeat(8174)}`,
      `https://a.example/${"a".repeat(8175)}`,
    ),
  );
  const added = fc.oneof(
    name,
    fc.constantFrom(
      "url",
      "requestedSchema",
      "content",
      "note",
      "remember",
      "delegate",
      "delegated",
      "outcome",
      "status",
      "lastError",
      "byUser",
      "mode",
      "type",
    ),
  );
  return fc.tuple(object, fc.nat(), near, fc.option(added)).map(([value, at, entry, extra]) => {
    const paths = pathsOf(value);
    const path = paths[at % paths.length] ?? [];
    return put(value, extra === null ? path : [...path, extra], entry);
  });
}

const cases: readonly [
  string,
  (value: unknown) => Parsed<unknown>,
  z.ZodMiniType,
  keyof typeof published,
  fc.Arbitrary<unknown>,
][] = [
  ["request", parseElicitationRequest, elicitationRequestSchema, "ElicitationRequest", valid.request],
  ["response", parseElicitationResponse, elicitationResponseSchema, "ElicitationResponse", valid.response],
  ["resolution", parseResolution, resolutionSchema, "ElicitationResolution", valid.resolution],
  ["status", parseStatusReport, statusReportSchema, "StatusReport", valid.status],
  ["ack", parseAnswerAck, answerAckSchema, "AnswerAck", valid.ack],
  ["problem", parseProblem, problemSchema, "Problem", valid.problem],
  ["message", parseCompletionMessage, completionMessageSchema, "CompletionMessage", valid.message],
];

const ajv = new Ajv2020({ strict: false });
ajv.addFormat("uri", (value) => URL.canParse(value));
ajv.addFormat("date-time", isTimestamp);
ajv.addSchema(contract, "contract");

describe.each(cases)(
  "%s: guard, zod schema and JSON schema",
  (_title, parse, schema, definition, arbitrary) => {
    const validate = ajv.getSchema(`contract#/$defs/${definition}`)!;

    it("accept all valid values, and return the same object", () => {
      fc.assert(
        fc.property(arbitrary, (value) => {
          const parsed = parse(value);
          expect(parsed.ok && parsed.value).toBe(value);
          expect(schema.safeParse(value).success).toBe(true);
          expect(validate(value)).toBe(true);
        }),
        runs,
      );
    });

    it("agree on any JSON, and on valid objects with one change", () => {
      fc.assert(
        fc.property(
          fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, { weight: 9, arbitrary: mutated(arbitrary) }),
          (value) => {
            const { ok } = parse(value);
            expect(schema.safeParse(value).success).toBe(ok);
            expect(validate(value)).toBe(ok);
          },
        ),
        runs,
      );
    });

    it("accept any value without throwing or changing a prototype", () => {
      const before = Object.getOwnPropertyNames(Object.prototype);
      fc.assert(
        fc.property(
          fc.anything({
            withNullPrototype: true,
            withMap: true,
            withSet: true,
            withBigInt: true,
            withDate: true,
            withSparseArray: true,
            withTypedArray: true,
            key: name,
          }),
          (value) => {
            parse(value);
          },
        ),
        runs,
      );
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    });
  },
);

describe.each([
  [
    "ElicitationList",
    elicitationListSchema,
    fc.record({ elicitations: fc.array(valid.request, { maxLength: 3 }) }),
  ],
  [
    "InboxPage",
    inboxPageSchema,
    fc.record(
      {
        items: fc.array(
          fc.record(
            {
              conversationId: fc.string(),
              surface: fc.string(),
              askedAt: fc.constant("2026-11-24T12:00:00Z"),
              request: valid.request,
            },
            { requiredKeys: ["conversationId", "askedAt", "request"] },
          ),
          { maxLength: 3 },
        ),
        next: fc.string(),
      },
      { requiredKeys: ["items"] },
    ),
  ],
  [
    "AnswerResults",
    answerResultsSchema,
    fc.record({
      success: fc.boolean(),
      results: fc.array(
        fc.record({ elicitationId: id, status: fc.integer(), body: fc.oneof(valid.ack, valid.problem) }),
        { maxLength: 3 },
      ),
    }),
  ],
] as const)("%s: zod schema and JSON schema", (definition, schema, arbitrary: fc.Arbitrary<unknown>) => {
  const validate = ajv.getSchema(`contract#/$defs/${definition}`)!;

  it("accept all valid values, and agree on invalid ones", () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(schema.safeParse(value).success).toBe(true);
        expect(validate(value)).toBe(true);
      }),
      runs,
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), mutated(arbitrary)), (value) => {
        expect(validate(value)).toBe(schema.safeParse(value).success);
      }),
      runs,
    );
  });
});

describe("a request at the limits of what is allowed", () => {
  const validate = ajv.getSchema("contract#/$defs/ElicitationRequest")!;
  const request = {
    type: "elicitation-request",
    elicitationId: "e1",
    mode: "url",
    message: "Connect",
    url: "https://a.example",
  };
  const url = (characters: number) => "https://a.example/".padEnd(characters, "a");

  it.each([
    ["a message of 8,192 characters", { message: "x".repeat(8192) }, true],
    ["a message of one more", { message: "x".repeat(8193) }, false],
    ["a message of 8,192 characters of two units each", { message: "😀".repeat(8192) }, true],
    ["a message of one more of them", { message: "😀".repeat(8193) }, false],
    ["a url of 8,192 characters", { url: url(8192) }, true],
    ["a url of one more", { url: url(8193) }, false],
    ["the largest count", { round: { id: "r", size: 2 ** 53 - 1 } }, true],
    ["a count that not every reader holds", { round: { id: "r", size: 2 ** 53 } }, false],
  ])("%s: guard, zod schema and JSON schema agree", (_what, change, ok) => {
    const value = { ...request, ...change };
    expect(parseElicitationRequest(value).ok).toBe(ok);
    expect(elicitationRequestSchema.safeParse(value).success).toBe(ok);
    expect(validate(value)).toBe(ok);
  });
});

describe("a stream event", () => {
  const validate = ajv.getSchema("contract#/$defs/StreamEvent")!;
  const event = fc.oneof(
    valid.request,
    fc.record({ type: fc.constant("elicitation-request"), data: valid.request }),
    fc.record({ type: fc.constant("data-elicitation-request"), id, data: valid.request }),
    fc.record({ type: fc.constant("elicitation-resolved"), elicitationId: id, resolution }),
    fc.record({ type: fc.constant("tool-input-available"), toolCallId: id, toolName: text, input: name }),
    fc.record({ type: fc.constant("error"), errorText: text }),
    fc.record({ type: fc.constant("finish"), usage: fc.constant({ totalTokens: 3 }) }),
    fc.record({ type: fc.constantFrom(...Object.keys(streamEventSchemas)), id, toolCallId: id, data: name }),
    fc.record({ type: name, data: fc.jsonValue() }),
  );

  it("is accepted by parseStreamEvent if the JSON schema accepts it: known, unknown or with one change", () => {
    fc.assert(
      fc.property(fc.oneof(event, mutated(event), fc.jsonValue()), (value) => {
        expect(validate(value)).toBe(parseStreamEvent(value).ok);
      }),
      runs,
    );
  });
});

it("the JSON schema is published as docs/contract.schema.json (to update it: vitest -u)", async () => {
  await expect(`${JSON.stringify(contract, undefined, 2)}\n`).toMatchFileSnapshot(
    "../../docs/contract.schema.json",
  );
});
