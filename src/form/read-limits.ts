import type { Flat } from "./flat-property.ts";
import type { Refuse } from "./read-options.ts";

const COUNTS = ["minLength", "maxLength", "minItems", "maxItems"] as const;
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;
const LIMITS = /* @__PURE__ */ [...COUNTS, ...NUMBERS];

/** The limits of a property, as it has them. */
export type Limits = Partial<Record<(typeof COUNTS)[number] | (typeof NUMBERS)[number], number>>;

/** Reads the limits of a property, or refuses one that no value could be compared with. */
export function readLimits(property: Flat, refuse: Refuse): Limits | undefined {
  const limits: Limits = {};
  for (const keyword of LIMITS) {
    const value = property[keyword];
    if (value == null || value === false) continue;
    // Older generators write `exclusiveMinimum: true` beside `minimum` (JSON Schema draft 4, OpenAPI 3.0).
    const given = value === true ? property[keyword.replace("exclusiveM", "m")] : value;
    const isCount = /Length|Items/.test(keyword);
    if (
      typeof given !== "number" ||
      !Number.isFinite(given) ||
      (isCount ? given < 0 || !Number.isInteger(given) : keyword === "multipleOf" && given <= 0)
    ) {
      return refuse("invalid-keyword", keyword);
    }
    limits[keyword] = given;
  }
  return limits;
}

/**
 * The limits of a number, as a field has them. Those of an integer are whole numbers: above 0.5 is from 1. A limit that
 * only says how a program stores numbers is dropped where the check has it anyway.
 */
export function numberLimits(type: "integer" | "number", limits: Limits) {
  const { multipleOf, minimum = -Infinity, maximum = Infinity } = limits;
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = limits;
  const integer = type === "integer" || multipleOf === 1;
  const number = { integer, multipleOf: multipleOf === 1 ? undefined : multipleOf };
  if (integer) {
    const least = Math.max(Math.ceil(minimum), Math.floor(above) + 1);
    const most = Math.min(Math.floor(maximum), Math.ceil(below) - 1);
    return { ...number, minimum: finite(least), maximum: finite(most) };
  }
  return {
    ...number,
    minimum: finite(Math.max(minimum, above)),
    maximum: finite(Math.min(maximum, below)),
    ...(above >= minimum && above > -Infinity && { excludesMinimum: true }),
    ...(below <= maximum && below < Infinity && { excludesMaximum: true }),
  };
}

/** Without a limit: `undefined`. Without the sign of a zero. */
function finite(limit: number): number | undefined {
  return Number.isFinite(limit) ? limit + 0 : undefined;
}
