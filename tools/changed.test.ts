import { expect, it } from "vitest";
import { nearTests } from "./changed.mjs";

it("runs every test that imports the changed files, while they are few", () => {
  expect(nearTests(["src/react/elicitation-inbox/ElicitationInbox.tsx"], 10)).toEqual([]);
});

it("runs the tests in the folders of the changed files, when half of the project imports them", () => {
  expect(nearTests(["src/form/parse-schema.ts", "src/form/formats.ts", "README.md"], 340)).toEqual([
    "src/form/",
  ]);
});
