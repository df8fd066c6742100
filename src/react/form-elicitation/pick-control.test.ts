import { describe, expect, it } from "vitest";
import { type Field, parseRequestedSchema } from "../../form/index.ts";
import { controlHint, pickControl } from "./pick-control.ts";

function fieldOf(schema: object, required = false): Field {
  const parsed = parseRequestedSchema({
    type: "object",
    properties: { value: schema },
    required: required ? ["value"] : [],
  });
  const field = parsed.ok ? parsed.fields[0] : undefined;
  if (field === undefined) throw new Error("not a field");
  return field;
}

const options = (count: number) => Array.from({ length: count }, (_, index) => `option ${index}`);

describe("pickControl", () => {
  it.each([
    ["text", { type: "string" }],
    ["textarea", { type: "string", maxLength: 500 }],
    ["email", { type: "string", format: "email" }],
    ["url", { type: "string", format: "uri" }],
    ["date", { type: "string", format: "date" }],
    ["date-time", { type: "string", format: "date-time" }],
    ["number", { type: "number" }],
    ["number", { type: "integer", minimum: 1, maximum: 5 }],
    ["checkbox", { type: "boolean" }],
    ["radio", { type: "string", enum: options(5) }],
    ["select", { type: "string", enum: options(6) }],
    ["select", { type: "string", enum: options(15) }],
    ["search", { type: "string", enum: options(16) }],
    ["checkboxes", { type: "array", items: { type: "string", enum: options(3) } }],
  ])("picks %s for %j", (control, schema) => {
    expect(pickControl(fieldOf(schema))).toBe(control);
  });

  it.each([
    ["slider", { type: "integer", minimum: 0, maximum: 100 }],
    ["slider", { type: "number", minimum: 0, maximum: 1 }],
    ["rating", { type: "integer", minimum: 1, maximum: 5 }],
    ["rating", { type: "integer", minimum: 1, maximum: 10 }],
    ["textarea", { type: "string" }],
    ["radio", { type: "string", enum: options(9) }],
    ["select", { type: "string", enum: options(2) }],
  ])("follows the hint %s for %j", (hint, schema) => {
    expect(pickControl(fieldOf(schema), hint)).toBe(hint);
  });

  it.each([
    ["slider", { type: "integer", minimum: 0 }, "number"],
    ["rating", { type: "integer", minimum: 0, maximum: 100 }, "number"],
    ["rating", { type: "number", minimum: 1, maximum: 5 }, "number"],
    ["textarea", { type: "string", format: "email" }, "email"],
    ["rating", { type: "boolean" }, "checkbox"],
  ])("passes over the hint %s that does not fit %j", (hint, schema, control) => {
    expect(pickControl(fieldOf(schema), hint)).toBe(control);
  });

  it("picks yes or no where an empty checkbox could mean no or no answer", () => {
    expect(pickControl(fieldOf({ type: "boolean" }), undefined, true)).toBe("yes-no");
    expect(pickControl(fieldOf({ type: "boolean" }, true))).toBe("yes-no");
    expect(pickControl(fieldOf({ type: "boolean", default: false }, true))).toBe("checkbox");
  });
});

describe("controlHint", () => {
  it("reads the hint of a field", () => {
    expect(controlHint({ trigger: "tool", fields: { stars: { control: "rating" } } }, "stars")).toBe(
      "rating",
    );
  });

  it.each([
    undefined,
    {},
    { fields: null },
    { fields: "stars" },
    { fields: { stars: null } },
    { fields: { stars: { control: 5 } } },
  ])("finds none in %j", (context) => {
    expect(controlHint(context, "stars")).toBeUndefined();
  });

  it("ignores inherited properties", () => {
    expect(controlHint({ fields: {} }, "constructor")).toBeUndefined();
    expect(controlHint({ fields: {} }, "__proto__")).toBeUndefined();
  });
});
