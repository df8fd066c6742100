import { expect, test } from "vitest";
import { fillIn } from "./fill-in.ts";

const schema = {
  properties: {
    destination: { type: "string", title: "Destination" },
    date: { type: "string", format: "date" },
    cabin: {
      oneOf: [
        { const: "economy", title: "Economy" },
        { const: "business", title: "Business" },
      ],
    },
    travellers: { type: "integer" },
    flexible: { type: "boolean", title: "My dates are flexible" },
  },
};

test("the demo fills in a form from a sentence with a place, a date, a number, an option and a yes", () => {
  const text = "Lisbon on 1 March 2027, two of us, in business. We are flexible.";
  const expected = {
    destination: "Lisbon",
    date: "2027-03-01",
    cabin: "business",
    travellers: 2,
    flexible: true,
  };
  expect(fillIn(schema, text)).toEqual(expected);
});

test.each(["no", "", "what is the weather like?"])(
  "the demo fills in nothing from the sentence %j",
  (text) => {
    expect(fillIn(schema, text)).toEqual({});
  },
);
