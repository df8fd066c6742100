import { type ToolExecutionOptions, type ToolSet, dynamicTool, jsonSchema } from "ai";
import { isObject } from "../../contract/json.ts";
import { type A2aRelayedCall, createA2aRelay } from "../../a2a/relay/relay.ts";
import { isA2aRelayError } from "../../a2a/relay/interrupts.ts";
import { type TaskView, resultText, textOfParts } from "../../a2a/wire/task-view.ts";
import type { Turn } from "../../runtime/index.ts";
import type { CredentialInUse } from "../credentials/credential-in-use.ts";
import type { Clock } from "../../base/clock.ts";
import { reasonOf } from "../../base/foreign-error.ts";
import type { A2aAgent } from "./a2a-agent.ts";
import { connectA2a } from "./a2a-client.ts";
import type { CredentialGate } from "../credentials/credential-gate.ts";
import { ToolFailure, isToolFailure } from "../../base/tool-failure.ts";
import { createProgress } from "../progress.ts";
import { callOf } from "../recorded-tool.ts";
import { CredentialRefused } from "../credentials/refused-call.ts";
import type { McpServers } from "../mcp/turn-servers.ts";
import { KitError } from "../../contract/kit-error.ts";

interface AddingAgent {
  agent: A2aAgent;
  turn: Turn;
  gate: CredentialGate;
  clock: Clock;
  onError: (error: unknown) => void;
}

const NAME = /^[\w-]{1,64}$/;
const SILENCE_MS = 300_000;
/** The limit for a result, because results stay in the conversation that the model reads. */
const MAX_OUTPUT_LENGTH = 256 * 1024;
const MAX_ERROR_LENGTH = 2000;
const INPUT = {
  type: "object",
  properties: {
    message: {
      type: "string",
      description:
        "What the agent is to do, with all that it needs to know. It does not see this conversation.",
    },
  },
  required: ["message"],
  additionalProperties: false,
} as const;

/** The result of a call. It is recorded, so that a turn that runs again finds the conversation. */
interface Called {
  /** The conversation with the agent. */
  readonly contextId?: string | undefined;
  readonly text?: string;
  /** The text of a {@link ToolFailure}. */
  readonly failure?: string;
}

const isRefusal: A2aRelayedCall["isRefusal"] = (error) => error instanceof CredentialRefused;

/** Throws if two agents, or an agent and an MCP server, have the same name. */
export function checkAgents(
  agents: readonly A2aAgent[],
  servers: McpServers | undefined,
  accounts: readonly string[],
): void {
  const taken = new Set(typeof servers === "object" ? servers.map(({ name }) => name) : []);
  const shared = accounts.find((name) => taken.has(name));
  if (shared !== undefined) throw sharedName(shared);
  for (const name of accounts) taken.add(name);
  for (const { name } of agents) {
    if (!NAME.test(name)) {
      throw new KitError(
        `elicit-kit: an A2A agent is named ${JSON.stringify(name)}. Its name is the name of a tool, so use at most 64 letters, digits, _ and -.`,
      );
    }
    if (taken.has(name)) throw sharedName(name);
    taken.add(name);
  }
}

function sharedName(name: string): KitError {
  return new KitError(
    `elicit-kit: two of \`a2aAgents\`, \`mcpServers\` and \`accounts\` are named "${name}". Give each a name of its own: credentials are stored under it.`,
  );
}

export function addA2aTool(tools: ToolSet, { agent, turn, gate, clock, onError }: AddingAgent): void {
  const { name, service, credentialScope, silenceMs = SILENCE_MS } = agent;
  if (Object.hasOwn(tools, name)) {
    throw new KitError(
      `elicit-kit: the A2A agent "${name}" has the name of another tool. Rename one of them in \`tools\`, \`mcpServers\` or \`a2aAgents\`.`,
    );
  }
  // The card names the required scopes. It is read at the call.
  const { signIn = agent.apiKey === undefined ? "on-demand" : "first" } = agent;
  const gated = { ...agent, signIn };
  /** The conversation with the agent, for later calls of this turn. */
  let contextId: string | undefined;

  async function call(
    text: string,
    options: ToolExecutionOptions<unknown>,
    onProgress: (text: string) => void,
  ): Promise<Called> {
    const signal = options.abortSignal ?? turn.signal;
    const { toolCallId } = options;
    const relay = createA2aRelay({ turn, agent, toolName: name, toolCallId, clock, silenceMs, onError });
    const work = async (credential: CredentialInUse | undefined) => {
      const connection = await connectA2a(agent, {
        user: turn.user,
        languages: turn.languages,
        credential,
        signal,
        clock,
      });
      return relay.call({ ...connection, text, contextId, signal, isRefusal, onProgress });
    };
    const result =
      credentialScope === "user"
        ? await gate.run(
            { turn, server: gated, toolName: name, input: { message: text }, toolCallId, signal },
            work,
          )
        : { ok: true as const, value: await work(undefined) };
    if (!result.ok) return { text: result.text };
    if ("text" in result.value) return { text: result.value.text };
    const { task } = result.value;
    return { contextId: task.contextId, ...outputOf(task, service) };
  }

  tools[name] = dynamicTool({
    description: agent.description,
    inputSchema: jsonSchema(INPUT),
    async *execute(input, options) {
      const text = isObject(input) ? input["message"] : undefined;
      if (typeof text !== "string") throw new ToolFailure("The tool needs a text in `message`.");
      const progress = createProgress();
      const result = turn.runner
        .tool(callOf(turn, name, options.toolCallId), () => call(text, options, progress.add))
        .catch((error: unknown) => {
          const { aborted } = options.abortSignal ?? turn.signal;
          throw aborted ? error : inWords(error, service);
        })
        .finally(progress.end);
      result.catch(() => {});
      for await (const note of progress.notes) yield { progress: note };
      const called = await result;
      contextId = called.contextId ?? contextId;
      if (called.failure !== undefined) throw new ToolFailure(called.failure);
      yield called.text;
    },
  });
}

/** The part of a task that the model gets: its artifacts, or else the agent's last message. */
function outputOf(task: TaskView, service: string): Pick<Called, "text" | "failure"> {
  const { state, message } = task;
  const words = textOfParts(message?.parts);
  if (state === "canceled") return { text: `${service} has cancelled the task. ${words}`.trim() };
  if (state !== "completed") {
    const said = words === "" ? "It does not say why." : words.slice(0, MAX_ERROR_LENGTH);
    return { failure: `${service} ${state === "rejected" ? "does not do this" : "has failed"}. ${said}` };
  }
  const text = resultText(task);
  if (text.length > MAX_OUTPUT_LENGTH) {
    return { failure: `The result is too long to read: ${text.length} characters. Ask for less of it.` };
  }
  return { text: text === "" ? `${service} has finished and returned nothing.` : text };
}

/**
 * Describes a failure for the model and the user. The error itself may contain text from the agent, the SDK or a proxy.
 */
function inWords(error: unknown, service: string): unknown {
  if (isToolFailure(error)) return error;
  if (isA2aRelayError(error)) return new ToolFailure(error.message);
  return new ToolFailure(`The call to ${service} failed: ${reasonOf(error)}`);
}
