import { expect, it } from "vitest";
import { fillIn } from "./fill-in.ts";

const schema = {
  properties: {
    to: { type: "string", title: "Destination" },
    date: { type: "string", format: "date" },
    people: { type: "integer" },
  },
};

it.each([
  ["Lisbon on 1 March 2027, two of us", { to: "Lisbon", date: "2027-03-01", people: 2 }],
  ["make it Lisbon on 1 March 2027", { to: "Lisbon", date: "2027-03-01" }],
  ["I want to go to Porto", { to: "Porto" }],
  ["Find me a flight in March", {}],
  ["What is the cheapest airline?", {}],
  ["Which one would you take?", {}],
])("the script reads “%s”", (text, values) => {
  expect(fillIn(schema, text)).toEqual(values);
});
