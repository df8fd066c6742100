import {
  type LanguageModel,
  type ModelMessage,
  type Tool,
  type ToolSet,
  asSchema,
  convertToModelMessages,
  isStepCount,
  streamText,
  toUIMessageStream,
  validateUIMessages,
} from "ai";
import {
  type Elicitor,
  type RunTurn,
  type Telemetry,
  type Turn,
  createElicitor,
  historyForModel,
} from "../runtime/index.ts";
import { accountIds, type CredentialStore } from "../connect/ports/credentials.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { safeLog } from "../base/foreign-error.ts";
import { type ApprovalKeys, createApprovalKeys } from "./approval-keys.ts";
import { createAccountChoices } from "./account-choices.ts";
import { type AccountOptions, type FindAccount, createTurnAccounts } from "./accounts.ts";
import type { A2aAgent } from "./a2a/a2a-agent.ts";
import { addA2aTool, checkAgents } from "./a2a/a2a-tools.ts";
import { createAgentGate } from "./credentials/agent-gate.ts";
import type { CredentialMessage } from "./credentials/gate-texts.ts";
import type { CredentialGate } from "./credentials/credential-gate.ts";
import { errorForLog, errorText } from "./error-text.ts";
import { withoutApprovals, withUniqueCallIds } from "./unique-call-ids.ts";
import { type McpProcesses, createMcpProcesses } from "./mcp/mcp-processes.ts";
import { type McpRevisions, createMcpRevisions } from "./mcp/mcp-revisions.ts";
import { addMcpTools, skipMcpTools } from "./mcp/mcp-tools.ts";
import { createToolBudget } from "./mcp/tool-budget.ts";
import { createToolNames } from "./mcp/tool-names.ts";
import { recordedTool } from "./recorded-tool.ts";
import { type McpServers, findTurnServers } from "./mcp/turn-servers.ts";
import { untilNothingIsOpen } from "./background-loop.ts";
import { type Approve, type ToolApproval, withApproval } from "./tool-approval.ts";

/** A tool of the AI SDK, or a function that creates the tool for a turn, if the tool asks the user. */
export type AgentTool = Tool | ((context: AgentToolContext) => Tool);

/** The argument of an {@link AgentTool} function. */
export interface AgentToolContext {
  turn: Turn;
  /** Creates the elicitor for one call of the tool: `elicitor(toolCallId).form(…)`. */
  elicitor: (toolCallId: string) => Elicitor;
  /**
   * Finds one of the `accounts` of the agent for one call of the tool. If the user has not connected it, its first use asks
   * them to: `account("github", toolCallId).fetch("/user/repos")`.
   */
  account: FindAccount;
  requester: { name: string };
}

/** The settings of `streamText` that an agent can have. */
export type StreamSettings = Pick<
  Parameters<typeof streamText>[0],
  | "providerOptions"
  | "temperature"
  | "topP"
  | "topK"
  | "maxOutputTokens"
  | "seed"
  | "stopSequences"
  | "presencePenalty"
  | "frequencyPenalty"
  | "maxRetries"
  | "headers"
  | "toolApproval"
  | "toolChoice"
  | "activeTools"
  | "prepareStep"
  | "experimental_transform"
  | "onStepFinish"
  | "onFinish"
>;

/** The options of `createAgentTurn`: the model, its tools, and the MCP servers behind the credential gate. */
export interface AgentTurnOptions {
  /** The model, or a function that chooses one for each turn. */
  model: LanguageModel | ((turn: Turn) => LanguageModel | Promise<LanguageModel>);
  /**
   * Settings of `streamText`, or a function that chooses them for each turn. Options that the agent itself needs cannot
   * be set: tools, messages, abort signal, stop condition and timeouts. A call that needs the user's approval
   * (`toolApproval`) asks on a card and continues in the same turn.
   */
  settings?: StreamSettings | ((turn: Turn) => StreamSettings | Promise<StreamSettings>) | undefined;
  /** Instructions for the model. */
  system?: string | undefined;
  tools?: Readonly<Record<string, AgentTool>> | undefined;
  /**
   * The MCP servers whose tools the agent may call: a list, or a function that returns those of a user, called at the
   * start of each turn. `inspectMcpServer` creates an entry from a URL that a user has typed.
   */
  mcpServers?: McpServers | undefined;
  /** The A2A agents that the agent may call. Each is one tool. */
  a2aAgents?: readonly A2aAgent[] | undefined;
  /**
   * The services whose accounts the tools use, by the names of their providers on the hosted page. An account must not have
   * the name of an MCP server or an A2A agent.
   */
  accounts?: Readonly<Record<string, AccountOptions>> | undefined;
  /** Users' credentials. Needed for `accounts`, and for MCP servers and A2A agents with `credentialScope: 'user'`. */
  credentials?: CredentialStore | undefined;
  /**
   * URL of the hosted page, such as `https://auth.example.com/auth/connect`. Needed for `accounts`, and for MCP servers and
   * A2A agents with `credentialScope: 'user'`.
   */
  connectUrl?: string | undefined;
  /** The name of the assistant, shown to the user as the requester. */
  requester: { name: string };
  /**
   * Returns the message of the card that asks for an account or an API key.
   * @default a message in the user's language with the names of the assistant, the service and the tool
   */
  credentialMessage?: CredentialMessage | undefined;
  /**
   * The version of your application, such as its commit. During a deployment, turns continue in processes of the version
   * that began them, as long as such processes exist. The names and the input schemas of `tools` are part of the version
   * as well.
   */
  version?: string | undefined;
  /**
   * How many steps the model makes for a message, and again for each answer that it gets in the background.
   * @default 10
   */
  maxSteps?: number | undefined;
  /**
   * How long the model may be silent, in milliseconds. Time in which the turn waits for the user does not count.
   * @default 60_000
   */
  modelSilenceMs?: number | undefined;
  /** The `telemetry` of the runtime. Its meter counts the calls that servers refuse because of the credential. */
  telemetry?: Pick<Telemetry, "meter"> | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /**
   * Called with internal errors, for the log; clients get no details. As with the runtime's `onError`, errors of
   * third-party code come without their message.
   */
  onError: (error: unknown) => void;
}

/**
 * Creates an agent for {@link createRuntime}: the AI SDK's loop over local tools and MCP servers, with a credential gate.
 *
 * @example
 * const runTurn = createAgentTurn({
 *   model,
 *   system: elicitationRules,
 *   tools: {
 *     book: ({ elicitor }) =>
 *       tool({
 *         description: "Books a trip",
 *         inputSchema: z.object({ city: z.string() }),
 *         async execute({ city }, { toolCallId }) {
 *           const nights = await elicitor(toolCallId).number(`How many nights in ${city}?`);
 *           return nights.outcome === "accepted" ? book(city, nights.value) : nights.text;
 *         },
 *       }),
 *   },
 *   mcpServers: [
 *     { name: "weather", url: "https://weather.example.com/mcp", service: "Weather", credentialScope: "none" },
 *   ],
 *   requester: { name: "Travel assistant" },
 *   onError: console.error,
 * });
 * const runtime = createRuntime({ runTurn, authenticate, allowedOrigins, onError: console.error });
 *
 * @throws if a server or an agent acts for the user, and `credentials` or `connectUrl` is missing, and for a key of
 * `toolApproval` that can name no tool, if `settings` and `mcpServers` are no functions
 */
export function createAgentTurn(options: AgentTurnOptions): RunTurn {
  const { clock = systemClock } = options;
  checkAgents(options.a2aAgents ?? [], options.mcpServers, accountNames(options.accounts));
  const onError = safeLog(options.onError, errorForLog);
  const gate = createAgentGate({ ...options, clock, onError });
  const processes = createMcpProcesses(clock);
  const revisions = createMcpRevisions();
  const approvalKeys = createApprovalKeys(options, onError);
  if (typeof options.settings === "object") approvalKeys.ensurePossible(options.settings.toolApproval);

  const answer = async (turn: Turn) => {
    const settings = typeof options.settings === "function" ? await options.settings(turn) : options.settings;
    const { toolApproval, ...streamSettings } = settings ?? {};
    approvalKeys.ensurePossible(toolApproval);
    const shared = { processes, revisions, toolApproval, approvalKeys };
    const tools = await toolsFor(turn, { ...options, onError }, gate, shared);
    const messages = historyForModel(withoutApprovals(turn.messages));
    const uiMessages = await validateUIMessages({ messages });
    const callIds = new Map<string, number>();
    // Outside of the recorded model, so that recorded calls are counted when a turn runs again.
    const modelOf = (model: LanguageModel) => withUniqueCallIds(turn.runner.model(model), callIds);
    const model = typeof options.model === "function" ? await options.model(turn) : options.model;
    const { prepareStep } = streamSettings;
    const run = (modelMessages: ModelMessage[]) =>
      streamText({
        ...streamSettings,
        ...(prepareStep && { prepareStep: recordedStep(modelOf, prepareStep) }),
        model: modelOf(model),
        ...(options.system !== undefined && { instructions: options.system }),
        messages: modelMessages,
        tools,
        stopWhen: isStepCount(options.maxSteps ?? 10),
        abortSignal: turn.signal,
        // Other timeouts of the SDK would also run while a tool waits for the user.
        timeout: { chunkMs: options.modelSilenceMs ?? 60_000 },
        onError: ({ error }) => onError(error),
      });
    return untilNothingIsOpen(turn, {
      messages: await convertToModelMessages(uiMessages, { tools }),
      run,
      chunksOf: ({ stream }) =>
        toUIMessageStream({
          stream,
          tools,
          // The SDK reads only the last message, for the id of a continued message. Passing all would keep the chat in
          // memory.
          originalMessages: uiMessages.slice(-1),
          generateMessageId: () => turn.id,
          onError: errorText,
        }),
    });
  };
  const runTurn: RunTurn = (turn) =>
    answer(turn).catch((error: unknown) => {
      throw errorForLog(error);
    });
  return Object.assign(runTurn, { version: versionOf(options), close: () => processes.close() });
}

/** All names under which the credentials of accounts are stored: a user may have several at a service. */
function accountNames(accounts: AgentTurnOptions["accounts"] = {}): readonly string[] {
  return Object.keys(accounts).flatMap(accountIds);
}

/** A tool that is created for each turn counts by its name. */
function versionOf({ version, tools = {}, a2aAgents = [] }: AgentTurnOptions): string {
  const known = Object.entries(tools).map(([name, tool]) => [
    name,
    typeof tool === "function" ? undefined : asSchema(tool.inputSchema).jsonSchema,
  ]);
  return JSON.stringify([version, known, a2aAgents.map(({ name }) => name)]);
}

/**
 * A model that a step chooses is recorded like any other, because a durable turn must not call it again after a crash.
 */
function recordedStep(
  modelOf: (model: LanguageModel) => LanguageModel,
  prepareStep: NonNullable<StreamSettings["prepareStep"]>,
): NonNullable<StreamSettings["prepareStep"]> {
  return async (step) => {
    const prepared = await prepareStep(step);
    if (prepared?.model === undefined) return prepared;
    return { ...prepared, model: modelOf(prepared.model) };
  };
}

async function toolsFor(
  turn: Turn,
  options: AgentTurnOptions,
  gate: CredentialGate,
  {
    processes,
    revisions,
    toolApproval,
    approvalKeys,
  }: {
    processes: McpProcesses;
    revisions: McpRevisions;
    toolApproval: ToolApproval | undefined;
    approvalKeys: ApprovalKeys;
  },
): Promise<ToolSet> {
  const tools: ToolSet = {};
  const approve: Approve = (name, tool) => withApproval(name, tool, { turn, toolApproval, tools, requester });
  const { requester, accounts = {}, clock = systemClock, onError } = options;
  const choices = createAccountChoices({ turn, gate, requester, onError });
  const accountsOf = createTurnAccounts({ turn, accounts, gate, choices });
  const maySwitch = Object.values(accounts).some(({ several }) => several === true);
  for (const [name, tool] of Object.entries(options.tools ?? {})) {
    const elicitor = (toolCallId: string) => createElicitor({ turn, tool: name, toolCallId, requester });
    const made =
      typeof tool === "function" ? tool({ turn, elicitor, account: accountsOf(name), requester }) : tool;
    tools[name] = recordedTool(turn, name, {
      tool: approve(name, made),
      changes: maySwitch ? choices : undefined,
      onError,
    });
  }
  const agents = options.a2aAgents ?? [];
  const taken = new Set(agents.map(({ name }) => name));
  const servers = await findTurnServers(
    turn,
    options.mcpServers ?? [],
    onError,
    new Set([...taken, ...accountNames(accounts)]),
  );
  const toolNames = createToolNames(tools, [...taken, ...servers.map(({ name }) => name)]);
  const markDoubted = approvalKeys.inTurn({ toolApproval, toolNames });
  const budget = createToolBudget(onError);
  const adding = servers.map(({ name, server }) =>
    server === undefined
      ? skipMcpTools(turn, name)
      : addMcpTools(tools, {
          server,
          turn,
          gate,
          accounts: choices,
          approve,
          markDoubted,
          requester,
          toolNames,
          budget,
          processes,
          revisions,
          clock,
          onError,
        }),
  );
  // If a server is down, the turn runs without its tools.
  for (const added of await Promise.allSettled(adding)) {
    if (added.status === "rejected") onError(added.reason);
  }
  for (const agent of agents) {
    const { name } = agent;
    addA2aTool(tools, { agent, turn, gate, clock, onError });
    const added = tools[name];
    if (added !== undefined) tools[name] = approve(name, added);
  }
  return tools;
}
