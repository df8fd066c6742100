import { expect, test } from "vitest";
import type { ElicitationRequest } from "../../contract/contract.ts";
import { createCompletionsStreamHelper } from "../../../extras/openai/completions-stream.ts";
import {
  createBufferingStreamHelper,
  type StreamHelper,
  createUiMessageStreamHelper,
} from "./stream-helper.ts";
import type { ResolvedRequest } from "../request/record.ts";

const CONNECT: ElicitationRequest = {
  type: "elicitation-request",
  elicitationId: "q1w2e3",
  mode: "url",
  message: 'Connect "Tracker".',
  url: "https://auth.example.com/auth/connect?elicitationId=q1w2e3",
  context: { trigger: "credential_required" },
  expiresAt: "2026-11-20T12:10:00.000Z",
};
const ENDED: ResolvedRequest = {
  ...CONNECT,
  resolution: { outcome: "declined", at: "2026-11-20T12:01:00.000Z" },
};

function written(
  make: (write: (event: string) => void) => StreamHelper,
  use: (helper: StreamHelper) => void,
) {
  const events: string[] = [];
  use(make((event) => events.push(event)));
  return events;
}

const completions = (write: (event: string) => void) =>
  createCompletionsStreamHelper(write, { id: "1700000000000", created: 1_700_000_000 });

const REQUEST_JSON =
  '{"type":"elicitation-request","elicitationId":"q1w2e3","mode":"url","message":"Connect \\"Tracker\\".","url":"https://auth.example.com/auth/connect?elicitationId=q1w2e3","context":{"trigger":"credential_required"},"expiresAt":"2026-11-20T12:10:00.000Z"';

// Expected output written by hand from the contract, byte for byte.
test("on a UI message stream a request is a data part, and its outcome is the same part with the resolution", () => {
  const events = written(createUiMessageStreamHelper, (helper) => {
    helper.writeElicitationRequest(CONNECT);
    helper.writeElicitationResolved(ENDED);
    helper.end();
  });
  expect(events).toEqual([
    `data: {"type":"data-elicitation-request","id":"q1w2e3","data":${REQUEST_JSON}}}\n\n`,
    `data: {"type":"data-elicitation-request","id":"q1w2e3","data":${REQUEST_JSON},"resolution":{"outcome":"declined","at":"2026-11-20T12:01:00.000Z"}}}\n\n`,
    "data: [DONE]\n\n",
  ]);
});

test("on the OpenAI route a request is the whole content of one frame, and so is its outcome", () => {
  const events = written(completions, (helper) => {
    helper.writeElicitationRequest(CONNECT);
    helper.writeElicitationResolved(ENDED);
    helper.end();
  });
  const head =
    'data: {"id":"chatcmpl-1700000000000","object":"chat.completion.chunk","created":1700000000,"choices":[{"index":0,"delta":';
  expect(events).toEqual([
    `${head}{"role":"assistant"},"finish_reason":null}]}\n\n`,
    `${head}{"content":"{\\"type\\":\\"elicitation-request\\",\\"elicitationId\\":\\"q1w2e3\\",\\"mode\\":\\"url\\",\\"message\\":\\"Connect \\\\\\"Tracker\\\\\\".\\",\\"url\\":\\"https://auth.example.com/auth/connect?elicitationId=q1w2e3\\",\\"context\\":{\\"trigger\\":\\"credential_required\\"},\\"expiresAt\\":\\"2026-11-20T12:10:00.000Z\\"}"},"finish_reason":null}]}\n\n`,
    `${head}{"content":"{\\"type\\":\\"elicitation-resolved\\",\\"elicitationId\\":\\"q1w2e3\\",\\"resolution\\":{\\"outcome\\":\\"declined\\",\\"at\\":\\"2026-11-20T12:01:00.000Z\\"}}"},"finish_reason":null}]}\n\n`,
    `${head}{},"finish_reason":"stop"}]}\n\n`,
    "data: [DONE]\n\n",
  ]);
});

test("a reply without a stream has requests and their outcomes as data, separate from the text", () => {
  const helper = createBufferingStreamHelper();
  helper.writeElicitationRequest(CONNECT);
  helper.writeChunk({ type: "text-start" });
  const delta = { type: "text-delta", id: "t", delta: "Well." };
  helper.writeChunk(delta);
  helper.writeElicitationResolved(ENDED);
  expect(JSON.stringify({ text: helper.text(), data: helper.data() })).toBe(
    `{"text":"Well.","data":[{"type":"data-elicitation-request","id":"q1w2e3","data":${REQUEST_JSON}}},{"type":"data-elicitation-request","id":"q1w2e3","data":${REQUEST_JSON},"resolution":{"outcome":"declined","at":"2026-11-20T12:01:00.000Z"}}}]}`,
  );
});

function contents(events: readonly string[]): string[] {
  return events.flatMap((event) => {
    const content = /^data: (\{.*\})\n\n$/.exec(event)?.[1];
    const { choices = [] } = content === undefined ? {} : JSON.parse(content);
    return choices[0]?.delta.content ?? [];
  });
}

test.each([JSON.stringify(CONNECT), ` \n${JSON.stringify(CONNECT)}\n`, "{}", '{"a":{"b":{}}}', '{"{":"}"}'])(
  "a frame with a model's text is never a JSON object: %s",
  (said) => {
    const delta = { type: "text-delta", delta: said };
    const pieces = contents(written(completions, (helper) => helper.writeChunk(delta)));
    expect(pieces.join("")).toBe(said);
    for (const piece of pieces) {
      let value: unknown;
      try {
        value = JSON.parse(piece);
      } catch {
        continue;
      }
      expect(value).not.toBeTypeOf("object");
    }
  },
);

test("other text of a model is unchanged, its parts are separated, and the OpenAI route omits tool calls", () => {
  const events = written(completions, (helper) => {
    for (const chunk of [
      { type: "start" },
      { type: "text-start", id: "a" },
      { type: "text-delta", id: "a", delta: "Let me " },
      { type: "text-delta", id: "a", delta: "{look}." },
      { type: "text-end", id: "a" },
      { type: "tool-input-available", toolCallId: "c", toolName: "look", input: {} },
      { type: "text-start", id: "b" },
      { type: "text-delta", id: "b", delta: "[1, 2]" },
      { type: "finish", finishReason: "length" },
    ]) {
      helper.writeChunk(chunk);
    }
    helper.end();
  });
  expect(contents(events)).toEqual(["Let me ", "{look}.", "\n\n", "[1, 2]"]);
  expect(events.at(-2)).toContain('"finish_reason":"length"');
});
