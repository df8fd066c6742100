import { type ToolApprovalBusEvent, elicitationBus, toolApprovalBus } from "./event-bus.ts";
import type { StreamChunk, TurnStreamEntry } from "./ports.ts";
import { requestChunk } from "./stream-helper.ts";

interface OwnedStream {
  append(chunk: StreamChunk): void;
  written(): readonly TurnStreamEntry[];
}

/**
 * What the owner of a stream does: writes down what is published for it, by its own turn or by an agent that the turn
 * has delegated to. Returns what ends that.
 */
export function ownStream(streamRequestId: string, stream: OwnedStream): () => void {
  const stops = [
    elicitationBus.subscribe(streamRequestId, ({ request }) => stream.append(requestChunk(request))),
    toolApprovalBus.subscribe(streamRequestId, createApprovalWriter(stream)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Permissions as the AI SDK's own chunks. The call of a delegated agent is not on this stream: its part is made here,
 * and ended here when it was allowed, since its output goes to that agent.
 */
function createApprovalWriter({ append, written }: OwnedStream): (event: ToolApprovalBusEvent) => void {
  const delegated = new Set<string>();

  function write(event: ToolApprovalBusEvent, more: object, type: string) {
    const chunk = { type, toolCallId: event.toolCallId, ...more };
    append(chunk);
  }

  return (event) => {
    const { toolCallId } = event;
    if (event.type === "approval-needed") {
      const { approvalId, toolName, input } = event;
      if (!written().some(({ chunk }) => isCall(chunk, toolCallId))) {
        delegated.add(toolCallId);
        write(event, { toolName, input, dynamic: true }, "tool-input-available");
      }
      write(event, { approvalId }, "tool-approval-request");
    } else if (!event.approved) {
      write(event, {}, "tool-output-denied");
    } else if (delegated.has(toolCallId)) {
      write(event, { output: { status: "approved" }, dynamic: true }, "tool-output-available");
    }
  };
}

function isCall(chunk: StreamChunk, toolCallId: string): boolean {
  return chunk.type === "tool-input-available" && "toolCallId" in chunk && chunk.toolCallId === toolCallId;
}
