import { expect, test } from "vitest";
import { type StreamChunk, discardChunk, withoutDiscarded } from "../../../src/runtime/internal.ts";
import { createTurnEvents } from "./turn-events.ts";

type Chunk = StreamChunk & Readonly<Record<string, unknown>>;

const says = (id: string, delta: string): Chunk[] => [
  { type: "text-start", id },
  { type: "text-delta", id, delta },
];
const calls = (toolCallId: string): Chunk => ({
  type: "tool-input-available",
  toolCallId,
  toolName: "book",
  input: {},
});

function follow(chunks: readonly Chunk[]) {
  const entries = chunks.map((chunk, seq) => ({ seq, at: 0, chunk }));
  const events = createTurnEvents("t1");
  const sent = entries.flatMap((entry) => events.eventsOf(entry));
  const later = createTurnEvents("t1");
  for (const entry of withoutDiscarded(entries)) later.eventsOf(entry);
  return { types: sent.map(({ type }) => type), messages: events.messages(), later: later.messages() };
}

test("messages with discarded text are ended, and are not in the snapshot", () => {
  const { types, messages, later } = follow([
    ...says("1", "Before."),
    { type: "text-end", id: "1" },
    ...says("2", "Hel"),
    calls("c1"),
    { ...discardChunk(3) },
    ...says("2", "Howdy."),
  ]);
  expect(types).toEqual([
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
  ]);
  expect(messages).toMatchObject([{ content: "Before." }, { content: "Howdy." }]);
  expect(messages).toEqual(later);
});
