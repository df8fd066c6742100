import { type A2aAgent, createAgentTurn } from "../../../src/runtime/agent/index.ts";
import { type Credential, createMemoryCredentials, systemClock } from "../../../src/runtime/core/index.ts";
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
import { type TestRuntime, createTestRuntime } from "../../../src/runtime/testing/test-runtime.ts";

/** A chat whose agent asks one A2A agent, `travel`. */
export interface A2aChat {
  runtime: TestRuntime;
  ada: ChatClient;
  errors: unknown[];
  send(conversationId?: string, body?: Record<string, unknown>): Promise<ReadStream>;
  /** Answers the open request at `index`. */
  answer(
    stream: ReadStream,
    action: "accept" | "decline" | "cancel",
    content?: Record<string, unknown>,
    index?: number,
  ): Promise<Response>;
  /** What the model reads of the tools' results. */
  results(): string;
}

export const BOOK: readonly Step[] = [{ travel: { message: "Book a trip" } }, "Done."];

export function chatWith(
  url: string,
  steps: readonly Step[] = BOOK,
  options: Partial<A2aAgent> & { credential?: Credential; expiresInMs?: number } = {},
): A2aChat {
  const { credential, expiresInMs, ...agent } = options;
  const errors: unknown[] = [];
  const credentials = createMemoryCredentials();
  if (credential !== undefined) void credentials.set("travel", "ada", credential);
  const model = createScriptedModel(...steps);
  const runTurn = createAgentTurn({
    model,
    a2aAgents: [{ name: "travel", service: "Contoso Travel", url, description: "Books trips.", ...agent }],
    credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo agent" },
    onError: (error) => errors.push(error),
  });
  const runtime = createTestRuntime(runTurn, {
    clock: systemClock,
    ...(expiresInMs !== undefined && { expiresInMs }),
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  return {
    runtime,
    ada,
    errors,
    send: (conversationId = "c1", body = {}) => ada.send(conversationId, body),
    async answer(stream, action, content, index = 0) {
      const { elicitationId } = await stream.request(index);
      const answer = { elicitationId, action, ...(content !== undefined && { content }) };
      const response = await ada.answer("c1", answer);
      if (!response.ok) throw new Error(await response.text());
      return response;
    },
    results: () => JSON.stringify(toolResultsSeen(model)),
  };
}
