import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fieldPage, fieldPageText } from "./field.ts";

it("the page of field cases lists what test/field tries: else run `npm run field`", () => {
  expect(readFileSync(fieldPage, "utf8")).toBe(fieldPageText());
});
