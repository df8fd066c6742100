import { isResolved } from "../elicitation/record.ts";
import type { RequestEvent } from "../elicitation/record-notifier.ts";
import type { StreamChunk } from "../ports.ts";
import type { EventBus } from "../shared/event-bus.ts";
import { requestChunk } from "./stream-helper.ts";
import { type ToolApprovalEvent, createApprovalWriter } from "./tool-approvals.ts";
import type { TurnOutput } from "./turn-output.ts";

/** The stream of a turn, in the hands of the process that runs it. */
export interface OwnedStream {
  /** What the turn's own agent says. Resolves when the next chunk is wanted. */
  say(chunk: StreamChunk): Promise<void>;
  /** From then on nothing that is published is written any more. */
  release(): void;
}

/** What is published about a turn in this process. */
export interface TurnEvents {
  elicitations: Pick<EventBus<RequestEvent>, "subscribe">;
  approvals: Pick<EventBus<ToolApprovalEvent>, "subscribe">;
}

/**
 * What the owner of a stream does: writes down what is published for it, by its own turn or by an agent that the turn
 * has delegated to.
 */
export function ownStream(
  turnId: string,
  { write }: Pick<TurnOutput, "write">,
  { elicitations, approvals }: TurnEvents,
): OwnedStream {
  /** Requests whose end is written. A turn that runs again may tell it again. */
  const ended = new Set<string>();
  /** Calls whose part is on this stream. */
  const calls = new Set<string>();
  const stops = [
    elicitations.subscribe(turnId, ({ request }) => {
      if (ended.has(request.elicitationId)) return;
      if (isResolved(request)) ended.add(request.elicitationId);
      void write(requestChunk(request));
    }),
    approvals.subscribe(
      turnId,
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
