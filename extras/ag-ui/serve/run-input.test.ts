import { expect, test } from "vitest";
import { readRunInput, uiMessagesOf } from "./run-input.ts";

const RUN = { threadId: "t1", runId: "r1", messages: [{ id: "m1", role: "user", content: "Book" }] };

test.each([
  ["leaves it out", RUN],
  ["has null", { ...RUN, resume: null }],
  ["has an empty list", { ...RUN, resume: [] }],
])("a client that resumes nothing and %s starts a run", (_, body) => {
  expect(readRunInput(body)).toMatchObject({ ok: true, value: { threadId: "t1", resume: undefined } });
});

test("a run that resumes with something other than a list is refused", () => {
  expect(readRunInput({ ...RUN, resume: {} })).toMatchObject({ ok: false });
});

function partsOf(content: unknown, role = "user") {
  const read = readRunInput({ ...RUN, messages: [{ id: "m1", role, content }] });
  return read.ok ? uiMessagesOf(read.value.messages) : read.reason;
}
const textOf = (content: unknown) => JSON.stringify(partsOf(content));

test("an attachment with its bytes is a file with its name, in both forms of AG-UI", () => {
  const file = { type: "file", mediaType: "image/png", url: "data:image/png;base64,AA==", filename: "a.png" };
  const source = { type: "data", value: "AA==", mimeType: "image/png" };
  expect(
    partsOf([
      { type: "binary", mimeType: "image/png", data: "AA==", filename: "a.png" },
      { type: "image", source, metadata: { filename: "a.png" } },
    ]),
  ).toEqual([{ id: "m1", role: "user", parts: [file, file] }]);
});

test("bytes beside a link are read", () => {
  const part = { type: "binary", mimeType: "image/png", data: "AA==", url: "https://a.example/b", id: "1" };
  expect(textOf([part])).toContain("data:image/png;base64,AA==");
  expect(textOf([part])).not.toContain("https:");
});

test.each([
  ["a link", { type: "image", source: { type: "url", value: "http://10.0.0.1/x", mimeType: "image/png" } }],
  ["a link without a media type", { type: "image", source: { type: "url", value: "http://10.0.0.1/x" } }],
  ["a link of AG-UI 0.0.59", { type: "binary", mimeType: "image/png", url: "http://10.0.0.1/x" }],
  ["an id of AG-UI 0.0.59", { type: "binary", mimeType: "image/png", id: "file-1" }],
  ["a file of a provider", { type: "image", source: { type: "file", value: "file-1" } }],
  ["bytes of no known kind", { type: "image", source: { type: "data", value: "AA==" } }],
])("instead of an attachment that is %s, the agent reads that it could not be read", (_, part) => {
  expect(textOf([part])).toMatch(/"type":"text","text":"\[An attachment could not be read: image/);
  expect(textOf([part])).not.toContain('"type":"file"');
  expect(textOf([part])).not.toContain("10.0.0.1");
});

test.each([
  ["nothing", undefined],
  ["an empty text", ""],
  ["no parts", []],
  ["an unreadable part", [null]],
])("a message of the user with %s stays, so that the turn does not answer an earlier one", (_, content) => {
  expect(partsOf(content)).toEqual([
    { id: "m1", role: "user", parts: [{ type: "text", text: expect.stringMatching(/^\[/) }] },
  ]);
});

test("a message of the agent that has only tool calls is left out", () => {
  expect(partsOf(undefined, "assistant")).toEqual([]);
});
