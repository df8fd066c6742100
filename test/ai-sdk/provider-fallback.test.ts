import { createUIMessageStream, type LanguageModel, streamText } from "ai";
import { createEnvelopeConfirmer } from "elicit-kit/ai-sdk";
import type { Envelope } from "../../src/ai-sdk/envelope.ts";
import { createHttpChannel } from "elicit-kit/client";
import { createRuntime } from "elicit-kit/runtime";
import { openAiFormat } from "elicit-kit/openai";
import { afterEach, expect, it } from "vitest";
import { authenticateTestUser } from "../stages/chat-client.ts";
import { CITY, text } from "../stages/test-runtime.ts";
import { createAgentModel } from "./agent-provider.ts";
import { aiSdk } from "./ai-sdk.ts";

const AGENT = "https://agent.example.com";
const headers = { authorization: "Bearer ada" };
const conversationId = "c1";

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

it(`in a version of the AI SDK without custom parts, requests reach the chat beside the model's stream (AI SDK ${aiSdk})`, async () => {
  const agent = createRuntime({
    formats: [openAiFormat],
    async *runTurn(turn) {
      yield { type: "start" };
      const { outcome } = await turn.ask(CITY);
      yield* text(`It was ${outcome}.`);
      yield { type: "finish" };
    },
    authenticate: authenticateTestUser,
    allowedOrigins: () => true,
    onError: (error) => {
      throw error;
    },
  });
  endings.push(() => agent.close());
  const fetch: typeof globalThis.fetch = (input, init) => agent.fetch(new Request(input, init));
  const channel = createHttpChannel({ api: `${AGENT}/run/api`, headers, fetch });
  const confirm = createEnvelopeConfirmer({ channel, conversationId });

  const stream = createUIMessageStream({
    execute({ writer }) {
      let written = Promise.resolve();
      async function writeAfter(before: Promise<void>, envelope: Envelope): Promise<void> {
        await before;
        const part = await confirm(envelope);
        if (part !== undefined) writer.write(part);
      }
      // Sequentially, because the end of a request must not arrive before the request.
      const onEnvelope = (envelope: Envelope): void => void (written = writeAfter(written, envelope));
      const baseUrl = `${AGENT}/run/v1`;
      const agentModel = createAgentModel("travel", { baseUrl, headers, conversationId, fetch, onEnvelope });
      // The parts of a text are the same in all specifications. AI SDK 6 only requires an older version name.
      const model = aiSdk === 7 ? agentModel : { ...agentModel, specificationVersion: "v3" };
      const result = streamText({ model: model as LanguageModel, prompt: "Where to?" });
      writer.merge(result.toUIMessageStream());
    },
  });

  const chunks: Record<string, unknown>[] = [];
  const read = (async () => {
    for await (const chunk of stream) chunks.push(chunk);
  })();
  const asked = () => chunks.filter(({ type }) => type === "data-elicitation-request");
  await expect.poll(() => asked()).toHaveLength(1);
  const elicitationId = String(asked()[0]?.["id"]);
  await channel.respond([{ conversationId, elicitationId, action: "decline" }], {
    signal: new AbortController().signal,
  });
  await read;
  expect(chunks.filter(({ type }) => type === "text-delta").map(({ delta }) => delta)).toEqual([
    "It was declined.",
  ]);
  expect(chunks.filter(({ type }) => type === "custom" || type === "error")).toEqual([]);
});
