import type { CallToolResult, Client, Tool } from "@modelcontextprotocol/client";
import { z } from "zod";
import { type McpRelay, McpRelayError } from "../../mcp/relay/relay.ts";
import { isSendable } from "../../connect/ports/credentials.ts";
import { type Conceal, concealer } from "../credentials/conceal.ts";
import { ToolFailure } from "../../base/tool-failure.ts";
import { type Connected, type McpCaller, loadSdk } from "./mcp-sdk.ts";
import { withHttpClient } from "./mcp-http.ts";
import { type AttemptOptions, type Attempted, type McpRevisions } from "./mcp-revisions.ts";
import { taskIn } from "./mcp-tasks.ts";
import type { McpProcesses } from "./mcp-processes.ts";
import { type AgentMcpServer, secretsOf, valuesFor } from "./mcp-server.ts";
import { KitError } from "../../contract/kit-error.ts";
import { CredentialRefused, refusalIn } from "../credentials/refused-call.ts";

export interface McpCall extends McpCaller {
  /** Runs the servers that are processes. */
  processes: McpProcesses;
}

/** A tool call that may ask the user. */
export interface McpToolCall extends McpCall {
  /** The name of the tool at the server. */
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** Whether the server runs this tool only as a task (2025-11-25). */
  asTask?: boolean | undefined;
  /** Learns in which revision the tools of each server can ask. */
  revisions: McpRevisions;
  /** Absent if the server may not ask. */
  relay: McpRelay | undefined;
  /** Called when the server reports during the call that its list of tools has changed. */
  onListChanged?: (() => void) | undefined;
}

/** The SDK has no schemas for requests about tasks: the relay reads their results. */
const ANY_RESULT = z.looseObject({});
const MAX_ERROR_LENGTH = 2000;
/** How long a server may be silent during a call while no user thinks. */
const SILENCE_MS = 60_000;

/** The limit for all pages of a list, because every turn reads a list from each server. */
const MAX_LIST_MIB = 2;

/** Lists the tools of a server, with or without a credential. */
export async function listMcpTools(server: AgentMcpServer, call: McpCall): Promise<readonly Tool[]> {
  const { revision } = server;
  return withClient(server, { ...call, revision, maxMib: MAX_LIST_MIB }, false, async ({ client }) => {
    const { tools } = await client.listTools(undefined, { signal: call.signal });
    return tools;
  });
}

/** Calls a tool once. A question of the server belongs to the call of its client. */
export async function callMcpTool(server: AgentMcpServer, call: McpToolCall): Promise<CallToolResult> {
  const { tool, relay, revisions } = call;
  const mayAsk = relay?.capabilities.elicitation !== undefined;
  const result = await revisions.call(server, { tool, mayAsk }, (options) => attempt(server, call, options));
  const refusal = await refusalIn(result, server.service);
  if (refusal !== undefined) throw refusal;
  return result;
}

async function attempt(
  server: AgentMcpServer,
  call: McpToolCall,
  { revision, onlyIfAskable }: AttemptOptions,
): Promise<Attempted> {
  let era: Attempted["era"];
  let hasAsked = false;
  const [outcome] = await Promise.allSettled([
    callOnce(
      server,
      { ...call, revision },
      {
        onConnected({ client, isAskable }) {
          if (onlyIfAskable && !isAskable) {
            throw new KitError(`elicit-kit: ${server.service} keeps no session, so it cannot ask.`);
          }
          era = client.getProtocolEra();
        },
        onAsked() {
          hasAsked = true;
        },
      },
    ),
  ]);
  return { outcome, era, hasAsked };
}

interface CallWatch {
  /** Throws if the tool must not be called on this connection. */
  onConnected(connected: Connected): void;
  onAsked(): void;
}

async function callOnce(
  server: AgentMcpServer,
  call: McpToolCall,
  { onConnected, onAsked }: CallWatch,
): Promise<CallToolResult> {
  const { relay, signal, tool } = call;
  const params = { name: tool, arguments: { ...call.input } };
  // Before MCP 2026, the client has to request a task.
  const asTask = call.asTask === true ? { task: {} } : {};
  const follow = (client: Client) =>
    client.setNotificationHandler("notifications/tools/list_changed", () => call.onListChanged?.());
  if (relay === undefined) {
    return withClient(server, call, false, (connected) => {
      const { client } = connected;
      onConnected(connected);
      follow(client);
      return client.callTool(params, { signal });
    });
  }
  const { isCallToolResult } = await loadSdk();
  const { capabilities } = relay;
  return withClient(server, { ...call, capabilities }, true, async (connected) => {
    const { client, conceal, watched } = connected;
    onConnected(connected);
    follow(client);
    const called = await relay.call<CallToolResult>({
      client,
      signal,
      silenceMs: SILENCE_MS,
      conceal,
      onAsked,
      send: (leg) =>
        watched(({ lost, options: watching }) => {
          const signals = AbortSignal.any([leg.options.signal, lost]);
          const options = { ...leg.options, ...watching, signal: signals };
          return client.callTool({ ...params, ...asTask, ...leg.params }, options);
        }),
      tasks: {
        startedBy: taskIn,
        request(method, about, options) {
          const request = (more: Partial<typeof options> = {}) =>
            client.request({ method, params: about }, ANY_RESULT, { ...options, ...more });
          // Only `tasks/result` waits on its stream until the task has ended.
          if (method !== "tasks/result") return request();
          return watched(({ lost, options: watching }) =>
            request({ ...watching, signal: AbortSignal.any([options.signal, lost]) }),
          );
        },
        read(result) {
          if (isCallToolResult(result)) return result;
          throw new ToolFailure(`The task of ${server.service} ended with a result that cannot be read.`);
        },
      },
    });
    return "result" in called ? called.result : { content: [{ type: "text", text: called.text }] };
  });
}

/** `mayAsk`: whether the server may ask during this call. */
async function withClient<T>(
  server: AgentMcpServer,
  call: McpCall,
  mayAsk: boolean,
  use: (connected: Connected & { conceal: Conceal }) => Promise<T>,
): Promise<T> {
  const { user, credential, processes } = call;
  if (credential !== undefined && !isSendable(credential.accessToken)) {
    throw new CredentialRefused(`the credential for ${server.service} cannot be sent in a header.`);
  }
  const values = await valuesFor(server.command === undefined ? server.headers : server.env, user);
  const conceal = concealer(secretsOf(values), credential?.tokens);
  const used = async (connected: Connected) => conceal(await use({ ...connected, conceal }));
  try {
    if (server.command === undefined) return await withHttpClient(server, values, call, used);
    return await processes.use(server, { ...call, env: values, alone: mayAsk }, (client) =>
      used({ client, watched: unwatched, isAskable: true }),
    );
  } catch (error) {
    if (error instanceof CredentialRefused) throw error;
    if (error instanceof McpRelayError) throw new ToolFailure(conceal(error.message));
    throw inShort(error, conceal);
  }
}

/** Not watched for a process, because the SDK ends its requests when the process ends. */
const unwatched: Connected["watched"] = (request) =>
  request({ lost: new AbortController().signal, options: {} });

/** Shortens and conceals an error of a server. It goes to the model, may be very long, and may contain the credential. */
function inShort(error: unknown, conceal: Conceal): unknown {
  if (!(error instanceof Error)) return error;
  const message = conceal(error.message);
  if (message === error.message && message.length <= MAX_ERROR_LENGTH) return error;
  return new Error(`${error.name}: ${message.slice(0, MAX_ERROR_LENGTH)}…`);
}
