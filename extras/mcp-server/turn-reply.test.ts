import { expect, test } from "vitest";
import { discardChunk } from "../../src/runtime/internal.ts";
import { createTurnReply } from "./turn-reply.ts";

function folded(...chunks: readonly { type: string; [key: string]: unknown }[]) {
  const reply = createTurnReply();
  const tools = chunks.flatMap((chunk, seq) => reply.see({ seq, at: 0, chunk }) ?? []);
  return { tools, result: reply.result("c1") };
}

test("each text of a turn is a paragraph of the result", () => {
  const { result } = folded(
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Hel" },
    { type: "text-delta", id: "1", delta: "lo." },
    { type: "text-start", id: "2" },
    { type: "text-delta", id: "2", delta: "Bye." },
  );
  expect(result).toEqual({
    content: [{ type: "text", text: "Hello.\n\nBye." }],
    structuredContent: { conversationId: "c1", answer: "Hello.\n\nBye." },
  });
});

test("discarded text is not in the result", () => {
  const { result } = folded(
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Hello." },
    { type: "text-start", id: "2" },
    { type: "text-delta", id: "2", delta: "By" },
    { ...discardChunk(2) },
    { type: "text-start", id: "2" },
    { type: "text-delta", id: "2", delta: "See you." },
  );
  expect(result.structuredContent).toEqual({ conversationId: "c1", answer: "Hello.\n\nSee you." });
});

test("the client learns the names of tools, but not their inputs or outputs", () => {
  const { tools, result } = folded(
    { type: "reasoning-delta", id: "r", delta: "secret thought" },
    { type: "tool-input-available", toolCallId: "1", toolName: "book", input: { card: "4242" } },
    { type: "tool-output-available", toolCallId: "1", output: "internal" },
  );
  expect(tools).toEqual(["book"]);
  expect(JSON.stringify(result)).not.toMatch(/secret|4242|internal/);
});

test("a turn that fails or is stopped is an error result that keeps the text so far", () => {
  const text = { type: "text-delta", id: "1", delta: "I began." };
  expect(folded(text, { type: "error", errorText: "It broke." }).result).toMatchObject({
    isError: true,
    content: [{ text: "I began.\n\nIt broke." }],
  });
  expect(folded({ type: "abort" }).result).toMatchObject({
    isError: true,
    content: [{ text: "The turn was stopped." }],
  });
});

test("files become content blocks: images and audio inline, other files as links", () => {
  const file = (url: string, mediaType: string) => ({ type: "file", url, mediaType });
  const { result } = folded(
    file("data:image/png;base64,AAAA", "image/png"),
    file("data:application/pdf;base64,BBBB", "application/pdf"),
    file("https://files.example.com/a/report.pdf", "application/pdf"),
    file("javascript:alert(1)", "text/html"),
  );
  expect(result.content.slice(1)).toEqual([
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "resource", resource: { uri: "file:///attachment", blob: "BBBB", mimeType: "application/pdf" } },
    {
      type: "resource_link",
      uri: "https://files.example.com/a/report.pdf",
      name: "report.pdf",
      mimeType: "application/pdf",
    },
  ]);
});
