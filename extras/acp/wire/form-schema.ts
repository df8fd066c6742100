/** Converts forms between the contract's restricted JSON Schema and the schema of ACP v1. Pure. */
import { isObject } from "../../../src/contract/json.ts";

type Json = Readonly<Record<string, unknown>>;

export interface AcpProperty {
  type: string;
  [keyword: string]: unknown;
}

const TEXTS = ["title", "description"] as const;
const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/** Writes one property. `undefined` if ACP v1 has no such property. */
export function writeProperty(property: unknown): AcpProperty | undefined {
  if (!isObject(property)) return undefined;
  const { type, format } = property;
  const named = pick(property, TEXTS);
  if (type === "boolean") return { type, ...named, ...pick(property, ["default"]) };
  if (type === "number" || type === "integer") {
    return { type, ...named, ...pick(property, ["minimum", "maximum", "default"]) };
  }
  if (type === "array") {
    const items = isObject(property["items"]) ? writeOptions(property["items"], "anyOf") : undefined;
    if (items === undefined) return undefined;
    // In ACP, a titled list has no `type`.
    const typed = "enum" in items ? { type: "string", ...items } : items;
    return { type, ...named, ...pick(property, ["minItems", "maxItems", "default"]), items: typed };
  }
  if (type !== "string" && (type !== undefined || !hasOptions(property))) return undefined;
  if (hasOptions(property)) {
    const options = writeOptions(property, "oneOf");
    return options && { type: "string", ...named, ...pick(property, ["default"]), ...options };
  }
  return {
    type: "string",
    ...named,
    ...pick(property, ["minLength", "maxLength", "pattern", "default"]),
    ...(FORMATS.has(format) && { format }),
  };
}

/** Writes `enum` for options without names, else titled options. `undefined` if there are no options. */
function writeOptions(holder: Json, titled: "oneOf" | "anyOf"): Record<string, unknown> | undefined {
  const { enum: values, [titled]: options } = holder;
  const names = holder["enumNames"] ?? holder["enumLabels"];
  if (Array.isArray(values)) {
    if (!Array.isArray(names) || names.length !== values.length) return { enum: values };
    const titles = values.map((value: unknown, index) => ({
      const: value,
      title: titleOf(names[index], value),
    }));
    return { [titled]: titles };
  }
  if (!Array.isArray(options)) return undefined;
  return {
    [titled]: options.map((option: unknown) => {
      const { const: value, title, description } = isObject(option) ? option : {};
      const described = typeof description === "string" ? { description } : {};
      return { const: value, title: titleOf(title, value), ...described };
    }),
  };
}

function titleOf(title: unknown, value: unknown): unknown {
  return typeof title === "string" ? title : value;
}

function hasOptions(property: Json): boolean {
  return property["enum"] !== undefined || property["oneOf"] !== undefined;
}

function pick(from: Json, keywords: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    keywords.flatMap((keyword) => (from[keyword] === undefined ? [] : [[keyword, from[keyword]]])),
  );
}

/** Reads a schema. In ACP both members are optional, and `null` means that a keyword is absent. */
export function readSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { type, properties, required } = withoutNulls(schema);
  const read = isObject(properties)
    ? Object.entries(properties).map(([name, property]) => [name, readProperty(property)] as const)
    : [];
  return {
    type: type ?? "object",
    properties: Object.fromEntries(read),
    ...(required !== undefined && { required }),
  };
}

function readProperty(property: unknown): unknown {
  if (!isObject(property)) return property;
  const kept = withoutNulls(property);
  const { items, oneOf } = kept;
  return {
    ...kept,
    ...(Array.isArray(oneOf) && { oneOf: oneOf.map(optionOf) }),
    ...(isObject(items) && { items: itemsOf(items) }),
  };
}

function itemsOf(items: Json): Json {
  const { anyOf, ...rest } = withoutNulls(items);
  return Array.isArray(anyOf) ? { ...rest, anyOf: anyOf.map(optionOf) } : rest;
}

function optionOf(option: unknown): unknown {
  return isObject(option) ? withoutNulls(option) : option;
}

function withoutNulls(from: Json): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== null));
}
