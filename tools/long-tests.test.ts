import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./bootstrap.mjs";

/** The part of `npm run test:long` that runs the tests tagged `long` of a file. */
const PARTS: readonly (readonly [part: string, files: RegExp])[] = [
  ["e2e", /^test\/e2e\/.*\.spec\.ts$/],
  ["postgres", /^(?:test\/durable|extras\/(?:durable|postgres|dbos))\/.*\.test\.ts$/],
  [
    "unit",
    /^(?:src|extras|mock-server|demo|tools|bench|test\/(?:ai-sdk|contract|field|guide|mutation|simulation))\/.*\.test\.tsx?$/,
  ],
];

const TAG = /tags?(?:: | = .*)\[?"@?long"|\["@?long"\]/;

it("each part of test:long has tests with its tag, and each tagged test belongs to a part", () => {
  const files = globSync("{src,extras,mock-server,demo,tools,bench,test}/**/*.{test,spec}.{ts,tsx}", {
    cwd: root,
    exclude: ["**/node_modules/**", "tools/long-tests.test.ts"],
  });
  const tagged = files.filter((file) => TAG.test(readFileSync(join(root, file), "utf8")));
  const parts = tagged.map((file) => PARTS.find(([, those]) => those.test(file))?.[0] ?? file);
  expect([...new Set(parts)].toSorted()).toEqual(["e2e", "postgres", "unit"]);
});
