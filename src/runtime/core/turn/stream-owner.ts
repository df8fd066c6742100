import { type ToolApprovalBusEvent, elicitationBus, toolApprovalBus } from "./event-bus.ts";
import type { StreamChunk } from "../ports.ts";
import { isResolved, requestChunk } from "./stream-helper.ts";
import type { TurnOutput } from "./turn-output.ts";

/** The stream of a turn, in the hands of the process that runs it. */
export interface OwnedStream {
  /** What the turn's own agent says. Resolves when the next chunk is wanted. */
  say(chunk: StreamChunk): Promise<void>;
  /** From then on nothing that is published is written any more. */
  release(): void;
}

/**
 * What the owner of a stream does: writes down what is published for it, by its own turn or by an agent that the turn
 * has delegated to.
 */
export function ownStream(streamRequestId: string, { write }: Pick<TurnOutput, "write">): OwnedStream {
  /** Requests whose end is written. A turn that runs again may tell it again. */
  const ended = new Set<string>();
  /** Calls whose part is on this stream. */
  const calls = new Set<string>();
  const stops = [
    elicitationBus.subscribe(streamRequestId, ({ request }) => {
      if (ended.has(request.elicitationId)) return;
      if (isResolved(request)) ended.add(request.elicitationId);
      void write(requestChunk(request));
    }),
    toolApprovalBus.subscribe(
      streamRequestId,
      createApprovalWriter(calls, (chunk) => void write(chunk)),
    ),
  ];
  return {
    say(chunk) {
      const isCall = chunk.type === "tool-input-available" && "toolCallId" in chunk;
      if (isCall && typeof chunk.toolCallId === "string") calls.add(chunk.toolCallId);
      return write(chunk);
    },
    release() {
      for (const stop of stops) stop();
    },
  };
}

/**
 * Permissions as the AI SDK's own chunks. The call of a delegated agent is not on this stream: its part is made here,
 * and ended here when it was allowed, since its output goes to that agent.
 */
function createApprovalWriter(
  calls: ReadonlySet<string>,
  append: (chunk: StreamChunk) => void,
): (event: ToolApprovalBusEvent) => void {
  const delegated = new Set<string>();

  function write(event: ToolApprovalBusEvent, more: object, type: string) {
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
    } else if (!event.approved) {
      write(event, {}, "tool-output-denied");
    } else if (delegated.has(toolCallId)) {
      write(event, { output: { status: "approved" }, dynamic: true }, "tool-output-available");
    }
  };
}
