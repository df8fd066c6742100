import { ElicitorError } from "../contract/kit-error.ts";
import * as z from "zod/v4/core";
import { parseRequestedSchema } from "./index.ts";
import type { ElicitationContent, RequestedSchema } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { numberLimits } from "./read-limits.ts";
import { isStorageLimit } from "./said-limits.ts";

type Property = Readonly<Record<string, unknown>>;

const KEPT = ["title", "description", "default", "examples", "type"];
const TEXT = ["minLength", "maxLength", "pattern", "format"];
const LIMITS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;
const FORMATS = new Set<unknown>(["email", "uri", "date", "date-time"]);
const WITH_OFFSET = "2026-01-01T00:00:00+01:00";

/**
 * Converts a zod object to the flat form schema of the contract. Throws an {@link ElicitorError} that names an
 * unsupported field and an alternative. `refine` and `transform` are not part of the form. They run on the answer.
 */
export function toRequestedSchema(schema: z.$ZodType): RequestedSchema {
  const { type, title, properties = {}, required = [] } = asJsonSchema(schema);
  if (type !== "object") fail("a form is an object: use z.object({ … })");
  const entries = Object.entries(properties).map(
    ([name, property]) => [name, toFormProperty(name, isObject(property) ? property : {})] as const,
  );
  const requestedSchema: RequestedSchema = {
    type: "object",
    ...(title !== undefined && { title }),
    // Object.fromEntries instead of assignment, because a field may be called "__proto__".
    properties: Object.fromEntries(entries),
    ...(required.length > 0 && { required }),
  };
  const parsed = parseRequestedSchema(requestedSchema);
  if (!parsed.ok) {
    const [reason] = parsed.reasons;
    fail(reason?.message ?? "it cannot be shown", reason?.property);
  }
  return requestedSchema;
}

/** The `.meta({ control })` of each field that has one. */
export function controlsOf(schema: z.$ZodType): Readonly<Record<string, string>> {
  const hints = Object.entries(asJsonSchema(schema).properties ?? {}).flatMap(([name, property]) => {
    const control = isObject(property) ? property["control"] : undefined;
    return typeof control === "string" ? [[name, control] as const] : [];
  });
  return Object.fromEntries(hints);
}

/** Parses an answer with the whole schema, including the parts that a form cannot express. */
export function parseAnswer<Schema extends z.$ZodType>(schema: Schema, content: ElicitationContent) {
  // An object without a prototype. Otherwise zod would read the inherited "constructor" as an answer.
  const answer: unknown = Object.assign(Object.create(null), content);
  return z.safeParseAsync(schema, answer);
}

/** The JSON Schema of what a zod schema takes. */
export function asJsonSchema(schema: z.$ZodType): z.JSONSchema.BaseSchema {
  // JavaScript, and an app with zod 3, pass what the type does not allow.
  if (!("_zod" in Object(schema))) {
    fail('it is not a schema of zod 4. Run npm install zod@4, and import { z } from "zod"');
  }
  try {
    // The input schema, in which a field with a default is optional.
    return z.toJSONSchema(schema, { io: "input" });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Converts a property of a JSON Schema to one of a form. Throws an {@link ElicitorError} if it is of none of its kinds.
 */
export function toFormProperty(name: string, property: Property): Property {
  const { anyOf, items, enum: values, const: value, type } = property;
  if (Array.isArray(anyOf)) return { ...pick(property, KEPT), type: "string", oneOf: titled(name, anyOf) };
  if (value !== undefined) return { ...pick(property, KEPT), ...choice(name, [value]) };
  if (values !== undefined) return { ...pick(property, KEPT), ...choice(name, values) };
  switch (type) {
    case "string":
      return textProperty(name, property);
    case "number":
    case "integer":
      return numberProperty(property);
    case "boolean":
      return pick(property, KEPT);
    case "array":
      return {
        ...pick(property, [...KEPT, "minItems", "maxItems"]),
        items: itemsOf(name, isObject(items) ? items : {}),
      };
    case "object":
      return fail("an object inside a form cannot be asked for: make its parts fields of the form", name);
    default:
      return fail(
        Array.isArray(type) && type.includes("null")
          ? "null cannot be answered: use .optional()"
          : "use a string, number, boolean, z.enum or an array of z.enum",
        name,
      );
  }
}

function textProperty(name: string, property: Property): Property {
  const { format, pattern } = property;
  // Forms do not have zod's own formats. Their pattern is enough.
  if (!FORMATS.has(format)) return pick({ ...property, format: undefined }, [...KEPT, ...TEXT]);
  if (format === "date-time" && typeof pattern === "string" && !new RegExp(pattern).test(WITH_OFFSET)) {
    fail("people answer in their own time zone: use z.iso.datetime({ offset: true })", name);
  }
  return pick({ ...property, pattern: undefined }, [...KEPT, ...TEXT]);
}

function numberProperty(property: Property): Property {
  const limits = LIMITS.filter((keyword) => {
    const limit = property[keyword];
    // zod writes the limits of its own integers.
    return typeof limit === "number" && !(keyword !== "multipleOf" && isStorageLimit(limit));
  });
  if (property["type"] !== "integer") return pick(property, [...KEPT, ...limits]);
  // Other clients know only the limits of MCP.
  const { integer: _, ...numbers } = numberLimits("integer", pick(property, limits));
  return { ...pick(property, KEPT), ...pick(numbers, LIMITS) };
}

function itemsOf(name: string, items: Property): Property {
  if (Array.isArray(items["anyOf"])) return { anyOf: titled(name, items["anyOf"]) };
  if (items["enum"] === undefined) fail("a list is a choice of several: use z.array(z.enum([…]))", name);
  return choice(name, items["enum"]);
}

function choice(name: string, values: unknown): Property {
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string")) {
    return fail("only strings can be chosen", name);
  }
  return { type: "string", enum: values };
}

/** The options of a union of literals, each with the texts from its `.meta({ title, description, preview })`. */
function titled(name: string, options: readonly unknown[]): Property[] {
  return options.map((option) => {
    const value = isObject(option) ? option["const"] : undefined;
    if (!isObject(option) || typeof value !== "string") {
      return fail("a union is a choice between strings: use z.literal for each of them", name);
    }
    return { const: value, title: value, ...pick(option, ["title", "description", "preview"]) };
  });
}

function pick(property: Property, keys: readonly string[]): Property {
  return Object.fromEntries(
    keys.flatMap((key) => (property[key] === undefined ? [] : [[key, property[key]]])),
  );
}

function fail(what: string, field?: string): never {
  const where = field === undefined ? "This schema" : `The field "${field}"`;
  throw new ElicitorError(`elicit-kit: ${where} cannot be asked for: ${what}.`);
}
