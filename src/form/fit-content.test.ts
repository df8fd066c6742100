import { expect, test } from "vitest";
import { choiceOrWords } from "./own-words.ts";
import { parseRequestedSchema } from "./index.ts";
import { fitContent } from "./fit-content.ts";

function fitting(
  properties: Readonly<Record<string, unknown>>,
  proposed: unknown,
  message = "A trip",
  more = {},
) {
  const parsed = parseRequestedSchema({ type: "object", properties, ...more });
  if (!parsed.ok) throw new Error("the schema cannot be shown");
  return { ...fitContent({ fields: parsed.fields, message }, proposed) };
}

const trip = {
  to: { type: "string", minLength: 2 },
  date: { type: "string", format: "date" },
  people: { type: "integer", minimum: 1, maximum: 9 },
  cabin: { type: "string", enum: ["economy", "business"] },
};

test("a proposed answer keeps its valid values and loses all others", () => {
  const proposed = { to: "Lisbon", date: "next Monday", people: 12, cabin: "first", price: 3 };
  expect(fitting(trip, proposed)).toEqual({ to: "Lisbon" });
  expect(fitting(trip, { to: "", people: 2, cabin: "business" })).toEqual({ people: 2, cabin: "business" });
});

test.each([null, "Lisbon", ["Lisbon"]])(
  "a proposed answer that is not an object has no values: %j",
  (proposed) => {
    expect(fitting(trip, proposed)).toEqual({});
  },
);

test("a form that asks for a secret, in its fields or its message, gets no proposed answer", () => {
  const secret = { user: { type: "string" }, password: { type: "string", title: "Password" } };
  expect(fitting(secret, { user: "ada", password: "hunter2" })).toEqual({});
  expect(fitting({ it: { type: "string" } }, { it: "123456" }, "Type the 6 digits we texted you")).toEqual(
    {},
  );
});

test("a proposed free text replaces the proposed option beside it", () => {
  const seat = { seat: { type: "string", enum: ["aisle", "window"] }, other: { type: "string" } };
  const anyOf = choiceOrWords("seat", "other");
  const proposed = { seat: "aisle", other: "near the exit" };
  expect(fitting(seat, proposed, "Which seat?", { anyOf })).toEqual({ other: "near the exit" });
});

test("a field with the name of an inherited property gets a value only if one was proposed", () => {
  const fields = { constructor: { type: "string" } };
  expect(fitting(fields, {})).toEqual({});
  expect(fitting(fields, { constructor: "Lego" })).toEqual({ constructor: "Lego" });
});
