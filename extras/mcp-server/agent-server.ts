import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { isObject } from "../../src/contract/json.ts";
import { createPeerErrors } from "../../src/base/peer-errors.ts";
import { cardRunOf, formViewOf } from "./app/card-run.ts";
import type { Cards } from "./app/card-server.ts";
import { CARD_EXTENSION, CARD_RESOURCE, CARD_URI, readCard } from "./app/create-server.ts";
import { type AgentCall, type McpCaller, callerKey } from "./agent-calls.ts";
import type { LegacyCall } from "./legacy-calls.ts";
import { clientModes, revisionOf } from "./presentation.ts";
import { progressOf } from "./turn-reply.ts";
import type { RoundCall } from "./round-calls.ts";
import type { TaskCalls } from "./task-calls.ts";
import { serveTasks, supportsTasks } from "./task-endpoints.ts";

/** The options of a server for one connection, or for one HTTP request in 2026. */
export interface AgentServerOptions {
  readonly info: { name: string; title?: string; version: string };
  readonly instructions: string | undefined;
  readonly tool: { name: string; title: string; description: string };
  readonly tasks: TaskCalls;
  readonly callInRounds: (call: RoundCall) => Promise<CallToolResult | InputRequiredResult>;
  readonly callOnConnection: (call: LegacyCall) => Promise<CallToolResult>;
  /** Shows cards in hosts with MCP Apps that lack elicitation. */
  readonly cards: Cards | undefined;
  readonly onError: (error: unknown) => void;
}

const INTERNAL = "The agent failed to handle the request.";
const MAX_MESSAGE_LENGTH = 100_000;
/** An id without the characters that separate parts of longer ids. */
const CONVERSATION_PATTERN = /^[\w-]{1,128}$/;

/** Builds the MCP server for one caller. */
export function buildAgentServer(
  { info, instructions, tool, tasks, callInRounds, callOnConnection, cards, onError }: AgentServerOptions,
  { caller, era }: { caller: McpCaller; era: "legacy" | "modern" },
): Server {
  const server = new Server(info, {
    capabilities: { tools: {} },
    ...(instructions !== undefined && { instructions }),
  });
  const { guard } = createPeerErrors({
    isOfProtocol: (error) => error instanceof ProtocolError,
    internal: () => new ProtocolError(ProtocolErrorCode.InternalError, INTERNAL),
    onError,
  });
  const parked = new Map<string, string>();
  const tools = { tools: [definitionOf(tool)] };
  const around = cards?.around({
    server,
    uri: CARD_URI,
    // A service account gets no questions, and its calls belong to no user.
    subjectOf: () => caller.user && callerKey(caller),
    listed: () => tools,
  });
  if (era === "modern") {
    serveTasks(server, tasks, { caller, guard, formViewOf: (ctx) => around?.formViewOf(ctx) });
  }
  server.setRequestHandler("tools/list", (_, ctx) => around?.list(tools, ctx) ?? tools);
  server.setRequestHandler("tools/call", (request, ctx) =>
    guard(
      async () =>
        around?.call(request, ctx, ({ params }, round) => callTool(params, round)) ??
        callTool(request.params, ctx),
    ),
  );
  if (around !== undefined) {
    server.registerCapabilities({ resources: {}, extensions: CARD_EXTENSION });
    const card = { name: "elicitation-card", uri: CARD_URI, ...CARD_RESOURCE };
    server.setRequestHandler("resources/list", () => ({ resources: [card] }));
    server.setRequestHandler("resources/read", ({ params }) => {
      if (params.uri === CARD_URI) return readCard(info);
      throw invalid(`There is no resource ${JSON.stringify(params.uri)}.`);
    });
  }

  async function callTool(
    params: CallToolRequest["params"],
    ctx: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    if (params.name !== tool.name) throw invalid(`There is no tool ${JSON.stringify(params.name)}.`);
    const card = cardRunOf(ctx);
    const modern = era === "modern" || card !== undefined;
    const envelope: unknown = ctx.mcpReq.envelope;
    const inEnvelope = isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
    const capabilities: unknown = modern ? inEnvelope : server.getClientCapabilities();
    const revision = modern ? "2026-07-28" : revisionOf(server.getNegotiatedProtocolVersion());
    const call: AgentCall = {
      ...readArguments(params.arguments),
      caller,
      modes: clientModes(capabilities, revision),
      revision,
      formView: formViewOf(ctx),
      signal: ctx.mcpReq.signal,
      progress: card?.progress ?? progressOf(ctx, onError),
      card,
    };
    if (modern) {
      const { requestState: readState, inputResponses } = ctx.mcpReq;
      const requestState = readState<string>();
      const isNew = requestState === undefined && call.message !== undefined;
      // A task is looked up by its user.
      if (isNew && caller.user !== undefined && supportsTasks(capabilities)) return tasks.start(call);
      return callInRounds({ ...call, requestState, inputResponses });
    }
    if (!call.modes.declared)
      return callInRounds({ ...call, requestState: undefined, inputResponses: undefined });
    return callOnConnection({
      ...call,
      parked,
      elicit: (elicitation, { signal, timeoutMs }) =>
        ctx.mcpReq.send(
          { method: "elicitation/create", params: { ...elicitation } },
          { signal, timeout: Math.min(Math.max(timeoutMs, 1), 2 ** 31 - 1) },
        ),
      complete: (elicitationId) =>
        ctx.mcpReq
          .notify({ method: "notifications/elicitation/complete", params: { elicitationId } })
          .catch(onError),
    });
  }

  return server;
}

function definitionOf({ name, title, description }: AgentServerOptions["tool"]): Tool {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: "object",
      properties: {
        message: { type: "string", maxLength: MAX_MESSAGE_LENGTH, description: "What to ask the agent." },
        conversationId: {
          type: "string",
          pattern: CONVERSATION_PATTERN.source,
          description:
            "The conversation that the message belongs to: the conversationId of an earlier result. Without a message, the call continues what that result was waiting for.",
        },
      },
    },
  };
}

function readArguments(given: unknown): Pick<AgentCall, "message" | "conversationId"> {
  const members = isObject(given) ? given : {};
  // Models send null or an empty text for an argument that they leave out.
  const message = members["message"] ?? undefined;
  const conversationId = members["conversationId"] || undefined;
  const hasMessage = typeof message === "string" && message.trim() !== "";
  if (message !== undefined && typeof message !== "string") throw invalid("message must be text.");
  if (hasMessage && message.length > MAX_MESSAGE_LENGTH) {
    throw invalid(`message must have at most ${MAX_MESSAGE_LENGTH} characters.`);
  }
  if (conversationId === undefined) {
    if (!hasMessage) throw invalid("message is missing.");
    return { message, conversationId };
  }
  if (typeof conversationId !== "string" || !CONVERSATION_PATTERN.test(conversationId)) {
    throw invalid("conversationId must be the conversationId of an earlier result.");
  }
  return { message: hasMessage ? message : undefined, conversationId };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
