import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { initialDrafts, parseRequestedSchema, validate } from "./index.ts";
import { checkContent } from "./check-content.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

const ajv = new Ajv({ strict: false, logger: false, ownProperties: true });
addFormats["default"](ajv);

type Json = Readonly<Record<string, unknown>>;

interface Decision {
  /** The sentence of the specification that decides. */
  rule: string;
  property: Json;
  value: unknown;
  /** Whether elicit-kit accepts the value. ajv does the opposite. */
  here: boolean;
  /** Whether the sentence also applies to this property and value. */
  covers: (property: Json, value: unknown) => boolean;
}

const isNumber = (value: unknown): value is number => typeof value === "number";
/** Whether a float is the exact result of a division of `value`. */
const isQuotient = (result: number, value: number) =>
  Number.isSafeInteger(result) && (result === 0) === (value === 0);
const isText = (value: unknown): value is string => typeof value === "string";

/** The cases in which elicit-kit differs from ajv, with the reason. In all others both must agree. */
const DECISIONS: readonly Decision[] = [
  {
    rule: "RFC 7493, 2.2: an integer outside ±(2^53 - 1) is not what every receiver reads",
    property: { type: "integer" },
    value: 2 ** 53,
    here: false,
    covers: ({ type, anyOf, multipleOf }, value) =>
      (type === "integer" || anyOf !== undefined || multipleOf === 1) &&
      Number.isInteger(value) &&
      !Number.isSafeInteger(value),
  },
  {
    rule: "JSON Schema, 6.2.1: valid only if division by multipleOf results in an integer, of numbers and not of floats",
    property: { type: "number", multipleOf: 0.01 },
    value: 19.99,
    here: true,
    covers: ({ multipleOf }, value) =>
      isNumber(multipleOf) &&
      isNumber(value) &&
      (Math.abs(value) > Number.MAX_SAFE_INTEGER || !isQuotient(value / multipleOf, value)),
  },
  {
    rule: "contract, 1: an answer is never null, so a field that may be null is left out instead",
    property: { type: ["number", "null"] },
    value: null,
    here: false,
    covers: ({ type, anyOf }, value) => value === null && (Array.isArray(type) || anyOf !== undefined),
  },
  {
    rule: "MCP, multi-select enum: a selection from a list; nothing can be selected twice",
    property: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    value: ["a", "a"],
    here: false,
    covers: ({ type }, value) =>
      type === "array" && Array.isArray(value) && new Set(value).size < value.length,
  },
  {
    rule: "HTML, valid email address: dots anywhere in the local part",
    property: { type: "string", format: "email" },
    value: "a..b.@example.com",
    here: true,
    covers: ({ format }, value) => format === "email" && isText(value) && /^\.|\.\.|\.@/.test(value),
  },
  {
    rule: "HTML, valid email address: a domain may be a single label",
    property: { type: "string", format: "email" },
    value: "root@localhost",
    here: true,
    covers: ({ format }, value) => format === "email" && isText(value) && /@[a-z\d-]+$/i.test(value),
  },
  {
    rule: "HTML, valid email address: a label has at most 63 characters",
    property: { type: "string", format: "email" },
    value: `a@${"b".repeat(64)}.com`,
    here: false,
    covers: ({ format }, value) => format === "email" && isText(value) && /[a-z\d-]{64}/i.test(value),
  },
  {
    rule: "RFC 3986, 3: hier-part may be path-empty",
    property: { type: "string", format: "uri" },
    value: "about:",
    here: true,
    covers: ({ format }, value) =>
      format === "uri" && isText(value) && /^[a-z][a-z\d+.-]*:(?:[?#]|$)/i.test(value),
  },
  {
    rule: "RFC 3986, 3.3: a path has no brackets; an IP literal stands after two slashes",
    property: { type: "string", format: "uri" },
    value: "a:/[::1]",
    here: false,
    covers: ({ format }, value) =>
      format === "uri" && isText(value) && /^[a-z][a-z\d+.-]*:\/[^/]*\[/i.test(value),
  },
  {
    rule: "RFC 3986, 3.3: a path without authority cannot begin with two slashes, so what they begin is an authority",
    property: { type: "string", format: "uri" },
    value: "http://a:b",
    here: false,
    covers: ({ format }, value) => {
      const authority =
        isText(value) && format === "uri" ? /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(value)?.[1] : undefined;
      return authority !== undefined && !/^(?:[^@]*@)?(?:\[[^\]]*\]|[^:@[\]]*)(?::\d*)?$/.test(authority);
    },
  },
  {
    rule: "RFC 3986, 3.2.2: no version of IPvFuture is defined, so there is nothing that it can address",
    property: { type: "string", format: "uri" },
    value: "http://[v1.a]/",
    here: false,
    covers: ({ format }, value) => format === "uri" && isText(value) && /\[v/i.test(value),
  },
  {
    rule: "RFC 3986, 3.2.2: dec-octet has no leading zero, in an IPv4 address at the end of an IPv6 one too",
    property: { type: "string", format: "uri" },
    value: "http://[::ffff:01.2.3.4]/",
    here: false,
    covers: ({ format }, value) =>
      format === "uri" && isText(value) && /\[[^\]]*[:.]0\d+\.|\.0\d+\]/.test(value),
  },
  {
    rule: 'RFC 3339, 5.6: date-time = full-date "T" full-time (JSON Schema names this production, not its note on spaces)',
    property: { type: "string", format: "date-time" },
    value: "2026-11-20 10:00:00Z",
    here: false,
    covers: ({ format }, value) => format === "date-time" && isText(value) && /\s/.test(value),
  },
  {
    rule: 'RFC 3339, 5.6: time-numoffset = ("+" / "-") time-hour ":" time-minute',
    property: { type: "string", format: "date-time" },
    value: "2026-11-20T10:00:00+0100",
    here: false,
    covers: ({ format }, value) =>
      format === "date-time" && isText(value) && /[+-]\d\d(?:\d\d)?$/.test(value),
  },
  {
    rule: "contract, 1: a pattern that is not shown to be linear is left to the server",
    property: { type: "string", pattern: "^(a+)+$" },
    value: "b",
    here: true,
    covers: ({ pattern }) => pattern === "^(a+)+$",
  },
];

function accepts(property: Json, value: unknown): boolean {
  return checkContent({ type: "object", properties: { it: property } }, { it: value }).ok;
}

function isDecided(property: Json, value: unknown): boolean {
  return DECISIONS.some(({ covers }) => covers(property, value));
}

it.each(DECISIONS)(
  "the check of answers differs from ajv because of this rule: $rule",
  ({ property, value, here, covers }) => {
    expect(accepts(property, value)).toBe(here);
    expect(ajv.validate(property, value)).toBe(!here);
    expect(covers(property, value)).toBe(true);
  },
);

const count = fc.nat({ max: 4 });
const text = fc.string({
  unit: fc.constantFrom("a", "b", "1", " ", "é", "😀", "\n", "\ud800"),
  maxLength: 6,
});
const option = fc.constantFrom("a", "b", "", "c d", "😀", "__proto__");
const options = fc.uniqueArray(option, { minLength: 1 });
const titled = options.map((values) => values.map((value) => ({ const: value, title: value.toUpperCase() })));
const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(2 ** 53, -0, 1e21, 0.1),
);
const pattern = fc.constantFrom("^[ab]+$", "1", "^\\w{2,3}$", "é|😀", "^.$", "\\S", "^(a+)+$", "[", "(?=a)");
const partly = <T>(record: { [Key in keyof T]: fc.Arbitrary<T[Key]> }, required: (keyof T)[]) =>
  fc.record(record, { requiredKeys: required });

/** Each of the eight kinds, with any of its keywords, and with keywords that do not apply to it. */
const property: fc.Arbitrary<Json> = fc
  .tuple(
    fc.oneof(
      partly({ type: fc.constant("string"), minLength: count, maxLength: count, pattern }, ["type"]),
      partly(
        {
          type: fc.constantFrom("number", "integer", ["number", "null"]),
          minimum: number,
          maximum: number,
          exclusiveMinimum: number,
          exclusiveMaximum: number,
          multipleOf: fc.constantFrom(1, 2, 3, 0.5, 0.25),
        },
        ["type"],
      ),
      fc.record({
        enum: fc.uniqueArray(fc.oneof(number, option, fc.boolean()), { minLength: 1, selector: String }),
      }),
      fc.record({
        type: fc.constant("integer"),
        enum: fc.uniqueArray(fc.integer({ min: -5, max: 5 }), { minLength: 1 }),
      }),
      fc.record({ const: fc.oneof(number, option, fc.boolean()) }),
      fc.record({
        anyOf: fc.tuple(
          fc.record({ type: fc.constant("integer"), minimum: number }),
          fc.constant({ type: "null" }),
        ),
      }),
      fc.record({
        allOf: fc.tuple(
          fc.record({ type: fc.constant("number"), minimum: number }),
          fc.record({ maximum: number }),
        ),
      }),
      fc.constant({ type: "boolean" }),
      fc.record({ type: fc.constant("string"), enum: options }),
      options.map((values) => ({
        type: "string",
        enum: values,
        enumNames: values.map((value) => `${value}!`),
      })),
      fc.record({ type: fc.constant("string"), oneOf: titled }),
      partly(
        {
          type: fc.constant("array"),
          items: fc.record({ type: fc.constant("string"), enum: options }),
          minItems: count,
          maxItems: count,
        },
        ["type", "items"],
      ),
      partly(
        { type: fc.constant("array"), items: fc.record({ anyOf: titled }), minItems: count, maxItems: count },
        ["type", "items"],
      ),
    ),
    fc.record(
      {
        title: fc.string(),
        description: fc.string(),
        "x-hint": fc.jsonValue(),
        examples: fc.array(fc.string()),
        default: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([kind, words]) => ({ ...kind, ...words }));

const value = fc.oneof(
  text,
  number,
  fc.boolean(),
  option,
  fc.array(option, { maxLength: 5 }),
  fc.jsonValue(),
);

/** Strings close to a format: valid ones in which up to three characters were removed, added or replaced. */
function nearly(right: fc.Arbitrary<string>, characters: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      right,
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 1 }), fc.constantFrom("", ...Array.from(characters))), {
        maxLength: 3,
      }),
    )
    .map(([start, edits]) => {
      let changed = start;
      for (const [at, drop, character] of edits) {
        const place = at % (changed.length + 1);
        changed = changed.slice(0, place) + character + changed.slice(place + drop);
      }
      return changed;
    });
}

const dateTime = fc
  .tuple(
    fc.date({ noInvalidDate: true, min: new Date("0000-01-01"), max: new Date("9999-12-31") }),
    fc.constantFrom("Z", "z", "+00:00", "-23:59", "+05:30"),
    fc.boolean(),
  )
  .map(([at, zone, leap]) =>
    at
      .toISOString()
      .replace("Z", zone)
      .replace(/\d\d\.\d+/, (second) => (leap ? "60" : second)),
  );
const minuteOfLeap = fc
  .tuple(
    fc.nat({ max: 23 }),
    fc.nat({ max: 59 }),
    fc.constantFrom("+", "-"),
    fc.nat({ max: 23 }),
    fc.nat({ max: 59 }),
  )
  .map(([hour, minute, sign, hours, minutes]) => {
    const two = (part: number) => String(part).padStart(2, "0");
    return `2016-12-31T${two(hour)}:${two(minute)}:60${sign}${two(hours)}:${two(minutes)}`;
  });
const formats = {
  email: nearly(fc.oneof(fc.emailAddress(), fc.constant("a.b+c@x-y.example.com")), 'a.@-_ +"é1'),
  uri: nearly(
    fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.tuple(fc.ipV6(), fc.nat()).map(([address, port]) => `ws://user:x@[${address}]:${port}/a?b#c`),
      fc.constantFrom(
        "urn:isbn:0451450523",
        "mailto:a@example.com",
        "tel:+1-816",
        "file:///etc/hosts",
        "ldap://[2001:db8::7]/c=GB?one",
        "a:b/c",
        "http://[::ffff:1.2.3.4]",
        "data:text/plain,%20",
      ),
    ),
    'a:/?#[]@%0f .\\"<é|^`{~!',
  ),
  date: nearly(
    dateTime.map((at) => at.slice(0, 10)),
    "0123-9 ",
  ),
  "date-time": nearly(fc.oneof(dateTime, minuteOfLeap), "0569:.-+TZtz "),
};

describe("ajv, compared with the kit's check of answers,", () => {
  it("agrees on the values of all eight kinds", () => {
    fc.assert(
      fc.property(property, value, (schema, given) => {
        fc.pre(
          parseRequestedSchema({ type: "object", properties: { schema } }).ok && !isDecided(schema, given),
        );
        fc.pre(!["[", "(?=a)"].includes(String(schema["pattern"])));
        expect(accepts(schema, given)).toBe(ajv.validate(schema, given));
      }),
      runs,
    );
  });

  it.each(Object.entries(formats))("agrees on %s", (format, near) => {
    const schema = { type: "string", format };
    const compiled = ajv.compile(schema);
    fc.assert(
      fc.property(near, (given) => {
        fc.pre(!isDecided(schema, given));
        expect(accepts(schema, given)).toBe(compiled(given));
      }),
      runs,
    );
  });

  it("agrees on whole forms, on required fields and on unknown fields", () => {
    // Not "", which ajv never reports as missing, and not "__proto__", which it ignores in a schema.
    const name = fc.constantFrom("a", "b", "constructor", "toString", "hasOwnProperty", "😀");
    const form = fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(name, property, { maxKeys: 4 }),
      required: fc.uniqueArray(name),
    });
    fc.assert(
      fc.property(form, fc.dictionary(name, value, { maxKeys: 4 }), (schema, content) => {
        fc.pre(parseRequestedSchema(schema).ok);
        fc.pre(Object.values(schema.properties).every((each) => !isText(each["pattern"])));
        fc.pre(Object.entries(schema.properties).every(([key, each]) => !isDecided(each, content[key])));
        const ours = checkContent(schema, content);
        expect(ours.ok).toBe(ajv.validate({ ...schema, additionalProperties: false }, content));
      }),
      runs,
    );
  });

  it("accepts every content that validate returns", () => {
    const form = fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.string({ maxLength: 2 }), property, { maxKeys: 4 }),
    });
    const draft = fc.oneof(
      text,
      fc.boolean(),
      fc.array(option, { maxLength: 3 }),
      fc.constantFrom("1", "1.0", "-3e0", "2.5", "x"),
    );
    fc.assert(
      fc.property(form, fc.array(draft), (schema, drafts) => {
        const required = Object.keys(schema.properties).filter((_, index) => index % 2 === 0);
        const parsed = parseRequestedSchema({ ...schema, required });
        fc.pre(parsed.ok);
        const typed = Object.fromEntries(
          parsed.fields.flatMap(({ name }, index) =>
            drafts[index] === undefined ? [] : [[name, drafts[index]]],
          ),
        );
        const result = validate(parsed.fields, { ...initialDrafts(parsed.fields), ...typed });
        fc.pre(result.ok);
        fc.pre(
          Object.entries(schema.properties).every(
            ([key, each]) => !isDecided(each, result.content[key]) && !isText(each["pattern"]),
          ),
        );
        expect(ajv.validate({ ...schema, required, additionalProperties: false }, result.content)).toBe(true);
        expect(checkContent({ ...schema, required }, result.content)).toEqual(result);
      }),
      runs,
    );
  });
});
