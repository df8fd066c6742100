import type { AgentContext } from "@agentclientprotocol/sdk";
import type { ToolApprovalEvent } from "../../../src/runtime/internal.ts";

/** A user's decision on a tool call, from the client's `session/request_permission`. */
export interface AcpApproval {
  readonly turnId: string;
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly approved: boolean;
  /** `cancelled`: the user did not decide. */
  readonly reason: "allowed" | "rejected" | "cancelled";
}

export interface PermissionsOptions {
  readonly client: Pick<AgentContext, "request">;
  readonly turnId: string;
  readonly sessionId: string;
  /** Aborts with the turn. */
  readonly signal: AbortSignal;
  readonly onApproval: (approval: AcpApproval) => void | Promise<void>;
  readonly onError: (error: unknown) => void;
}

type Needed = Extract<ToolApprovalEvent, { type: "approval-needed" }>;

/** Asks the client whether a tool may run, and passes its decision to the application. */
export async function requestPermission(needed: Needed, options: PermissionsOptions): Promise<void> {
  const { client, turnId, sessionId, signal, onApproval, onError } = options;
  const { approvalId, toolCallId, toolName, input } = needed;
  let reason: AcpApproval["reason"] = "cancelled";
  try {
    const { outcome } = await client.request(
      "session/request_permission",
      {
        sessionId,
        // The user cannot decide on a call that the client does not show, so it is sent first.
        toolCall: { toolCallId, title: toolName, name: toolName, rawInput: input },
        options: [
          { optionId: "allow", name: "Allow", kind: "allow_once" },
          { optionId: "reject", name: "Reject", kind: "reject_once" },
        ],
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    if (outcome.outcome === "selected") reason = outcome.optionId === "allow" ? "allowed" : "rejected";
  } catch (error) {
    if (!signal.aborted) onError(error);
  }
  await onApproval({
    turnId,
    approvalId,
    toolCallId,
    toolName,
    approved: reason === "allowed",
    reason,
  });
}
