import type { StreamChunk } from "../ports/index.ts";

/** Approval of a tool call: may it run? Not an elicitation, which asks for information that only the user has. */
export type ToolApprovalEvent =
  | {
      readonly type: "approval-needed";
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
    }
  | {
      readonly type: "approval-resolved";
      readonly toolCallId: string;
      readonly approved: boolean;
      readonly reason?: string | undefined;
    };

/**
 * Writes approvals as the AI SDK's own chunks. The tool call of a delegated agent is not on this stream, so its part is
 * created here. If it is approved, the part is also completed here, because its output goes to that agent.
 */
export function createApprovalWriter(
  calls: ReadonlySet<string>,
  append: (chunk: StreamChunk) => void,
): (event: ToolApprovalEvent) => void {
  const delegated = new Set<string>();
  /** Approvals that are shown and not decided, by call. */
  const open = new Map<string, string>();

  function write(event: ToolApprovalEvent, more: object, type: string) {
    const chunk = { type, toolCallId: event.toolCallId, ...more };
    append(chunk);
  }

  return (event) => {
    const { toolCallId } = event;
    if (event.type === "approval-needed") {
      const { approvalId, toolName, input } = event;
      if (!calls.has(toolCallId) && !delegated.has(toolCallId)) {
        delegated.add(toolCallId);
        write(event, { toolName, input, dynamic: true }, "tool-input-available");
      }
      write(event, { approvalId }, "tool-approval-request");
      open.set(toolCallId, approvalId);
      return;
    }
    const { approved, reason } = event;
    const approvalId = open.get(toolCallId);
    open.delete(toolCallId);
    // Without it, the AI SDK does not accept the message in the history of the next turn.
    const response = { type: "tool-approval-response", approvalId, approved, reason };
    if (approvalId !== undefined) append(response);
    if (!approved) {
      write(event, {}, "tool-output-denied");
    } else if (delegated.has(toolCallId)) {
      write(event, { output: { status: "approved" }, dynamic: true }, "tool-output-available");
    }
  };
}
