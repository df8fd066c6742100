import { expect, test } from "vitest";
import { stripElicitationParts } from "./messages.ts";

const text = { type: "text", text: "Hello" };

test("takes every kind of elicitation part out of a message and leaves the rest", () => {
  const parts = [
    { type: "data-elicitation-request", id: "e1", data: {} },
    { type: "data-elicitation-response", data: {} },
    { type: "elicitation-response", elicitationId: "e1" },
    { type: "data-tool-auth-required", data: {} },
    { type: "custom", kind: "inkeep.elicitation-request" },
    { type: "custom", kind: "elicit-kit.elicitation-resolved" },
    { type: "custom", kind: "elicit-kit.elicitation-response" },
    { type: "custom", kind: "other.thing" },
    text,
  ];
  expect(stripElicitationParts([{ id: "m1", role: "assistant", parts }])).toEqual([
    { id: "m1", role: "assistant", parts: [{ type: "custom", kind: "other.thing" }, text] },
  ]);
});

test("drops a message that held nothing else, and keeps one that was empty before", () => {
  const answer = { id: "m1", role: "user", parts: [{ type: "data-elicitation-response", data: {} }] };
  const empty = { id: "m2", role: "user", parts: [] };
  expect(stripElicitationParts([answer, empty])).toEqual([empty]);
});

test("does not touch what it does not know", () => {
  const odd = [
    null,
    "text",
    { role: "user" },
    { role: "user", parts: "no list" },
    { parts: [null, 7, { type: 7 }] },
    { role: "user", parts: [{ type: "custom", kind: { toString: "no function" } }] },
    { role: "user", parts: [{ type: "custom" }] },
  ];
  expect(stripElicitationParts(odd)).toEqual(odd);
});
