import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { proofPage, proofPageText } from "./proof.ts";

it("the page of evidence has the counts of the other pages, and the versions of the manifests: else run `npm run proof`", () => {
  expect(readFileSync(proofPage, "utf8")).toBe(proofPageText());
});
