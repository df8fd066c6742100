/** TanStack AI's tool approval. */
import { toolDefinition } from "@tanstack/ai";
import { fetchServerSentEvents, useChat } from "@tanstack/ai-react";
import { createElement as h } from "react";
import { z } from "zod";

const bookFlight = toolDefinition({
  name: "book_flight",
  description: "Books a flight",
  inputSchema: z.object({}),
  needsApproval: true,
});
const connection = fetchServerSentEvents("/tanstack");
const tools = [bookFlight];

export function TanStack({ history, Log }) {
  const { messages, interrupts, sendMessage } = useChat({
    connection,
    tools,
    initialMessages: history.map(({ id, role, parts }) => ({
      id,
      role,
      parts: parts.map(({ text }) => ({ type: "text", content: text })),
    })),
  });
  const shown = messages.map(({ id, parts }) => ({
    id,
    parts: parts.map((part) => ({ type: part.type, text: part.content })),
  }));
  return h(
    Log,
    { messages: shown, start: () => void sendMessage("Book") },
    interrupts.map((interrupt) =>
      h("button", { key: interrupt.id, onClick: () => interrupt.resolveInterrupt(true) }, "Send"),
    ),
  );
}
