import { isObject } from "../contract/json.ts";
import { checkValue, FORMATS } from "./check-value.ts";
import type { Field, Pattern, SchemaReason } from "./field.ts";
import { createFlattener, type Flat } from "./flat-property.ts";
import { narrowingOfForm, narrowingOfProperty } from "./narrowing.ts";
import { withOwnWords } from "./own-words.ts";
import { answerOf, hasOptions, readOptions, type Refuse, textOf } from "./read-options.ts";
import { type Limits, numberLimits, readLimits } from "./read-limits.ts";

/** The limit in characters of JSON text without white space. */
const MOST_JSON = 256 * 1024;
const MOST_PROPERTIES = 200;
/**
 * The limit for all patterns of a form together, because proving a pattern linear takes time. Only the server checks
 * later ones.
 */
const MOST_PATTERN_CHARACTERS = 4096;

/** Compiles a pattern. Returns `undefined` for one that only the server may check. */
export type CompilePattern = (source: string) => Pattern | undefined;

/** The fields of a schema in their order, or the reasons why it cannot be shown. */
export type ParsedSchema =
  | { ok: true; fields: readonly Field[] }
  | { ok: false; reasons: readonly SchemaReason[] };

/** Implements `parseRequestedSchema`. The caller passes `compilePattern`, because browsers load it on demand. */
export function parseSchema(schema: unknown, compilePattern: CompilePattern): ParsedSchema {
  const reasons: SchemaReason[] = [];
  const refuse: Refuse = (code, about, property) => {
    reasons.push({ code, message: `${code}: ${about}`, property });
    return undefined;
  };
  const fields = readSchema(schema, refuse, compilePattern);
  return fields && reasons.length === 0 ? { ok: true, fields } : { ok: false, reasons };
}

function readSchema(
  schema: unknown,
  refuse: Refuse,
  compilePattern: CompilePattern,
): readonly Field[] | undefined {
  const properties = ownValue(schema, "properties");
  const required = ownValue(schema, "required") ?? [];
  if (ownValue(schema, "type") !== "object" || !isObject(properties)) {
    return refuse("not-an-object-schema", "type, properties");
  }
  const names = Object.keys(properties);
  if (names.length > MOST_PROPERTIES) return refuse("too-many-properties", MOST_PROPERTIES);
  if (isLarger(schema, MOST_JSON)) return refuse("too-large", MOST_JSON);
  // A required name without a property could never be answered.
  if (!Array.isArray(required) || !required.every((name) => names.includes(name))) {
    return refuse("invalid-keyword", "required");
  }
  let patternCharacters = 0;
  const compile: CompilePattern = (pattern) => {
    patternCharacters += pattern.length;
    return patternCharacters > MOST_PATTERN_CHARACTERS ? undefined : compilePattern(pattern);
  };
  const narrowing =
    isObject(schema) && narrowingOfForm(schema, { least: required.length, most: names.length });
  if (narrowing) return refuse("unsupported-property", narrowing);
  const flatten = createFlattener(schema);
  const fields = names.flatMap((name) => {
    const refuseProperty: Refuse = (code, about) => refuse(code, about, name);
    const read = flatten(properties[name]);
    if (!read.ok) return refuseProperty("unsupported-property", read.keyword) ?? [];
    const asked = { name, required: required.includes(name) };
    return readProperty(read.flat, asked, { compile, flatten, refuse: refuseProperty }) ?? [];
  });
  const anyOf = ownValue(schema, "anyOf");
  const paired = withOwnWords(fields, anyOf);
  // A pair of choice and free text is the only meaning of `anyOf` that a form can show.
  if (paired === fields && !isAlwaysMet(anyOf, required)) return refuse("unsupported-property", "anyOf");
  return paired;
}

/** Whether an `anyOf` has a branch with no more than names that are required anyway. */
function isAlwaysMet(anyOf: unknown, required: readonly unknown[]): boolean {
  if (anyOf === undefined) return true;
  if (!Array.isArray(anyOf)) return false;
  return anyOf.some((branch: unknown) => {
    const names: unknown = ownValue(branch, "required") ?? [];
    const isOnlyNames = isObject(branch) && Object.keys(branch).every((keyword) => keyword === "required");
    return isOnlyNames && Array.isArray(names) && names.every((name) => required.includes(name));
  });
}

interface Reading {
  readonly compile: CompilePattern;
  readonly flatten: ReturnType<typeof createFlattener>;
  readonly refuse: Refuse;
}

function readProperty(
  property: Flat,
  { name, required }: { name: string; required: boolean },
  { compile, flatten, refuse }: Reading,
): Field | undefined {
  const narrowing = narrowingOfProperty(property);
  if (narrowing !== undefined) return refuse("unsupported-property", narrowing);
  const limits = readLimits(property, refuse);
  if (limits === undefined) return undefined;
  const { minItems, maxItems } = limits;
  const base = {
    name,
    label: textOf(ownValue(property, "title"), "name") ?? textOf(name, "name") ?? name,
    description: textOf(ownValue(property, "description"), "help"),
    required,
    placeholder: firstExample(ownValue(property, "examples")),
  };
  const initial = ownValue(property, "default");
  const type = ownValue(property, "type");
  if (type === "array") {
    const items = flatten(ownValue(property, "items"));
    if (!items.ok) return refuse("unsupported-property", items.keyword);
    const options = readItems(items.flat, { compile, flatten, refuse });
    return options && withDefault({ ...base, kind: "multi-choice", options, minItems, maxItems }, initial);
  }
  if (hasOptions(property) && !isYesOrNo(property)) {
    const options = readAllowed(property, limits, { compile, flatten, refuse });
    const only = options?.length === 1 && typeof options[0]?.answer === "boolean" ? options[0] : undefined;
    const named = only && only.label === only.value ? [{ ...only, label: base.label }] : options;
    return named && withDefault({ ...base, kind: "choice", options: named }, initial);
  }
  if (type === "boolean") return withDefault({ ...base, kind: "boolean" }, initial);
  if (type === "integer" || type === "number") {
    return withDefault({ ...base, kind: "number", ...numberLimits(type, limits) }, initial);
  }
  if (type !== "string") return refuse("unsupported-property", "type");
  const format = ownValue(property, "format");
  return withDefault(
    {
      ...base,
      kind: "text",
      format: isFormat(format) ? format : undefined,
      minLength: limits.minLength,
      maxLength: limits.maxLength,
      pattern: readPattern(property, compile),
      secret: format === "password" || ownValue(property, "writeOnly") === true,
    },
    initial,
  );
}

/** `enum: [true, false]`, which generators add to a boolean. */
function isYesOrNo({ type, enum: values }: Flat): boolean {
  return type === "boolean" && Array.isArray(values) && values.includes(true) && values.includes(false);
}

/** The options of a property, without those that its other keywords refuse. */
function readAllowed(property: Flat, limits: Limits, { compile, refuse }: Reading) {
  const options = readOptions(property, refuse);
  const base = { name: "", label: "", required: false } as const;
  const { minLength, maxLength } = limits;
  const text: Field = {
    ...base,
    kind: "text",
    minLength,
    maxLength,
    pattern: readPattern(property, compile),
  };
  const number: Field = { ...base, kind: "number", ...numberLimits("number", limits) };
  const allowed = options?.filter((option) => {
    const answer = answerOf(option);
    if (typeof answer === "boolean") return true;
    return checkValue(typeof answer === "number" ? number : text, answer) === undefined;
  });
  return allowed?.length === 0 ? refuse("invalid-keyword", "enum") : allowed;
}

/** The options of a list. An answer with several values has only text (contract, section 1). */
function readItems(items: Flat, reading: Reading) {
  const narrowing = narrowingOfProperty(items);
  if (narrowing !== undefined) return reading.refuse("unsupported-property", narrowing);
  const limits = readLimits(items, reading.refuse);
  const options = limits && readAllowed(items, limits, reading);
  const isText = options?.every(({ answer }) => answer === undefined) !== false;
  return isText ? options : reading.refuse("unsupported-property", "items");
}

function withDefault<F extends Field>(field: F, value: unknown): F {
  return isDefault(field, value) ? { ...field, default: value } : field;
}

function isDefault<F extends Field>(field: F, value: unknown): value is NonNullable<F["default"]> {
  return checkValue(field, value) === undefined;
}

/** Formats that generators of typed models write, and that no control is made for. */
const WRITTEN: ReadonlyMap<unknown, RegExp> = new Map([
  ["uuid", /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i],
  ["time", /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?$/i],
  ["duration", /^-?P(?=[\dT])(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])+)?$/],
]);

/** All patterns of a property in one. Absent if one of them is not proven to be linear, and only the server checks it. */
function readPattern(property: Flat, compile: CompilePattern): Pattern | undefined {
  const given = ownValue(property, "pattern");
  const written = WRITTEN.get(ownValue(property, "format"));
  const sources = [given].flat().filter((source) => typeof source === "string");
  const patterns = [...sources.map(compile), written].filter((pattern) => pattern !== undefined);
  const [first, ...others] = patterns;
  return others.length === 0 ? first : { test: (text) => patterns.every((pattern) => pattern.test(text)) };
}

function firstExample(examples: unknown): string | undefined {
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return typeof first === "string" || typeof first === "number" ? textOf(String(first), "name") : undefined;
}

function isFormat(name: unknown): name is keyof typeof FORMATS {
  return typeof name === "string" && Object.hasOwn(FORMATS, name);
}

/** Reads an own property of a schema, never an inherited one. */
function ownValue(holder: unknown, keyword: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, keyword) ? holder[keyword] : undefined;
}

/**
 * Whether the schema as JSON is longer than `most` characters. Stops early, because each value takes at least one
 * character and a string at least its length. A value that JSON cannot hold, such as a cycle, counts as too large.
 */
function isLarger(schema: unknown, most: number): boolean {
  let room = most;
  try {
    const json = JSON.stringify(schema, (_key, value: unknown) => {
      room -= typeof value === "string" ? value.length : 1;
      if (room < 0) throw new RangeError("too large");
      return value;
    });
    return json.length > most;
  } catch {
    return true;
  }
}
