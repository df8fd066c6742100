import type { ModelMessage, ToolSet, streamText } from "ai";
import { isObject } from "../contract/json.ts";
import { ToolFailure } from "../base/tool-failure.ts";
import { type Turn, askFirst, createElicitor } from "../runtime/index.ts";

/** The setting of `streamText` that decides which calls need approval. */
export type ToolApproval = NonNullable<Parameters<typeof streamText>[0]["toolApproval"]>;

/** A tool of the AI SDK, or its call before it becomes one. */
export type AskableTool = Parameters<typeof askFirst>[0] & { readonly needsApproval?: unknown };

/** {@link withApproval} for the tools of a turn. */
export type Approve = <T extends AskableTool>(name: string, tool: T) => T;

export interface ApprovalOptions {
  readonly turn: Turn;
  readonly toolApproval: ToolApproval | undefined;
  /** All tools of the turn, for a `toolApproval` that is a function. */
  readonly tools: ToolSet;
  readonly requester: { readonly name: string };
}

/**
 * Lets a tool ask on a card, in the same turn, where `toolApproval` of the agent or `needsApproval` of the tool wants the
 * user's approval. The AI SDK would end the run, and would run a call that a client claims was approved.
 */
export function withApproval<T extends AskableTool>(name: string, tool: T, options: ApprovalOptions): T {
  const { turn, requester } = options;
  const decide = deciderOf(name, tool, options);
  if (decide === undefined || tool.execute === undefined) return tool;
  // The SDK must not ask as well.
  const plain: T = Object.defineProperties({ ...tool }, Object.getOwnPropertyDescriptors(tool));
  Object.defineProperty(plain, "needsApproval", { value: undefined });
  const asking = askFirst(plain, {
    async when(input, call) {
      const { type, reason } = await decide(input, { messages: [], ...call });
      if (type !== "denied") return type === "user-approval";
      throw new ToolFailure(`Tool execution denied${reason === undefined ? "." : `: ${reason}`}`);
    },
  });
  return asking({
    elicitor: (toolCallId) => createElicitor({ turn, tool: name, toolCallId, requester }),
  });
}

interface Status {
  readonly type: string;
  readonly reason?: string | undefined;
}

type Decide = (
  input: unknown,
  call: { readonly toolCallId: string; readonly messages: ModelMessage[] },
) => Promise<Status>;

/** As the AI SDK decides: `toolApproval` comes before `needsApproval`. `undefined`: no call of the tool needs approval. */
function deciderOf(
  name: string,
  tool: AskableTool,
  { toolApproval, tools }: ApprovalOptions,
): Decide | undefined {
  if (typeof toolApproval === "function") {
    return async (input, { toolCallId, messages }) =>
      statusOf(
        await toolApproval({
          toolCall: { type: "tool-call", toolCallId, toolName: name, input, dynamic: true },
          tools,
          toolsContext: {},
          messages,
          runtimeContext: {},
        }),
      );
  }
  const own: unknown =
    toolApproval !== undefined && Object.hasOwn(toolApproval, name) ? toolApproval[name] : undefined;
  if (own !== undefined && own !== null) {
    return async (input, call) =>
      statusOf(typeof own === "function" ? await Reflect.apply(own, undefined, [input, call]) : own);
  }
  const { needsApproval } = tool;
  if (needsApproval === undefined || needsApproval === false) return undefined;
  return async (input, call) => {
    const isNeeded =
      typeof needsApproval === "function"
        ? await Reflect.apply(needsApproval, tool, [input, call])
        : needsApproval;
    return { type: isNeeded ? "user-approval" : "not-applicable" };
  };
}

/** An unknown status asks the user, because a later version of the AI SDK may have a stricter one. */
export function statusOf(status: unknown): Status {
  if (status === undefined || status === null) return { type: "not-applicable" };
  const { type = "user-approval", reason } = isObject(status) ? status : { type: status };
  const known = ["not-applicable", "approved", "denied"].find((one) => one === type) ?? "user-approval";
  return { type: known, ...(typeof reason === "string" && { reason }) };
}
