import { describe, expect, it } from "vitest";
import { parseRequestedSchema } from "./index.ts";
import { presentField, presentForm, ratingSteps, type PresentedField } from "./present-field.ts";

interface Asked {
  readonly secret?: boolean;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly isPressed?: boolean;
}

/** How a form shows its fields. */
function present(
  properties: object,
  required: readonly string[],
  asked: Asked = {},
): readonly PresentedField[] {
  const { secret = false, context, isPressed } = asked;
  const parsed = parseRequestedSchema({ type: "object", properties, required });
  if (!parsed.ok) throw new Error("no form");
  const { fields } = parsed;
  const form = presentForm({ fields, secretFields: secret ? fields : [], context, isPressed });
  return fields.map((field) => presentField(field, form, "Recommended"));
}

const shown = (property: object, asked?: Asked) => present({ it: property }, [], asked)[0];
const text = { type: "string" };
const hint = (control: string) => ({ fields: { it: { control } } });

describe("users type", () => {
  it.each<[string, object, object]>([
    ["a text", { ...text, examples: ["Lisbon"] }, { type: "text", dir: "auto", placeholder: "Lisbon" }],
    ["a long text", { ...text, maxLength: 900 }, { dir: "auto" }],
    ["a mail address", { ...text, format: "email" }, { type: "email", autoComplete: "email", dir: "auto" }],
    ["a link", { ...text, format: "uri" }, { type: "url", autoComplete: "url", dir: "auto" }],
    ["a day", { ...text, format: "date" }, { type: "date" }],
    [
      "a number",
      { type: "number", minimum: 0 },
      { type: "text", inputMode: "decimal", autoComplete: "off", dir: "auto" },
    ],
    ["nothing for a yes or no", { type: "boolean" }, {}],
    ["nothing for a choice", { enum: ["a", "b"] }, {}],
  ])("%s", (_, property, input) => {
    expect(shown(property)?.input).toEqual(input);
  });

  it.each<[string, object, object]>([
    ["a text", text, { type: "password", autoComplete: "new-password", dir: "auto" }],
    [
      "a mail address",
      { ...text, format: "email" },
      { type: "password", autoComplete: "new-password", dir: "auto" },
    ],
    ["several lines", { ...text, maxLength: 900 }, { autoComplete: "off", dir: "auto" }],
    [
      "a number",
      { type: "integer", minimum: 0 },
      { type: "password", inputMode: "numeric", autoComplete: "new-password", dir: "auto" },
    ],
  ])("a secret hidden, without help of the browser: %s", (_, property, input) => {
    expect(shown(property, { secret: true })).toMatchObject({ isSecret: true });
    expect(shown(property, { secret: true })?.input).toEqual({ ...input, spellCheck: false });
  });
});

describe("the control of a question", () => {
  const rating = { type: "integer", minimum: 1, maximum: 5 };

  it.each<[string, string, object, Asked]>([
    ["is a yes and a no for a single question", "yes-no", { type: "boolean" }, {}],
    ["is the one of the hint", "rating", rating, { context: hint("rating") }],
    [
      "is typed for a secret number, which a rating would show",
      "number",
      rating,
      { secret: true, context: hint("rating") },
    ],
    [
      "may have several lines for a secret text",
      "textarea",
      text,
      { secret: true, context: hint("textarea") },
    ],
    [
      "shows all options if one is marked",
      "radio",
      { enum: [..."abcdefg"] },
      { context: { fields: { it: { recommended: { value: "a" } } } } },
    ],
    ["is pressed if that is the answer", "press", { enum: ["a", "b"] }, { isPressed: true }],
  ])("%s", (_, control, property, asked) => {
    expect(shown(property, asked)?.control).toBe(control);
  });
});

describe("an optional question is marked", () => {
  const properties = { a: text, b: text, c: { ...text, default: "c" }, d: { type: "boolean" } };
  const marks = (required: readonly string[]) =>
    present(properties, required).map(({ isMarked }) => isMarked);

  it("if at least half of the questions are required, and it may stay empty", () => {
    expect(marks(["a", "c"])).toEqual([false, true, false, false]);
    expect(marks(["c", "d"])).toEqual([true, true, false, false]);
    expect(marks(["a", "b"])).toEqual([false, false, false, false]);
  });

  it("not if most questions are optional", () => {
    expect(marks(["a"])).toEqual([false, false, false, false]);
    expect(marks([])).toEqual([false, false, false, false]);
  });
});

it.each([
  [{ minimum: 1, maximum: 5 }, [1, 2, 3, 4, 5]],
  [{ minimum: 0, maximum: 2 }, [0, 1, 2]],
  [{ minimum: 0.5, maximum: 2.5 }, [1, 2]],
  [{}, [1, 2, 3, 4, 5]],
])("a rating with the limits %j has the steps %j", (limits, steps) => {
  expect(
    ratingSteps({ kind: "number", name: "it", label: "It", required: false, integer: true, ...limits }),
  ).toEqual(steps);
});
