import { isObject } from "../contract/json.ts";
import { checkValue } from "./check-value.ts";
import type { Field, Option, Pattern, SchemaReason } from "./field.ts";
import { FORMATS } from "./formats.ts";
import { withOwnWords } from "./own-words.ts";

/** The limit in characters of JSON text without white space. */
const MOST_JSON = 256 * 1024;
const MOST_PROPERTIES = 200;
const MOST_OPTIONS = 1000;
/**
 * The limit for all patterns of a form together, because proving a pattern linear takes time. Only the server checks
 * later ones.
 */
const MOST_PATTERN_CHARACTERS = 4096;

const LIMITS = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"] as const;
type Limits = Partial<Record<(typeof LIMITS)[number], number>>;

/** Compiles a pattern. Returns `undefined` for one that only the server may check. */
export type CompilePattern = (source: string) => Pattern | undefined;

/** The fields of a schema in their order, or the reasons why it cannot be shown. */
export type ParsedSchema =
  | { ok: true; fields: readonly Field[] }
  | { ok: false; reasons: readonly SchemaReason[] };

/** Records why a schema cannot be shown: the code, and the keyword or limit that caused it. */
type Refuse = (code: SchemaReason["code"], about: string | number, property?: string) => undefined;

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
  const fields = names.flatMap(
    (name) =>
      readProperty(name, properties[name], required.includes(name), compile, (code, about) =>
        refuse(code, about, name),
      ) ?? [],
  );
  return withOwnWords(fields, ownValue(schema, "anyOf"));
}

function readProperty(
  name: string,
  property: unknown,
  required: boolean,
  compile: CompilePattern,
  refuse: Refuse,
): Field | undefined {
  const limits: Limits = {};
  for (const keyword of LIMITS) {
    const value = ownValue(property, keyword);
    if (value === undefined) continue;
    const isLimit = keyword.endsWith("imum") || (Number.isInteger(value) && Number(value) >= 0);
    if (typeof value !== "number" || !isLimit) return refuse("invalid-keyword", keyword);
    limits[keyword] = value;
  }
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = limits;
  const base = {
    name,
    label: string(property, "title") || name,
    description: string(property, "description"),
    required,
    placeholder: firstExample(ownValue(property, "examples")),
  };
  const initial = ownValue(property, "default");
  const type = ownValue(property, "type");
  if (type === "array") {
    const options = readOptions(ownValue(property, "items"), "anyOf", refuse);
    return options && withDefault({ ...base, kind: "multi-choice", options, minItems, maxItems }, initial);
  }
  if (["enum", "oneOf", "anyOf"].some((keyword) => ownValue(property, keyword) !== undefined)) {
    const options = readOptions(property, "oneOf", refuse);
    return options && withDefault({ ...base, kind: "choice", options }, initial);
  }
  if (type === "boolean") return withDefault({ ...base, kind: "boolean" }, initial);
  if (type === "integer" || type === "number") {
    return withDefault({ ...base, kind: "number", integer: type === "integer", minimum, maximum }, initial);
  }
  if (type !== "string") return refuse("unsupported-property", "type");
  const format = string(property, "format");
  const pattern = string(property, "pattern");
  return withDefault(
    {
      ...base,
      kind: "text",
      format: isFormat(format) ? format : undefined,
      minLength,
      maxLength,
      pattern: pattern === undefined ? undefined : compile(pattern),
      secret: format === "password" || ownValue(property, "writeOnly") === true,
    },
    initial,
  );
}

/** Reads the options from `enum`, else from `titled`. If both are present, `enum` is used, as in the official SDKs. */
function readOptions(
  holder: unknown,
  titled: "oneOf" | "anyOf",
  refuse: Refuse,
): readonly Option[] | undefined {
  const plain = ownValue(holder, "enum");
  const list = plain ?? ownValue(holder, titled);
  if (!Array.isArray(list) || (ownValue(holder, "type") ?? "string") !== "string") {
    return refuse("unsupported-property", `enum or ${titled}`);
  }
  if (list.length > MOST_OPTIONS) return refuse("too-many-options", MOST_OPTIONS);
  const names = ownValue(holder, "enumNames") ?? ownValue(holder, "enumLabels");
  const options = new Map<string, Option>();
  for (const [index, entry] of list.entries()) {
    const value: unknown = plain ? entry : ownValue(entry, "const");
    // In `oneOf`, a repeated value matches two branches and is never valid. Elsewhere a repetition is harmless.
    if (typeof value !== "string" || (!plain && titled === "oneOf" && options.has(value))) {
      return refuse("invalid-keyword", plain ? "enum" : titled);
    }
    // If there are not as many names as values, labels could belong to the wrong options.
    const name: unknown = Array.isArray(names) && names.length === list.length ? names[index] : undefined;
    const label = plain ? name : ownValue(entry, "title");
    options.set(value, {
      value,
      label: typeof label === "string" ? label : value,
      description: string(entry, "description"),
    });
  }
  return options.size > 0 ? [...options.values()] : refuse("invalid-keyword", plain ? "enum" : titled);
}

function withDefault<F extends Field>(field: F, value: unknown): F {
  return isDefault(field, value) ? { ...field, default: value } : field;
}

function isDefault<F extends Field>(field: F, value: unknown): value is NonNullable<F["default"]> {
  return checkValue(field, value) === undefined;
}

function firstExample(examples: unknown): string | undefined {
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return typeof first === "string" || typeof first === "number" ? String(first) : undefined;
}

function isFormat(name: string | undefined): name is keyof typeof FORMATS {
  return name !== undefined && Object.hasOwn(FORMATS, name);
}

/** Reads an own property of a schema, never an inherited one. */
function ownValue(holder: unknown, keyword: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, keyword) ? holder[keyword] : undefined;
}

function string(holder: unknown, keyword: string): string | undefined {
  const value = ownValue(holder, keyword);
  return typeof value === "string" ? value : undefined;
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
