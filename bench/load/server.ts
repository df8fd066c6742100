/**
 * One of the two servers that `bench/load.ts` compares: the kit's runtime, or the same AI SDK turn whose tool awaits a
 * promise in a Map. Each one runs in its own process, so that its heap contains nothing else.
 */
import {
  type UIMessage,
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  toUIMessageStream,
  tool,
  validateUIMessages,
} from "ai";
import { z } from "zod";
import { createAgentTurn } from "../../src/agent/index.ts";
import { createRuntime } from "../../src/runtime/index.ts";
import { serve } from "../../src/node/index.ts";
import { model } from "./model.ts";

type Fetch = (request: Request) => Promise<Response>;

const onError = (error: unknown): void => console.error(error);

const TRIP = z.object({ city: z.string() });

function userOf(request: Request): { id: string } | undefined {
  const id = /^Bearer (\w+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  return id === undefined ? undefined : { id };
}

function createKit(): Fetch {
  const runTurn = createAgentTurn({
    model,
    requester: { name: "Bench" },
    onError,
    tools: {
      book_flight: ({ elicitor }) =>
        tool({
          inputSchema: z.object({}),
          execute: async (_, { toolCallId }) => {
            const trip = await elicitor(toolCallId).form("Where to?", TRIP);
            return trip.outcome === "accepted" ? `Booked: ${trip.value.city}` : trip.text;
          },
        }),
    },
  });
  const runtime = createRuntime({
    runTurn,
    authenticate: userOf,
    allowedOrigins: [],
    timeToAnswer: { expiresInMs: 3_600_000 },
    onError,
  });
  return runtime.fetch;
}

function createBaseline(): Fetch {
  const waiting = new Map<string, (city: string) => void>();

  async function chat(request: Request): Promise<Response> {
    const { id, messages }: { id: string; messages: UIMessage[] } = await request.json();
    const tools = {
      book_flight: tool({
        inputSchema: z.object({}),
        execute: async () => `Booked: ${await new Promise<string>((resolve) => waiting.set(id, resolve))}`,
      }),
    };
    const uiMessages = await validateUIMessages({ messages });
    const { stream } = streamText({
      model,
      tools,
      messages: await convertToModelMessages(uiMessages, { tools }),
      stopWhen: isStepCount(10),
      abortSignal: request.signal,
      timeout: { chunkMs: 60_000 },
    });
    return createUIMessageStreamResponse({
      stream: toUIMessageStream({ stream, tools, originalMessages: uiMessages }),
    });
  }

  async function answer(request: Request): Promise<Response> {
    const { conversationId, content }: { conversationId: string; content: { city: string } } =
      await request.json();
    const resume = waiting.get(conversationId);
    waiting.delete(conversationId);
    resume?.(content.city);
    return Response.json({ success: resume !== undefined });
  }

  return async (request) => {
    if (userOf(request) === undefined) return new Response(null, { status: 401 });
    return new URL(request.url).pathname === "/run/api/chat" ? chat(request) : answer(request);
  };
}

/** The heap in use after a full garbage collection. */
async function heap(): Promise<Response> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Response.json(process.memoryUsage());
}

const inner = process.argv[2] === "kit" ? createKit() : createBaseline();
const served = await serve({
  fetch: (request) => (new URL(request.url).pathname === "/heap" ? heap() : inner(request)),
});
console.log(served.url);
