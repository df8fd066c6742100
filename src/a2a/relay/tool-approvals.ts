/**
 * Permission for the tool calls of an agent. This is not an elicitation: there is no card, and the application decides.
 * The chat and its subscribers get the approval events of the turn.
 */
import type { Turn } from "../../runtime/index.ts";
import type { Clock } from "../../base/clock.ts";
import { isTakenOver } from "../../runtime/internal.ts";
import { derivedId } from "../../base/ids.ts";
import { untilAborted, within } from "../../base/deadlines.ts";
import { isObject } from "../../contract/json.ts";
import type { AskedCalls, Dialect, RequestedCall, ToolDecision } from "../wire/dialect.ts";
import type { InputRound } from "./input.ts";
import { messageOf } from "./questions.ts";
import { A2aRelayError } from "./interrupts.ts";
import type { TaskView } from "../wire/task-view.ts";
import type { ApproveA2aTool } from "./tool-call.ts";
import { type AskingCall, whileAsked } from "./while-asked.ts";

export interface ApprovalOptions extends AskingCall {
  turn: Pick<Turn, "publishApproval" | "runner" | "user" | "conversationId" | "streamRequestId">;
  agent: { name: string; service: string; approveTool?: ApproveA2aTool | undefined };
  dialects: readonly Dialect[];
  /** Makes ids of this call. */
  salt: string;
  clock: Clock;
  onError: (error: unknown) => void;
}

/** The time limit of a decision. */
const DECISION_MS = 600_000;
const MAX_REASON_LENGTH = 500;
/**
 * The tool names that every model provider accepts have at most this length: the next turn sends the conversation to the
 * provider.
 */
const MAX_NAME_LENGTH = 64;
const NOT_ALLOWED_IN_NAMES = /[^a-zA-Z0-9_-]/g;

/** Decides on the tool calls of a status. `undefined` if it has none. Each call is answered once, in one message. */
export async function decideToolCalls(
  view: TaskView,
  options: ApprovalOptions,
): Promise<InputRound | undefined> {
  const { dialects, agent, salt } = options;
  for (const { approvals } of dialects) {
    const asked = approvals?.read(view.state, messageOf(view));
    if (approvals === undefined || asked === undefined) continue;
    if (asked.ids.length === 0) {
      throw new A2aRelayError(`${agent.service} has asked for an approval that cannot be read.`);
    }
    const decisions = await decisionsOn(view, asked, options);
    if (decisions === undefined) return {};
    const messageId = await derivedId(salt, view.statusKey, "reply");
    return { reply: { messageId, ...approvals.write(decisions) } };
  }
  return undefined;
}

async function decisionsOn(
  view: TaskView,
  { ids, calls, hint }: AskedCalls,
  options: ApprovalOptions,
): Promise<ReadonlyMap<string, ToolDecision> | undefined> {
  const { agent, turn, salt } = options;
  const { approveTool } = agent;
  if (calls === undefined) return forAll(ids, "The request cannot be read.");
  if (approveTool === undefined) return forAll(ids, "Tools are not approved here.");
  const named = await Promise.all(
    calls.map(async (call) => ({ call, approvalId: await derivedId(salt, view.statusKey, "tool", call.id) })),
  );
  return turn.runner.hold(() =>
    whileAsked(view, [], options, async (withdraw) => {
      const decisions = named.map(async ({ call, approvalId }) => {
        const decision = await decide(call, { approvalId, hint, withdraw, approveTool, options });
        return [call.id, decision] as const;
      });
      return new Map(await Promise.all(decisions));
    }),
  );
}

/** Publishes a call, waits for its decision, and publishes the decision. */
async function decide(
  { name, input }: RequestedCall,
  deciding: {
    approvalId: string;
    hint: string | undefined;
    withdraw: AbortSignal;
    approveTool: ApproveA2aTool;
    options: ApprovalOptions;
  },
): Promise<ToolDecision> {
  const { approvalId, hint, withdraw, approveTool, options } = deciding;
  const { turn, agent, clock, onError } = options;
  const { user, conversationId, streamRequestId: turnId } = turn;
  const shownName = `${agent.name}_${name}`.replaceAll(NOT_ALLOWED_IN_NAMES, "_").slice(0, MAX_NAME_LENGTH);
  const ids = { approvalId, toolCallId: approvalId };
  turn.publishApproval({ type: "approval-needed", ...ids, toolName: shownName, input });
  const decision = await within(clock, DECISION_MS, async (late) => {
    const signal = AbortSignal.any([options.signal, withdraw, late]);
    const about = { agent: agent.name, approvalId, toolName: name, input, hint };
    const call = { ...about, user, conversationId, turnId, signal };
    try {
      const decided: unknown = await untilAborted(approveTool(call), signal);
      if (!signal.aborted) return decisionOf(decided);
    } catch (error) {
      onError(error);
      if (!signal.aborted) return rejected("The decision has failed.");
    }
    // A decision that arrives with the end of the turn is too late.
    return rejected(late.aborted ? "Nobody has decided in time." : "It is no longer needed.");
  });
  // Another process has taken over the turn and asks again.
  if (!isTakenOver(options.signal)) {
    turn.publishApproval({ type: "approval-resolved", toolCallId: approvalId, ...decision });
  }
  return decision;
}

function decisionOf(decided: unknown): ToolDecision {
  const { approved, reason } = isObject(decided) ? decided : {};
  if (approved === true) return { approved };
  if (approved !== false) return rejected("There is no decision.");
  const said = typeof reason === "string" && reason.trim() !== "" ? reason : "The call is not allowed.";
  return rejected(said.slice(0, MAX_REASON_LENGTH));
}

function rejected(reason: string): ToolDecision {
  return { approved: false, reason };
}

function forAll(ids: readonly string[], reason: string): ReadonlyMap<string, ToolDecision> {
  return new Map(ids.map((id) => [id, rejected(reason)]));
}
