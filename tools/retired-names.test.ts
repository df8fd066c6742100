import { expect, it } from "vitest";
import { retiredIn } from "./retired-names.mjs";

it("the check of retired names reports the file, the line and the replacement", () => {
  expect(retiredIn("src/runtime/turn/turns.ts", "// first\nconst ledger = 1;")).toEqual([
    'src/runtime/turn/turns.ts:2: "ledger" is retired. Write: record-writer or record-notifier',
  ]);
});

it("the check of retired names finds a retired name in the name of a file", () => {
  expect(retiredIn("src/ai-sdk/chunk-mender.ts", "")).toEqual([expect.stringContaining("chunk-sanitizer")]);
});

it.each([
  ["docs/run/runtime.md", "A message of nothing but answers answers."],
  ["src/runtime/ports/records.ts", "a copy that makes who answers wait"],
  ["src/client/popup.ts", "/** Sees to it that the wait ends. */"],
  ["CONTRIBUTING.md", "Each room has a row."],
])("the check of retired names reports an old sentence in %s: %s", (path, text) => {
  expect(retiredIn(path, text)).toHaveLength(1);
});

it.each(["const Card = React.lazy(load);", 'import { lazy, useState } from "react";'])(
  "the check of retired names reports a card that is loaded with React's lazy: %s",
  (text) => {
    expect(retiredIn("src/react/card.tsx", text)).toHaveLength(1);
  },
);

it.each([
  ["src/form/fields.ts", "There is room for ten options."],
  ["demo/server/model.ts", "await speak(text)"],
  ["CHANGELOG.md", "The ledger is gone."],
  ["docs/images/connect.png", "ledger"],
])("the check of retired names accepts the ordinary meaning of a word in %s: %s", (path, text) => {
  expect(retiredIn(path, text)).toEqual([]);
});
