import { expect, it } from "vitest";
import { parseRequestedSchema } from "./index.ts";
import { saidLimits } from "./said-limits.ts";

const several = (limits: object) => ({ type: "array", items: { enum: ["a", "b", "c"] }, ...limits });

it.each<[object, string, object]>([
  [{ type: "integer", minimum: 1, maximum: 9 }, "number", { least: 1, most: 9 }],
  [{ type: "integer", minimum: 1, maximum: 9 }, "rating", {}],
  [{ type: "number" }, "number", {}],
  [{ type: "number", minimum: 0 }, "slider", { least: 0 }],
  // How a program stores a number.
  [{ type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }, "number", {}],
  [{ type: "integer", minimum: 0, maximum: 2 ** 32 }, "number", { least: 0 }],
  [{ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: 10 ** 18 }, "number", {}],
  [{ type: "integer", maximum: 2 ** 31 - 2 }, "number", { most: 2 ** 31 - 2 }],
  [{ type: "string", maxLength: 300 }, "textarea", { most: 300 }],
  [{ type: "string", maxLength: 300 }, "text", {}],
  [{ type: "string", maxLength: 65_536 }, "textarea", { most: 65_536 }],
  [{ type: "string", maxLength: 65_537 }, "textarea", {}],
  [{ type: "string" }, "textarea", {}],
  [several({ minItems: 1, maxItems: 2 }), "checkboxes", { least: 1, most: 2 }],
  [several({ minItems: 0, maxItems: 3 }), "checkboxes", {}],
  [several({}), "checkboxes", {}],
  [{ type: "boolean" }, "checkbox", {}],
])("for %j in a %s, users read the limits %j", (property, control, limits) => {
  const parsed = parseRequestedSchema({ type: "object", properties: { it: property } });
  const field = parsed.ok ? parsed.fields[0] : undefined;
  expect(field && saidLimits(field, control)).toEqual(limits);
});
