import { isObject } from "../protocol/json.ts";
import { checkValue } from "./check-value.ts";
import type { Field, Option, SchemaReason } from "./field.ts";
import { FORMATS } from "./formats.ts";
import { compileLinear } from "./linear-pattern.ts";

/** Characters of JSON text, not counting white space and escapes. */
const MOST_JSON = 256 * 1024;
const MOST_PROPERTIES = 200;
const MOST_OPTIONS = 1000;

const LIMITS = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"] as const;

/** Notes why something cannot be shown. */
type Refuse = (code: SchemaReason["code"], message: string, property?: string) => undefined;

/**
 * The fields of a form from its `requestedSchema`, in the order of its properties, or each reason why it cannot be
 * shown. A schema without properties is a valid form of no fields: it asks for consent only.
 *
 * Reads the eight property kinds of MCP (revisions 2025-11-25 and 2026-07-28) with every keyword, and `enumLabels`,
 * `examples`, `pattern` and the descriptions of options. Unknown keywords are ignored, an unknown `format` is plain
 * text, a `default` that does not fit its own property is none. A property that lists its choices in another way than
 * the eight kinds do is never shown as free text: it is `unsupported-property`.
 */
export function parseRequestedSchema(
  schema: unknown,
): { ok: true; fields: readonly Field[] } | { ok: false; reasons: readonly SchemaReason[] } {
  const reasons: SchemaReason[] = [];
  const fields = readSchema(schema, (code, message, property) => {
    reasons.push({ code, message, property });
    return undefined;
  });
  return fields !== undefined && reasons.length === 0 ? { ok: true, fields } : { ok: false, reasons };
}

function readSchema(schema: unknown, refuse: Refuse): readonly Field[] | undefined {
  if (isLarger(schema, MOST_JSON)) return refuse("too-large", `more than ${MOST_JSON} characters of JSON`);
  const properties = own(schema, "properties");
  const required = own(schema, "required") ?? [];
  if (own(schema, "type") !== "object" || !isObject(properties)) {
    return refuse("not-an-object-schema", "expected type object, with properties");
  }
  const names = Object.keys(properties);
  if (names.length > MOST_PROPERTIES) return refuse("too-many-properties", `more than ${MOST_PROPERTIES}`);
  // JSON Schema lets no answer pass that lacks a required name, and nobody could give one that is no property.
  if (!Array.isArray(required) || !required.every((name) => names.includes(name))) {
    return refuse("invalid-keyword", "required: expected names of properties");
  }
  return names.flatMap(
    (name) =>
      readProperty(name, properties[name], required.includes(name), (code, message) =>
        refuse(code, message, name),
      ) ?? [],
  );
}

function readProperty(name: string, property: unknown, required: boolean, refuse: Refuse): Field | undefined {
  const limits: Partial<Record<(typeof LIMITS)[number], number>> = {};
  for (const keyword of LIMITS) {
    const value = own(property, keyword);
    if (value === undefined) continue;
    const isLimit = keyword.endsWith("imum") || (Number.isInteger(value) && Number(value) >= 0);
    if (typeof value !== "number" || !isLimit)
      return refuse("invalid-keyword", `${keyword}: not a number it can be`);
    limits[keyword] = value;
  }
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = limits;
  const base = {
    name,
    label: string(property, "title") || name,
    description: string(property, "description"),
    required,
    placeholder: firstExample(own(property, "examples")),
  };
  const initial = own(property, "default");
  const type = own(property, "type");
  if (type === "array") {
    const options = readOptions(own(property, "items"), "anyOf", refuse);
    return options && withDefault({ ...base, kind: "multi-choice", options, minItems, maxItems }, initial);
  }
  if (["enum", "oneOf", "anyOf"].some((keyword) => own(property, keyword) !== undefined)) {
    const options = readOptions(property, "oneOf", refuse);
    return options && withDefault({ ...base, kind: "choice", options }, initial);
  }
  if (type === "boolean") return withDefault({ ...base, kind: "boolean" }, initial);
  if (type === "integer" || type === "number") {
    return withDefault({ ...base, kind: "number", integer: type === "integer", minimum, maximum }, initial);
  }
  if (type !== "string") return refuse("unsupported-property", "not one of the eight kinds");
  const format = string(property, "format");
  const pattern = string(property, "pattern");
  return withDefault(
    {
      ...base,
      kind: "text",
      format: isFormat(format) ? format : undefined,
      minLength,
      maxLength,
      pattern: pattern !== undefined && compileLinear(pattern) ? pattern : undefined,
      secret: format === "password" || own(property, "writeOnly") === true,
    },
    initial,
  );
}

/** The choices in `enum`, or with titles in `titled`. The official SDKs, too, read only `enum` where both stand. */
function readOptions(
  holder: unknown,
  titled: "oneOf" | "anyOf",
  refuse: Refuse,
): readonly Option[] | undefined {
  const plain = own(holder, "enum");
  const list = plain ?? own(holder, titled);
  if (!Array.isArray(list) || (own(holder, "type") ?? "string") !== "string") {
    return refuse("unsupported-property", `expected strings to choose from, in enum or ${titled}`);
  }
  if (list.length > MOST_OPTIONS) return refuse("too-many-options", `more than ${MOST_OPTIONS}`);
  const names = own(holder, "enumNames") ?? own(holder, "enumLabels");
  const options = new Map<string, Option>();
  for (const [index, entry] of list.entries()) {
    const value: unknown = plain ? entry : own(entry, "const");
    // A value that stands twice in `oneOf` matches two branches and so never fits; elsewhere once is enough.
    if (typeof value !== "string" || (!plain && titled === "oneOf" && options.has(value))) {
      return refuse("invalid-keyword", "choices: expected distinct strings");
    }
    // Names that do not pair up with the values would put wrong words on them.
    const name: unknown = Array.isArray(names) && names.length === list.length ? names[index] : undefined;
    const label = plain ? name : own(entry, "title");
    options.set(value, {
      value,
      label: typeof label === "string" ? label : value,
      description: string(entry, "description"),
    });
  }
  return options.size > 0 ? [...options.values()] : refuse("invalid-keyword", "choices: none");
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

/** Reads a keyword of a schema; never something inherited. */
function own(holder: unknown, keyword: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, keyword) ? holder[keyword] : undefined;
}

function string(holder: unknown, keyword: string): string | undefined {
  const value = own(holder, keyword);
  return typeof value === "string" ? value : undefined;
}

/** Measures without building the text. A cycle counts again on each round, and so comes to its end. */
function isLarger(value: unknown, most: number): boolean {
  const rest = [value];
  let size = 0;
  while (rest.length > 0 && size <= most) {
    const next = rest.pop();
    // The length of a list as well as its entries: it may be all holes.
    size += typeof next === "string" || Array.isArray(next) ? next.length + 2 : 2;
    if (typeof next !== "object") continue;
    for (const [key, entry] of Object.entries(next ?? {})) {
      size += Array.isArray(next) ? 0 : key.length + 4;
      rest.push(entry);
    }
  }
  return size > most;
}
