import type { Flat } from "./flat-property.ts";

/** The keywords of JSON Schema that narrow a value in a way that no field of a form has. */
const OF_ANY_SCHEMA = ["$dynamicRef", "$recursiveRef"];
const OF_A_PROPERTY: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "not",
  "if",
  "contains",
  "prefixItems",
  "divisibleBy",
  "disallow",
  "extends",
  ...OF_ANY_SCHEMA,
]);
const OF_A_FORM: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "$ref",
  "allOf",
  "oneOf",
  "not",
  "if",
  "const",
  "enum",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "patternProperties",
  "propertyNames",
  "disallow",
  "extends",
  ...OF_ANY_SCHEMA,
]);

/**
 * The first keyword of a property that narrows its values, and that no control and no check of the kit follows. A form
 * with such a keyword is refused. Otherwise its users would learn only from a refused answer what is wrong.
 */
export function narrowingOfProperty(property: Flat): string | undefined {
  return firstOf(OF_A_PROPERTY, property);
}

/** The same for a whole schema. Properties that were not asked for are never sent, so it may forbid them. */
export function narrowingOfForm(
  schema: Flat,
  { least, most }: { least: number; most: number },
): string | undefined {
  const { minProperties = 0, maxProperties = Infinity } = schema;
  if (Number(minProperties) > least) return "minProperties";
  if (Number(maxProperties) < most) return "maxProperties";
  return firstOf(OF_A_FORM, schema);
}

function firstOf(keywords: ReadonlySet<string>, schema: Flat): string | undefined {
  return Object.keys(schema).find((keyword) => keywords.has(keyword) && narrows(schema, keyword));
}

function narrows(schema: Flat, keyword: string): boolean {
  const value = schema[keyword];
  if (value === undefined) return false;
  if (keyword === "not") return value !== false;
  // A condition without a consequence accepts every value.
  if (keyword === "if") return schema["then"] !== undefined || schema["else"] !== undefined;
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return value !== true && !isEmpty;
}
