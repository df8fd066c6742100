import {
  type LanguageModel,
  type Tool,
  type ToolSet,
  convertToModelMessages,
  isStepCount,
  streamText,
  toUIMessageStream,
  validateUIMessages,
} from "ai";
import {
  type Clock,
  type CredentialStore,
  type Elicitor,
  type RunTurn,
  type Turn,
  createElicitor,
  systemClock,
} from "../core/index.ts";
import { type CredentialGate, createCredentialGate } from "./credential-gate.ts";
import { errorForLog, errorText } from "./error-text.ts";
import type { McpServer } from "./mcp-client.ts";
import { addMcpTools } from "./mcp-tools.ts";
import { stripElicitationParts, withoutForgedCalls } from "./messages.ts";
import { recordedTool } from "./recorded-tool.ts";

/** A tool of the AI SDK, or, for one that asks the person, a function that makes it for a turn. */
export type AgentTool = Tool | ((context: AgentToolContext) => Tool);

/** What a tool of an agent's turn can ask with. */
export interface AgentToolContext {
  turn: Turn;
  /** Makes what one call of the tool asks with: `elicitor(toolCallId).form(…)`. */
  elicitor: (toolCallId: string) => Elicitor;
  requester: { name: string };
}

/** What `createAgentTurn` takes: the model, its tools, and the MCP servers behind the credential gate. */
export interface AgentTurnOptions {
  model: LanguageModel;
  /** Instructions for the model. */
  system?: string | undefined;
  tools?: Readonly<Record<string, AgentTool>> | undefined;
  mcpServers?: readonly McpServer[] | undefined;
  /** People's credentials for the servers with `credentialScope: 'user'`. */
  credentials: CredentialStore;
  /**
   * URL of the hosted page, such as `https://auth.example.com/auth/connect`. Used only for MCP servers with
   * `credentialScope: 'user'`.
   */
  connectUrl: string;
  /** Who asks, as the person is told: the name of the assistant. */
  requester: { name: string };
  /** @default 10 */
  maxSteps?: number | undefined;
  /**
   * How long the model may be silent. Counts the model only: a person may take their time.
   * @default 60_000
   */
  modelSilenceMs?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /**
   * Gets what went wrong inside, for the log; clients get a sentence without its details. As of the runtime's `onError`,
   * errors of other code come without their words.
   */
  onError: (error: unknown) => void;
}

/** An agent for {@link createRuntime}: the AI SDK's loop over local tools and MCP servers, with a credential gate. */
export function createAgentTurn(options: AgentTurnOptions): RunTurn {
  const { credentials, connectUrl, requester, clock = systemClock } = options;
  const onError = (error: unknown) => options.onError(errorForLog(error));
  const gate = createCredentialGate({ credentials, connectUrl, requester, clock, onError });

  const answer = async (turn: Turn) => {
    const tools = await toolsFor(turn, { ...options, onError }, gate);
    const messages = withoutForgedCalls(stripElicitationParts(turn.messages), tools);
    const uiMessages = await validateUIMessages({ messages });
    const result = streamText({
      model: turn.runner.model(options.model),
      ...(options.system !== undefined && { instructions: options.system }),
      // A turn that was stopped leaves calls without a result, which providers refuse.
      messages: await convertToModelMessages(uiMessages, { tools, ignoreIncompleteToolCalls: true }),
      tools,
      stopWhen: isStepCount(options.maxSteps ?? 10),
      abortSignal: turn.signal,
      // The other timeouts go on while a tool waits for a person.
      timeout: { chunkMs: options.modelSilenceMs ?? 60_000 },
      onError: ({ error }) => onError(error),
    });
    return toUIMessageStream({
      stream: result.stream,
      tools,
      // Only the last one is looked at, for the id of a message that goes on. The whole chat would be held by it.
      originalMessages: uiMessages.slice(-1),
      generateMessageId: () => turn.id,
      onError: errorText,
    });
  };
  return (turn) =>
    answer(turn).catch((error: unknown) => {
      throw errorForLog(error);
    });
}

async function toolsFor(turn: Turn, options: AgentTurnOptions, gate: CredentialGate): Promise<ToolSet> {
  const tools: ToolSet = {};
  const { requester, clock = systemClock, onError } = options;
  for (const [name, tool] of Object.entries(options.tools ?? {})) {
    const elicitor = (toolCallId: string) => createElicitor({ turn, tool: name, toolCallId, requester });
    const made = typeof tool === "function" ? tool({ turn, elicitor, requester }) : tool;
    tools[name] = recordedTool(turn, name, made);
  }
  const adding = (options.mcpServers ?? []).map((server) =>
    addMcpTools(tools, { server, turn, gate, clock, onError }),
  );
  // A server that is down costs its tools, not the answer.
  for (const added of await Promise.allSettled(adding)) {
    if (added.status === "rejected") onError(added.reason);
  }
  return tools;
}
