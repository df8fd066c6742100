import { initialDrafts, parseRequestedSchema, validate } from "elicit-kit/form";
import { expect } from "vitest";
import { fieldCase } from "./field-case.ts";

const read = (property: unknown, more: object = {}) => {
  const parsed = parseRequestedSchema({ type: "object", properties: { it: property }, ...more });
  if (!parsed.ok) throw new Error(parsed.reasons.map(({ message }) => message).join());
  const [field] = parsed.fields;
  if (field === undefined) throw new Error("no field");
  return field;
};
const answer = (property: unknown, draft: string | boolean | readonly string[] | undefined, more = {}) => {
  const field = read(property, more);
  return validate([field], { ...initialDrafts([field]), ...(draft !== undefined && { it: draft }) });
};
const refusal = (schema: object) => {
  const parsed = parseRequestedSchema({ type: "object", properties: { it: { type: "string" } }, ...schema });
  return parsed.ok ? undefined : parsed.reasons[0]?.message;
};

fieldCase(
  { sources: ["PrefectHQ/fastmcp#1565"], before: "failed" },
  "a choice of numbers answers with the number",
  () => {
    const property = { type: "integer", enum: [1, 2, 3], title: "Rooms" };
    expect(read(property)).toMatchObject({ kind: "choice", label: "Rooms" });
    expect(answer(property, "2")).toEqual({ ok: true, content: { it: 2 } });
    expect(answer(property, "4")).toMatchObject({ ok: false, errors: { it: { code: "not-an-option" } } });
    expect(answer({ ...property, default: 3 }, undefined)).toEqual({ ok: true, content: { it: 3 } });
    const priorities = {
      anyOf: [
        { const: 1, title: "Low" },
        { const: 2, title: "High" },
      ],
    };
    expect(read(priorities)).toMatchObject({ options: [{ label: "Low" }, { label: "High" }] });
    expect(answer(priorities, "1")).toEqual({ ok: true, content: { it: 1 } });
  },
);

fieldCase(
  {
    sources: ["PrefectHQ/fastmcp#3910", "datamodel-code-generator/datamodel-code-generator#2986"],
    before: "failed",
  },
  "a field that a Python model declares as optional can be left out",
  () => {
    const note = {
      anyOf: [{ type: "string", maxLength: 40 }, { type: "null" }],
      default: null,
      title: "Note",
    };
    expect(read(note)).toMatchObject({ kind: "text", label: "Note", maxLength: 40, required: false });
    expect(answer(note, undefined)).toEqual({ ok: true, content: {} });
    expect(answer({ type: ["integer", "null"] }, "7")).toEqual({ ok: true, content: { it: 7 } });
    const status = { type: ["string", "null"], enum: ["active", "inactive", null] };
    expect(read(status)).toMatchObject({
      kind: "choice",
      options: [{ value: "active" }, { value: "inactive" }],
    });
    expect(read({ enum: ["a", "b", null] })).toMatchObject({ options: [{ value: "a" }, { value: "b" }] });
    expect(answer({ anyOf: [{ type: "integer" }, { type: "number" }] }, "1.5")).toMatchObject({ ok: true });
  },
);

fieldCase(
  { sources: ["pydantic/pydantic#12232", "mnboos/jsonschema-default#10"], before: "failed" },
  "an enum of a model that stands under $defs is a choice",
  () => {
    const $defs = { Colour: { enum: ["red", "blue"], title: "Colour", type: "string" } };
    const reference = { $ref: "#/$defs/Colour" };
    for (const property of [
      reference,
      { allOf: [reference], default: "red", title: "Paint" },
      { anyOf: [reference, { type: "null" }] },
      { ...reference, default: "red" },
    ]) {
      expect(read(property, { $defs })).toMatchObject({ kind: "choice", options: [{}, {}] });
      expect(answer(property, "blue", { $defs })).toEqual({ ok: true, content: { it: "blue" } });
    }
    expect(read({ allOf: [reference], title: "Paint" }, { $defs })).toMatchObject({ label: "Paint" });
  },
);

fieldCase(
  { sources: ["colinhacks/zod#4779"], before: "failed" },
  "a limit between two integers refuses neither of them",
  () => {
    expect(answer({ type: "integer", exclusiveMinimum: 0.5 }, "1")).toMatchObject({ ok: true });
    expect(answer({ type: "integer", exclusiveMinimum: 0 }, "0")).toMatchObject({
      ok: false,
      errors: { it: { code: "too-small", limit: 1 } },
    });
  },
);

fieldCase(
  { sources: ["xeipuuv/gojsonschema#149", "jdorn/json-editor#388"], before: "failed" },
  "a number that a model wants above zero is refused at its field when it is zero",
  () => {
    const price = { type: "number", exclusiveMinimum: 0, multipleOf: 0.01 };
    expect(answer(price, "0")).toMatchObject({ errors: { it: { code: "not-above", limit: 0 } } });
    expect(answer(price, "19.99")).toEqual({ ok: true, content: { it: 19.99 } });
    expect(answer(price, "19.999")).toMatchObject({
      errors: { it: { code: "not-a-multiple", limit: 0.01 } },
    });
    const older = { type: "number", minimum: 0, exclusiveMinimum: true };
    expect(answer(older, "0")).toMatchObject({ errors: { it: { code: "not-above", limit: 0 } } });
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4551"], before: "failed" },
  "a form is refused by the name of a keyword that would refuse its answers later",
  () => {
    for (const [keyword, value] of Object.entries({
      not: { const: "root" },
      if: { minLength: 3 },
      $ref: "https://example.com/schema.json",
    })) {
      const property = { type: "string", [keyword]: value, else: { pattern: "a" } };
      expect(refusal({ properties: { it: property } })).toBe(`unsupported-property: ${keyword}`);
    }
    for (const [keyword, value] of Object.entries({
      dependentRequired: { it: ["other"] },
      minProperties: 1,
      maxProperties: 0,
      allOf: [{ required: ["it"] }],
      oneOf: [{ required: ["it"] }],
      anyOf: [{ required: ["it"] }],
      patternProperties: { "^i": { maxLength: 3 } },
      propertyNames: { maxLength: 1 },
    })) {
      expect(refusal({ [keyword]: value })).toBe(`unsupported-property: ${keyword}`);
    }
    const list = { type: "array", items: { type: "string", enum: ["a", "b"] }, contains: { const: "a" } };
    expect(refusal({ properties: { it: list } })).toBe("unsupported-property: contains");
    // What every answer of a form keeps anyway.
    expect(
      refusal({ additionalProperties: false, unevaluatedProperties: false, dependentRequired: {} }),
    ).toBe(undefined);
  },
);

fieldCase(
  { sources: ["RicoSuter/NJsonSchema#397", "JamesNK/Newtonsoft.Json.Schema#39"], before: "passed" },
  "an enum of C# that may be null is a choice of its other values, as texts or as numbers",
  () => {
    const size = { type: ["string", "null"], enum: [null, "large", "medium", "small"] };
    expect(read(size)).toMatchObject({ kind: "choice", options: [{ value: "large" }, {}, {}] });
    expect(answer({ type: ["integer", "null"], enum: [0, 1, 2] }, "2")).toEqual({
      ok: true,
      content: { it: 2 },
    });
  },
);

fieldCase(
  { sources: ["JamesNK/Newtonsoft.Json.Schema#233"], before: "passed" },
  "a field that is required and may be null must be answered, because an answer cannot be null",
  () => {
    const grade = { type: ["string", "null"], enum: [null, "Excellent", "Normal"] };
    expect(read(grade, { required: ["it"] })).toMatchObject({ required: true });
    expect(answer(grade, undefined, { required: ["it"] })).toMatchObject({
      errors: { it: { code: "required" } },
    });
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#2774"], before: "passed" },
  "a choice with titles and without a type is a choice",
  () => {
    const oneOf = [
      { const: "low", title: "Low Priority" },
      { const: "high", title: "High Priority" },
    ];
    expect(read({ oneOf })).toMatchObject({ kind: "choice", options: [{ label: "Low Priority" }, {}] });
    expect(answer({ oneOf }, "high")).toEqual({ ok: true, content: { it: "high" } });
  },
);

fieldCase(
  { sources: ["dotnet/runtime#103322"], before: "passed" },
  "a version of .NET has its pattern, and a value of any kind is refused by name",
  () => {
    const version = { type: ["string", "null"], pattern: String.raw`^\d+(\.\d+){1,3}$` };
    expect(answer(version, "1.2.3")).toMatchObject({ ok: true });
    expect(answer(version, "1")).toMatchObject({ errors: { it: { code: "pattern" } } });
    expect(refusal({ properties: { it: true } })).toBe("unsupported-property: type");
  },
);

fieldCase(
  { sources: ["RicoSuter/NJsonSchema#1660"], before: "passed" },
  "a list of an enum that may be null is a choice of several",
  () => {
    const $defs = { Day: { type: "string", enum: ["mon", "tue"] } };
    const days = { type: "array", items: { oneOf: [{ type: "null" }, { $ref: "#/$defs/Day" }] } };
    expect(read(days, { $defs })).toMatchObject({ kind: "multi-choice", options: [{ value: "mon" }, {}] });
  },
);

fieldCase(
  { sources: ["PrefectHQ/fastmcp#4899", "evoila/meho#2196"], before: "failed" },
  "an id, a time or a duration that the server could not read is refused at its field",
  () => {
    const right = { uuid: "7d444840-9dc0-11d1-b245-5ffdce74fad2", time: "14:30:00", duration: "P1DT2H" };
    for (const [format, value] of Object.entries(right)) {
      const property = { type: "string", format };
      expect(answer(property, value)).toEqual({ ok: true, content: { it: value } });
      expect(answer(property, "soon")).toMatchObject({ ok: false, errors: { it: { code: "pattern" } } });
    }
    expect(answer({ type: "string", format: "time" }, "14:30:00Z")).toMatchObject({ ok: true });
    expect(answer({ type: "string", format: "something-new" }, "soon")).toMatchObject({ ok: true });
  },
);

fieldCase(
  { sources: ["lightdash/lightdash#20874", "wajahatkarim3/EasyValidation#40"], before: "passed" },
  "an address with an apostrophe or a plus sign is a mail address",
  () => {
    for (const address of ["jon.o'conner@example.com", "ada+chat@example.com"])
      expect(answer({ type: "string", format: "email" }, address)).toMatchObject({ ok: true });
  },
);

fieldCase(
  { sources: ["Wh1isper/mcp-email-server#64"], before: "passed" },
  "a point in time has an offset, and one without is refused",
  () => {
    const at = { type: "string", format: "date-time" };
    expect(answer(at, "2025-10-22T15:50:22.113199+03:00")).toMatchObject({ ok: true });
    expect(answer(at, "2025-10-22T15:50:22.113199")).toMatchObject({ ok: false });
  },
);

fieldCase(
  { sources: ["pydantic/pydantic#12232"], before: "passed" },
  "a list of numbers, which no answer of MCP can be, is refused by the name of its keyword",
  () => {
    const refusalOf = (items: object) => refusal({ properties: { it: { type: "array", items } } });
    expect(refusalOf({ type: "integer", enum: [1, 2] })).toBe("unsupported-property: items");
    expect(refusalOf({ type: "integer" })).toBe("unsupported-property: enum or anyOf");
  },
);

fieldCase(
  { sources: ["rjsf-team/react-jsonschema-form#466", "josdejong/jsoneditor#648"], before: "failed" },
  "an option that is an empty text has something to see, and can be chosen",
  () => {
    const tone = { type: "string", enum: ["", "warm"] };
    expect(read(tone)).toMatchObject({ options: [{ value: "", label: '""' }, { label: "warm" }] });
    expect(answer(tone, "")).toEqual({ ok: true, content: { it: "" } });
  },
);

fieldCase(
  { sources: ["networknt/json-schema-validator#487", "spring-projects/spring-ai#7004"], before: "passed" },
  "an enum of Java that may be null, and does not list null, is a choice that can be left out",
  () => {
    const kind = { type: ["string", "null"], enum: ["combobox", "checkbox"] };
    expect(read(kind)).toMatchObject({ kind: "choice", required: false });
    expect(answer(kind, undefined)).toEqual({ ok: true, content: {} });
    expect(read({ type: ["string", "null"] })).toMatchObject({ kind: "text", required: false });
  },
);

fieldCase(
  { sources: ["invopop/jsonschema#115", "pb33f/libopenapi#283"], before: "passed" },
  "a reference that may be null, as Go and OpenAPI write it, is what it refers to",
  () => {
    const $defs = { Kind: { type: "string", enum: ["a", "b"] } };
    const inGo = { oneOf: [{ $ref: "#/$defs/Kind", description: "The kind" }, { type: "null" }] };
    expect(read(inGo, { $defs })).toMatchObject({ kind: "choice", description: "The kind" });
    const inOpenApi = { $ref: "#/$defs/Kind", nullable: true, description: "The kind" };
    expect(read(inOpenApi, { $defs })).toMatchObject({ kind: "choice", description: "The kind" });
  },
);

fieldCase(
  { sources: ["Vuepic/vue-datepicker#1112"], before: "passed" },
  "a date without a time is sent as the day that the user chose, in any time zone and season",
  () => {
    for (const day of ["2026-01-01", "2026-03-29", "2026-10-25", "2024-02-29"]) {
      expect(answer({ type: "string", format: "date" }, day)).toEqual({ ok: true, content: { it: day } });
    }
  },
);
