import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText, toUIMessageStream, wrapLanguageModel, type LanguageModelMiddleware } from "ai";
import { array, assert, asyncProperty, constantFrom, oneof, string } from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { urlRequest } from "../contract/testing/requests.ts";
import type { Envelope } from "./envelope.ts";
import { elicitationMiddleware, elicitationTransform } from "./provider-stream.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

const request = urlRequest({ elicitationId: "e1" });
const resolved: Envelope = {
  type: "elicitation-resolved",
  elicitationId: "e1",
  resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z" },
};
const custom = (envelope: Envelope) => ({
  type: "custom",
  kind: `elicit-kit.${envelope.type}`,
  providerMetadata: { "elicit-kit": envelope },
});
const delta = (text: string) => ({ type: "text-delta", id: "0", delta: text });

interface Part {
  type: string;
  [key: string]: unknown;
}

async function collect<T>(stream: ReadableStream<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

function streamOf<T>(parts: readonly T[]): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

describe("requests as JSON in a model's text", () => {
  it("become custom parts, if the option says that the server writes them", async () => {
    const parts: Part[] = [
      delta("Let me see. "),
      delta(JSON.stringify(request)),
      delta(JSON.stringify(resolved)),
    ];
    expect(await collect(streamOf(parts).pipeThrough(elicitationTransform({ textEnvelopes: true })))).toEqual(
      [parts[0], custom(request), custom(resolved)],
    );
    expect(await collect(streamOf(parts).pipeThrough(elicitationTransform()))).toEqual(parts);
  });

  it("go to a listener instead, in versions of the AI SDK without custom parts", async () => {
    const told: Envelope[] = [];
    const parts: Part[] = [delta(JSON.stringify(request)), delta(" on")];
    const transform = elicitationTransform<Part>({
      textEnvelopes: true,
      onEnvelope: (one) => told.push(one),
    });
    expect(await collect(streamOf(parts).pipeThrough(transform))).toEqual([delta(" on")]);
    expect(told).toEqual([request]);
  });

  it.each([
    [
      "an envelope with white space around it",
      [` ${JSON.stringify(request)}`, `${JSON.stringify(request)}\n`],
    ],
    ["an envelope in two frames", [JSON.stringify(request).slice(0, 40), JSON.stringify(request).slice(40)]],
    ["two envelopes in one frame", [JSON.stringify(request).repeat(2)]],
    [
      "a malformed envelope",
      [JSON.stringify({ ...request, mode: "telepathy" }), JSON.stringify({ ...resolved, resolution: {} })],
    ],
    ["an end without an id", [JSON.stringify({ ...resolved, elicitationId: 7 })]],
    ["other JSON", ["{}", "{broken}", "[]", "null", JSON.stringify({ type: "data-operation", data: {} })]],
  ])("leave %s unchanged", async (_, texts) => {
    const parts = texts.map(delta);
    expect(await collect(streamOf(parts).pipeThrough(elicitationTransform({ textEnvelopes: true })))).toEqual(
      parts,
    );
  });

  it("are recognised only in text deltas", async () => {
    const parts: Part[] = ["reasoning-delta", "tool-input-delta"].map((type) => ({
      ...delta(JSON.stringify(request)),
      type,
    }));
    parts.push({ type: "text-delta" }, { type: "text-delta", delta: 7 });
    const stream = streamOf(parts).pipeThrough(elicitationTransform({ textEnvelopes: true }));
    expect(await collect(stream)).toEqual(parts);
  });

  it("do not cause other parts to be copied or reordered", async () => {
    const text = oneof(string(), constantFrom("{", "}", '{"type":"elicitation-request"}', "{}"));
    await assert(
      asyncProperty(array(text), async (texts) => {
        const parts = texts.map(delta);
        const out = await collect(streamOf(parts).pipeThrough(elicitationTransform({ textEnvelopes: true })));
        expect(out).toHaveLength(parts.length);
        for (const [index, part] of parts.entries()) expect(out[index]).toBe(part);
      }),
      RUNS,
    );
  });
});

/** An AI SDK 7 provider as in an app, for a server that returns these frames. */
function providerOf(frames: readonly string[]) {
  const prompts: unknown[] = [];
  const provider = createOpenAICompatible({
    name: "agents",
    baseURL: "https://agents.example/run/v1",
    fetch: async (input, init) => {
      prompts.push((await new Request(input, init).json()).messages);
      const events = frames.map((content) => ({
        choices: [{ index: 0, delta: { content }, finish_reason: null }],
      }));
      const all = [...events, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }];
      const body = all.map(
        (event) => `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", ...event })}\n\n`,
      );
      return new Response(body.join(""), { headers: { "content-type": "text/event-stream" } });
    },
  });
  const middleware = elicitationMiddleware({ textEnvelopes: true });
  return { prompts, model: wrapLanguageModel({ model: provider("agent"), middleware }) };
}

describe("a provider with the middleware", () => {
  it("fits the types of the AI SDK, with the right specification version", () => {
    expectTypeOf(elicitationMiddleware()).toExtend<LanguageModelMiddleware>();
    expectTypeOf(elicitationMiddleware({ onEnvelope: () => undefined })).toExtend<LanguageModelMiddleware>();
    expect(elicitationMiddleware().specificationVersion).toBe("v4");
    expect(elicitationMiddleware({ onEnvelope: () => undefined }).specificationVersion).toBe("v3");
  });

  it("turns a request in the model's text into a part of the UI message stream, and none of its text is shown", async () => {
    const { model } = providerOf(["Let me see. ", JSON.stringify(request), "Done."]);
    const result = streamText({ model, prompt: "go" });
    const chunks: Part[] = await collect(toUIMessageStream({ stream: result.stream }));
    expect(chunks).toContainEqual(custom(request));
    expect(chunks.filter(({ type }) => type === "text-delta").map((chunk) => chunk["delta"])).toEqual([
      "Let me see. ",
      "Done.",
    ]);
    expect(chunks.at(-1)).toEqual({ type: "finish", finishReason: "stop" });
  });

  it("removes the requests of earlier turns from the prompt", async () => {
    const { model, prompts } = providerOf([JSON.stringify(request)]);
    const first = streamText({ model, messages: [{ role: "user", content: "go" }] });
    const answered = await first.responseMessages;
    expect(JSON.stringify(answered)).toContain("elicit-kit.elicitation-request");
    const messages = [
      { role: "user", content: "go" } as const,
      ...answered,
      { role: "user", content: "on" } as const,
    ];
    await streamText({ model, messages }).consumeStream();
    expect(prompts).toEqual([
      [{ role: "user", content: "go" }],
      [
        { role: "user", content: "go" },
        { role: "user", content: "on" },
      ],
    ]);
  });
});
