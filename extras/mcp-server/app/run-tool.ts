import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { HandedRound } from "../../../src/mcp/wire/app.ts";
import { withCardRun } from "./card-run.ts";
import type { RunRound } from "./drive.ts";

export type CallHandler = (
  request: CallToolRequest,
  ctx: ServerContext,
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;

/** The options for running a tool. */
export interface ToolRun {
  readonly ctx: ServerContext;
  readonly inner: CallHandler;
  /** Whether the tool can ask with forms. */
  readonly forms: boolean;
  /** Whether the call may continue an earlier one of its client. @default false */
  readonly continues?: boolean;
}

/** Runs a tool as a client of MCP 2026-07-28 would call it, whatever the revision of the real client. */
export function runnerOf(
  { tool, arguments: args }: Pick<HandedRound, "tool" | "arguments">,
  { ctx, inner, forms, continues = false }: ToolRun,
): RunRound {
  const modes = forms ? { form: {}, url: {} } : { url: {} };
  const request: CallToolRequest = { method: "tools/call", params: { name: tool, arguments: { ...args } } };
  return async ({ requestState, responses, signal }, run) => {
    const isFirst = continues && requestState === undefined;
    const mcpReq = Object.assign({}, ctx.mcpReq, {
      envelope: {
        ...ctx.mcpReq.envelope,
        [PROTOCOL_VERSION_META_KEY]: "2026-07-28",
        [CLIENT_CAPABILITIES_META_KEY]: { elicitation: modes },
      },
      inputResponses: { ...(isFirst ? ctx.mcpReq.inputResponses : responses) },
      requestState: () => (isFirst ? ctx.mcpReq.requestState() : requestState),
      signal,
    });
    return inner(request, withCardRun(Object.assign({}, ctx, { mcpReq }), run));
  };
}
