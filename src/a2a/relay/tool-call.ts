/** The types of {@link ApproveA2aTool}, which is public, apart from the SDK's types: that is an optional peer. */
import type { User } from "../../runtime/index.ts";
import type { ToolDecision } from "../wire/dialect.ts";

/** A tool call for which an A2A agent asks permission. The name, input and hint come from the agent. */
export interface A2aToolCall {
  /** `name` of the agent in `a2aAgents`. */
  readonly agent: string;
  /** Also the `toolCallId` of the approval events. The same when the turn runs again, so a decision can be found again. */
  readonly approvalId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The agent's reason for its calls. */
  readonly hint: string | undefined;
  /** Absent for an anonymous chat. */
  readonly user: User | undefined;
  readonly conversationId: string;
  /** The id for {@link Runtime.publishApproval} and {@link Runtime.subscribe}. */
  readonly turnId: string;
  /** Aborts when a decision no longer counts: the turn has ended, the agent has moved on, or time is up. */
  readonly signal: AbortSignal;
}

/** Decides on a call of an agent's tool. */
export type ApproveA2aTool = (call: A2aToolCall) => ToolDecision | Promise<ToolDecision>;
