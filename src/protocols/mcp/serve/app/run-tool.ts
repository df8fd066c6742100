import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { HandedRound } from "../../wire/app.ts";
import { withCardRun } from "./card-run.ts";
import type { RunRound } from "./drive.ts";

/** Handles `tools/call`. */
export type CallHandler = (
  request: CallToolRequest,
  ctx: ServerContext,
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;

/** Runs a tool as a client of MCP 2026-07-28 calls it, whatever the real one is. */
export function runnerOf(
  { tool, arguments: args }: Pick<HandedRound, "tool" | "arguments">,
  { ctx, inner, pagesOnly }: { ctx: ServerContext; inner: CallHandler; pagesOnly: readonly string[] },
): RunRound {
  const modes = pagesOnly.includes(tool) ? { url: {} } : { form: {}, url: {} };
  const request: CallToolRequest = { method: "tools/call", params: { name: tool, arguments: { ...args } } };
  return async ({ requestState, responses, signal }, run) => {
    const mcpReq = Object.assign({}, ctx.mcpReq, {
      envelope: {
        ...ctx.mcpReq.envelope,
        [PROTOCOL_VERSION_META_KEY]: "2026-07-28",
        [CLIENT_CAPABILITIES_META_KEY]: { elicitation: modes },
      },
      inputResponses: { ...responses },
      requestState: () => requestState,
      signal,
    });
    return inner(request, withCardRun(Object.assign({}, ctx, { mcpReq }), run));
  };
}
