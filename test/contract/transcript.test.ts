import { readFileSync } from "node:fs";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { once } from "node:events";
import type { RunTurn } from "elicit-kit/runtime";
import { serve } from "elicit-kit/node";
import {
  answerAckSchema,
  elicitationAnswerSchema,
  elicitationListSchema,
  parseStreamEvent,
  problemSchema,
  statusReportSchema,
} from "elicit-kit/contract/schema";
import { expect, it } from "vitest";
import { CHAT_ORIGIN } from "../stages/chat-client.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";

const ELICITATION_ID = "q0jC2QsdVmkXrB8LwDPyEg";

/** An agent with fixed text, so that only the runtime can change a byte. */
const runTurn: RunTurn = async function* run(turn) {
  const tool = { id: "book_hotel", name: "book_hotel" };
  const toolCallId = "call-1";
  yield { type: "start", messageId: "message-1" };
  yield { type: "tool-input-available", toolCallId, toolName: tool.name, input: {} };
  const result = await turn.ask({
    mode: "form",
    message: "Where to, and for how long?",
    requestedSchema: {
      type: "object",
      properties: {
        city: { type: "string", title: "City" },
        nights: { type: "integer", title: "Nights", minimum: 1, maximum: 30 },
      },
      required: ["city", "nights"],
    },
    context: { trigger: "tool" },
    requester: { name: "Travel agent" },
    elicitationId: ELICITATION_ID,
    tool,
    toolCallId,
  });
  const content = result.outcome === "accepted" ? result.content : {};
  yield { type: "tool-output-available", toolCallId, output: content };
  yield { type: "text-start", id: "text-1" };
  yield { type: "text-delta", id: "text-1", delta: "Booked." };
  yield { type: "text-end", id: "text-1" };
  yield { type: "finish" };
};

/** Headers that depend on the connection and not on the contract. */
const OF_THE_CONNECTION = new Set([
  "connection",
  "date",
  "keep-alive",
  "transfer-encoding",
  "content-length",
]);

function requestText(method: string, path: string, body?: unknown): string {
  const headers = [
    `host: api.example.com`,
    `origin: ${CHAT_ORIGIN}`,
    "authorization: Bearer ada",
    ...(path.endsWith("/chat") ? ["x-supports-elicitation: true"] : []),
    ...(body === undefined ? [] : ["content-type: application/json"]),
  ];
  const text = body === undefined ? "" : JSON.stringify(body);
  return `${method} ${path} HTTP/1.1\n${headers.join("\n")}\n\n${text}`;
}

/** Sends the request in the text, and returns the response with its head as text. */
async function send(url: string, text: string): Promise<{ head: string; response: IncomingMessage }> {
  const [head = "", body = ""] = text.split("\n\n");
  const [line = "", ...headers] = head.split("\n");
  const [method = "", path = ""] = line.split(" ");
  const sent = httpRequest(url + path, {
    method,
    headers: Object.fromEntries(headers.map((header) => header.split(": "))),
  });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, "response");
  const { rawHeaders, statusCode, statusMessage } = response!;
  const told = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && !OF_THE_CONNECTION.has(name.toLowerCase())
      ? [`${name}: ${rawHeaders[index + 1]}`]
      : [],
  );
  return { head: `HTTP/1.1 ${statusCode} ${statusMessage}\n${told.join("\n")}\n\n`, response: response! };
}

async function whole(url: string, text: string): Promise<string> {
  const { head, response } = await send(url, text);
  response.setEncoding("utf8");
  const pieces: string[] = [];
  for await (const piece of response) pieces.push(String(piece));
  return head + pieces.join("");
}

/** One recorded turn: requests and replies, in order. */
async function record(): Promise<string[]> {
  const runtime = createTestRuntime(runTurn);
  const { url, close } = await serve({ fetch: runtime.fetch, allowedHosts: ["api.example.com"] });
  const blocks: string[] = [];
  async function exchange(method: string, path: string, body?: unknown): Promise<void> {
    const text = requestText(method, path, body);
    blocks.push(text, await whole(url, text));
  }

  const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Book a hotel." }] };
  const chat = requestText("POST", "/run/api/chat", { conversationId: "c1", messages: [message] });
  const { head, response } = await send(url, chat);
  let streamed = "";
  response.setEncoding("utf8");
  response.on("data", (text: string) => (streamed += text));
  await expect.poll(() => streamed).toContain("data-elicitation-request");
  runtime.clock.advance(8000);
  await expect.poll(() => streamed).toContain(": keep-alive");
  const before = streamed.length;
  blocks.push(chat, head + streamed);

  const conversationId = "c1";
  const answer = { conversationId, elicitationId: ELICITATION_ID, action: "accept" };
  const path = "/run/api/elicitation-responses";
  await exchange("GET", "/run/api/elicitations?conversationId=c1");
  await exchange("POST", path, { ...answer, content: { city: "Lisbon", nights: 99 } });
  const ended = once(response, "end");
  await exchange("POST", path, { ...answer, content: { city: "Lisbon", nights: 3 } });
  await ended;
  blocks.push(streamed.slice(before));
  await exchange("GET", `/run/api/elicitations/${ELICITATION_ID}`);
  await runtime.close();
  await close();
  return blocks.map((block) => block.trimEnd());
}

const guide = readFileSync(new URL("../../docs/contract.md", import.meta.url), "utf8");
const shown = [...guide.matchAll(/^```http\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block.trimEnd());

it("docs/contract.md shows one turn exactly as the runtime sends it", async () => {
  expect(shown).toEqual(await record());
});

it("the bodies in that turn match contract.schema.json", () => {
  const bodies = shown.map((block): unknown => {
    const [, body = ""] = block.split("\n\n");
    return body.startsWith("{") ? JSON.parse(body) : undefined;
  });
  const schemas = [
    [3, elicitationListSchema],
    [4, elicitationAnswerSchema],
    [5, problemSchema],
    [6, elicitationAnswerSchema],
    [7, answerAckSchema],
    [10, statusReportSchema],
  ] as const;
  for (const [index, schema] of schemas) {
    expect(schema.safeParse(bodies[index]), `block ${index}`).toMatchObject({ success: true });
  }
  const events = shown.join("\n").match(/^data: \{.*$/gm) ?? [];
  expect(events.length).toBeGreaterThan(6);
  for (const event of events) {
    expect(parseStreamEvent(JSON.parse(event.slice(6)))).toMatchObject({ ok: true, known: true });
  }
});
