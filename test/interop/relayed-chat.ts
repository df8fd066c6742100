import type { Clock } from "../../src/base/clock.ts";
import { type AgentTurnOptions, createAgentTurn } from "../../src/agent/index.ts";
import type { RuntimeOptions } from "../../src/runtime/index.ts";
import {
  type Credential,
  type CredentialStore,
  createMemoryCredentials,
} from "../../src/connect/ports/credentials.ts";
import { type ChatClient, type ReadStream, createChatClient } from "../stages/chat-client.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../stages/scripted-model.ts";
import { type TestRuntime, createTestRuntime } from "../stages/test-runtime.ts";

/** A chat of Ada whose agent calls third-party servers. */
export interface RelayedChat {
  runtime: TestRuntime;
  ada: ChatClient;
  credentials: CredentialStore;
  errors: unknown[];
  /** Sends a message and reads the turn. */
  send(conversationId?: string, body?: Record<string, unknown>): Promise<ReadStream>;
  /** Answers the open request at `index`. */
  answer(
    stream: ReadStream,
    action: "accept" | "decline" | "cancel",
    content?: Record<string, unknown>,
    index?: number,
  ): Promise<Response>;
  /** The tools' results, as the model got them. */
  results(): string;
}

export interface RelayedChatOptions extends Pick<AgentTurnOptions, "mcpServers" | "a2aAgents"> {
  /** The steps of the model, such as `{ srv_ask: {} }`. */
  steps: readonly Step[];
  /** Ada's credential for the server with this name. */
  credential?: { server: string; value: Credential | undefined };
  clock: Clock;
  runtime?: Partial<RuntimeOptions>;
}

export function createRelayedChat(options: RelayedChatOptions): RelayedChat {
  const { mcpServers, a2aAgents, steps, credential, clock } = options;
  const errors: unknown[] = [];
  const credentials = createMemoryCredentials();
  if (credential?.value !== undefined) void credentials.set(credential.server, "ada", credential.value);
  const model = createScriptedModel(...steps);
  const runTurn = createAgentTurn({
    model,
    mcpServers,
    a2aAgents,
    credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo agent" },
    clock,
    onError: (error) => errors.push(error),
  });
  const runtime = createTestRuntime(runTurn, {
    ...options.runtime,
    ports: { clock, ...options.runtime?.ports },
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  return {
    runtime,
    ada,
    credentials,
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
