import { expect, test } from "vitest";
import { historyForModel } from "./message-parts.ts";

const text = { type: "text", text: "Hello" };

test("historyForModel removes every kind of elicitation part from a message and keeps the rest", () => {
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
  expect(historyForModel([{ id: "m1", role: "assistant", parts }])).toEqual([
    { id: "m1", role: "assistant", parts: [{ type: "custom", kind: "other.thing" }, text] },
  ]);
});

test("historyForModel drops a message that had no other parts, and keeps one that was already empty", () => {
  const answer = { id: "m1", role: "user", parts: [{ type: "data-elicitation-response", data: {} }] };
  const empty = { id: "m2", role: "user", parts: [] };
  expect(historyForModel([answer, empty])).toEqual([empty]);
});

test("historyForModel leaves values of unknown shape unchanged", () => {
  const odd = [
    null,
    "text",
    { role: "user" },
    { role: "user", parts: "no list" },
    { parts: [null, 7, { type: 7 }] },
    { role: "user", parts: [{ type: "custom", kind: { toString: "no function" } }] },
    { role: "user", parts: [{ type: "custom" }] },
  ];
  expect(historyForModel(odd)).toEqual(odd);
});
