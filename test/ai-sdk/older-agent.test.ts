import { type LanguageModel, stepCountIs, streamText, tool } from "ai";
import { convertArrayToReadableStream } from "ai/test";
import {
  type RunTurn,
  type RuntimeOptions,
  askFirst,
  createElicitor,
  createRuntime,
} from "elicit-kit/runtime";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createHotelAgent } from "../../docs/examples/older-agent.ts";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { authenticateTestUser, createChatClient } from "../stages/chat-client.ts";
import { noErrors } from "../stages/no-errors.ts";
import { aiSdk } from "./ai-sdk.ts";

const { createHotelAgent: createLaterAgent } =
  aiSdk === 7
    ? await import("../../docs/examples/own-later.ts")
    : await import("../../docs/examples/older-later.ts");

const finish =
  aiSdk === 5
    ? (reason: string) => ({ type: "finish", finishReason: reason, usage: {} })
    : (reason: string) => ({
        type: "finish",
        finishReason: { unified: reason, raw: undefined },
        usage: { inputTokens: {}, outputTokens: {} },
      });

interface Said {
  readonly role: string;
  readonly content: readonly { readonly text?: string; readonly output?: { readonly value: string } }[];
}

/**
 * A model that calls a tool, and then says what it reads: the result, and what is said after that. The AI SDK's own mock
 * has another name in each version.
 */
function createModel(toolName: string, input: object): LanguageModel {
  return {
    specificationVersion: { 5: "v2", 6: "v3", 7: "v4" }[aiSdk],
    provider: "test",
    modelId: "test",
    supportedUrls: {},
    async doStream({ prompt }: { prompt: readonly Said[] }) {
      const hasCalled = prompt.some(({ role }) => role === "tool");
      const [last] = prompt.at(-1)?.content ?? [];
      const delta = last?.output?.value ?? last?.text ?? "";
      const parts = hasCalled
        ? [
            { type: "text-start", id: "1" },
            { type: "text-delta", id: "1", delta },
            { type: "text-end", id: "1" },
            finish("stop"),
          ]
        : [
            { type: "tool-call", toolCallId: "call-1", toolName, input: JSON.stringify(input) },
            finish("tool-calls"),
          ];
      return { stream: convertArrayToReadableStream<object>(parts) };
    },
  } as unknown as LanguageModel;
}

/** A chat with an agent, in which the user has said something. */
async function send(runTurn: RunTurn, options: Partial<RuntimeOptions> = {}) {
  const runtime = createRuntime({
    runTurn,
    authenticate: authenticateTestUser,
    allowedOrigins: () => true,
    onError: noErrors(),
    ...options,
  });
  onTestFinished(() => runtime.close());
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  return { ada, stream: await ada.send("c1") };
}

/** The same, in which the agent has asked. */
async function say(runTurn: RunTurn, options?: Partial<RuntimeOptions>) {
  const { ada, stream } = await send(runTurn, options);
  const request = await stream.request();
  const { elicitationId } = request;
  const answer = async (given: object) => {
    expect((await ada.answer("c1", { elicitationId, action: "accept", ...given })).status).toBe(200);
  };
  return { ada, stream, request, answer, accept: (content: object) => answer({ content }) };
}

const textIn = (delta: unknown) => expect.objectContaining({ type: "text-delta", delta });

it(`the agent of the guide asks, and continues with the answer (AI SDK ${aiSdk})`, async () => {
  const { stream, request, accept } = await say(createHotelAgent(createModel("bookHotel", {})));
  expect(request.message).toBe("Which hotel shall I book?");
  await accept({ city: "Lisbon", nights: 3 });
  await stream.done;
  expect(stream.chunks).toContainEqual(textIn("Booked 3 nights in Lisbon."));
});

it(`the agent works while its question is open, and gets the answer in the same message (AI SDK ${aiSdk})`, async () => {
  const model = createModel("bookHotel", { city: "Rome" });
  const { stream, request, accept } = await say(createLaterAgent(model));
  expect(request.message).toBe("Which hotel in Rome?");
  await vi.waitUntil(() => stream.chunks.some(({ type }) => type === "text-end"));
  expect(stream.chunks).toContainEqual(textIn(expect.stringContaining("Asked.")));
  await accept({ answer: "Ritz" });
  await stream.done;
  expect(stream.chunks).toContainEqual(textIn(expect.stringContaining("Booked: Ritz.")));
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ type: "tool-output-available", output: "Booked: Ritz." }),
  );
  const ends = stream.chunks.filter(({ type }) => type === "start" || type === "finish");
  expect(ends.map(({ type }) => type)).toEqual(["start", "finish"]);
});

it(`a tool call waits for approval, and runs as the user has changed it (AI SDK ${aiSdk})`, async () => {
  const model = createModel("refund", { cents: 4200 });
  const refund = tool({
    title: "Refund an order",
    inputSchema: z.object({ cents: z.int() }),
    execute: async ({ cents }: { cents: number }) => `Refunded ${cents}.`,
  });
  const { stream, request, accept } = await say(async (turn) => {
    const elicitor = (toolCallId: string) => createElicitor({ turn, tool: "refund", toolCallId });
    const tools = { refund: askFirst(refund, { edit: ["cents"] })({ elicitor }) };
    return streamText({ model, prompt: "Refund it.", tools, stopWhen: stepCountIs(5) }).toUIMessageStream();
  });
  expect(request.context?.["review"]).toEqual({ subject: "Refund an order", rows: [] });
  await accept({ cents: 3000 });
  await stream.done;
  expect(stream.chunks).toContainEqual(textIn(expect.stringContaining("Refunded 3000.")));
});

it(`an option shows its preview, and the user may leave the choice to the agent (AI SDK ${aiSdk})`, async () => {
  const model = createModel("chooseSeat", {});
  const { stream, request, answer } = await say(async (turn) => {
    const chooseSeat = tool({
      inputSchema: z.object({}),
      async execute(_, { toolCallId }) {
        const ask = createElicitor({ turn, tool: "chooseSeat", toolCallId });
        const options = ["aisle", { value: "window", label: "By the window", preview: "[ ] [x]" }] as const;
        const seat = await ask.choose("Which seat?", options, { fallback: "aisle", delegate: true });
        if (seat.outcome !== "accepted") return seat.text;
        return `Took ${seat.value}, ${seat.delegated === true ? "my choice" : "your choice"}.`;
      },
    });
    const tools = { chooseSeat };
    return streamText({ model, prompt: "A seat.", tools, stopWhen: stepCountIs(5) }).toUIMessageStream();
  });
  expect(request.delegate).toBe(true);
  expect(request.requestedSchema?.properties["answer"]).toMatchObject({
    oneOf: [{ const: "aisle" }, { const: "window", preview: "[ ] [x]" }],
  });
  await answer({ delegated: true });
  await stream.done;
  expect(stream.chunks).toContainEqual(textIn("Took aisle, my choice."));
});

it(`a user who gets more time answers after the first end, and the agent continues (AI SDK ${aiSdk})`, async () => {
  const clock = createManualClock();
  const model = createModel("bookHotel", {});
  const { ada, stream, request, accept } = await say(createHotelAgent(model), {
    ports: { clock },
    timeToAnswer: { expiresInMs: 600_000 },
  });
  await clock.advanceAsync(500_000);
  const reply = await ada.fetch(`/run/api/elicitations/${request.elicitationId}/extend`, { body: {} });
  expect(reply.status).toBe(200);
  await clock.advanceAsync(500_000);
  await accept({ city: "Faro", nights: 2 });
  await stream.done;
  expect(stream.chunks).toContainEqual(textIn("Booked 2 nights in Faro."));
});

it(`a rule answers in place of the user, and the agent continues in the same turn (AI SDK ${aiSdk})`, async () => {
  const { stream } = await send(createHotelAgent(createModel("bookHotel", {})), {
    beforeAsk: () => ({ rule: "Company hotel", answer: { city: "Porto", nights: 1 } }),
  });
  await stream.done;
  expect(stream.chunks).toContainEqual(textIn("Booked 1 nights in Porto."));
  const requests = stream.chunks.filter(({ type }) => type === "data-elicitation-request");
  const resolution = expect.objectContaining({ outcome: "accepted", by: "Company hotel" });
  expect(requests.map(({ data }) => data)).toEqual([expect.objectContaining({ resolution })]);
});
