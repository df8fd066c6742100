import { type Credential, createMemoryCredentials } from "../../../src/runtime/core/index.ts";
import { type McpServer, type McpStdioServer, createAgentTurn } from "../../../src/runtime/agent/index.ts";
import {
  type ChatClient,
  type ReadStream,
  createChatClient,
} from "../../../src/runtime/testing/chat-client.ts";
import {
  type Step,
  createScriptedModel,
  toolResultsSeen,
} from "../../../src/runtime/testing/scripted-model.ts";
import { createManualClock } from "../../../src/clock/testing/manual-clock.ts";
import { type TestRuntime, createTestRuntime } from "../../../src/runtime/testing/test-runtime.ts";

/** A chat whose agent calls tools of one MCP server. */
export interface McpChat {
  runtime: TestRuntime;
  ada: ChatClient;
  errors: unknown[];
  /** Sends a message and reads the turn. */
  send(conversationId?: string, body?: Record<string, unknown>): Promise<ReadStream>;
  /** Answers the open request at `index`. */
  answer(
    stream: ReadStream,
    action: "accept" | "decline" | "cancel",
    content?: Record<string, unknown>,
  ): Promise<Response>;
  /** What the model reads of the tools' results. */
  results(): string;
}

/** `steps`: what the model does, such as `{ srv_ask: {} }`. The server is called `srv`. */
export function chatWith(
  at: string | Omit<McpStdioServer, "name" | "service">,
  steps: readonly Step[],
  options: Partial<Omit<McpServer, "url">> & { credential?: Credential } = {},
): McpChat {
  const { credential, ...http } = options;
  const named = { name: "srv", service: "Survey" };
  const server =
    typeof at === "string"
      ? { ...named, url: at, credentialScope: "none" as const, ...http }
      : { ...named, ...at };
  const errors: unknown[] = [];
  const credentials = createMemoryCredentials();
  if (credential !== undefined) void credentials.set("srv", "ada", credential);
  const model = createScriptedModel(...steps);
  const clock = createManualClock();
  const runTurn = createAgentTurn({
    model,
    mcpServers: [server],
    credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo agent" },
    clock,
    onError: (error) => errors.push(error),
  });
  const runtime = { ...createTestRuntime(runTurn, { clock }), clock };
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  return {
    runtime,
    ada,
    errors,
    send: (conversationId = "c1", body = {}) => ada.send(conversationId, body),
    async answer(stream, action, content) {
      const { elicitationId } = await stream.request();
      const answer = { elicitationId, action, ...(content !== undefined && { content }) };
      const response = await ada.answer("c1", answer);
      if (!response.ok) throw new Error(await response.text());
      return response;
    },
    results: () => JSON.stringify(toolResultsSeen(model)),
  };
}

/** Advances the clock until the promise is settled, because polls wait for it. */
export async function passing<T>({ runtime }: McpChat, promise: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const result = promise.finally(() => settled.abort());
  while (!settled.signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    runtime.clock.advance(200);
  }
  return result;
}
