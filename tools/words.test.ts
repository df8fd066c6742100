import { expect, test } from "vitest";
import { riddlesIn } from "./words.mjs";

const found = (path: string, text: string) =>
  riddlesIn(path, text).map((line) => /"(.*)"|begins with a number/.exec(line)?.[1] ?? "number");

test.each([
  ["Who sends a request needs no token. It is the user.", ["Who sends a request needs no token."]],
  ["What was typed before is in this tab.", ["What was typed before is in this tab."]],
  ["The user is told why.", ["is told"]],
  ["Whoever comes first, and the server says nothing.", ["Whoever", "says nothing"]],
  ["It asks for nothing but the name of a person.", ["nothing but", "person"]],
  ["The turn goes on.", ["goes on"]],
  ["It lets go of the lock, and knows nothing of users.", ["knows nothing", "lets go of"]],
  ["The reply is in the words of Slack.", ["in the words of"]],
  ["- The card sees to it, and the process hears of the answer it owes.", ["hears of", "owes", "sees to it"]],
])("the lint for sentences rejects %j in a guide", (text, sentences) => {
  expect(found("docs/guide.md", text).toSorted()).toEqual(sentences.toSorted());
});

test.each([
  "The user who sent the request answers it.",
  "Who may answer a request?",
  "What is a turn?",
  "What the user has typed.",
  "Who sends the request: the user of the session.",
  "It prints what is new.",
  "The card goes on the page.",
  "`person` and `src/slack/right-person.ts` are names, and so is [a link](who-is-told.md).",
  "```ts\nconst a = 1; // the person is told\n```",
])("the lint for sentences accepts %j in a guide", (text) => {
  expect(found("docs/guide.md", text)).toEqual([]);
});

test("the lint for sentences reads comments, test titles and errors, but no other strings", () => {
  const code = `
    /** What the person typed. */
    // It is
    // told here.
    test("12 goes on", () => {});
    it.each([1])("whoever %s", () => {});
    throw new Error("elicit-kit: nothing but a number");
    const said = "the person is told";
  `;
  expect(found("src/a.test.ts", code).toSorted()).toEqual(
    ["goes on", "is told", "nothing but", "number", "person", "whoever"].toSorted(),
  );
});

test.each([
  ['it("returns an icon", () => {});', 1],
  ['test.each([1])("is %s", () => {});', 1],
  ['test("what the user typed", () => {});', 1],
  ['test("reads do not count", () => {});', 0],
  ['test("an icon is returned", () => {});', 0],
  ['describe("an icon", () => { it("is returned", () => {}); });', 0],
  ['test.describe("an icon", () => { test("is returned", () => {}); }); test("is alone", () => {});', 1],
  ['describe.each([1])("%s", () => { it("is returned", () => {}); });', 0],
])("the lint for sentences requires a subject in titles outside of groups: %s", (code, count) => {
  expect(riddlesIn("src/a.test.ts", code)).toHaveLength(count);
});

test("the lint for sentences names the file and the line", () => {
  expect(riddlesIn("src/a.ts", "\n\n// nothing but this")).toEqual([
    'src/a.ts:3: "nothing but". Write: only',
  ]);
});
