import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../contract/contract.ts";
import { isResolved } from "../request/record.ts";
import type { RequestEvent } from "../request/record-notifier.ts";
import type { StreamChunk } from "../ports/index.ts";
import type { EventBus } from "../../base/event-bus.ts";
import { DISCARD_TYPE } from "./discard.ts";
import { requestChunk } from "./stream-helper.ts";
import { type ToolApprovalEvent, createApprovalWriter } from "./tool-approvals.ts";
import type { TurnOutput } from "./turn-output.ts";
import { KitError } from "../../contract/kit-error.ts";

/** Writes the stream of a turn, in the process that runs it. */
export interface TurnWriter {
  /** Writes a chunk of the turn's own agent. Drops chunks that only the runtime writes. Resolves when the next chunk is wanted. */
  write(chunk: StreamChunk): Promise<void>;
  /** Writes a request as it is now, unless its end is written. */
  show(request: ElicitationRequest): void;
  /** Stops writing published events. */
  release(): void;
}

/** The events of turns in this process. */
export interface TurnEvents {
  elicitations: Pick<EventBus<RequestEvent>, "subscribe">;
  approvals: Pick<EventBus<ToolApprovalEvent>, "subscribe">;
}

/**
 * Only the runtime may write these chunks. A request without a record could not be answered, and a discard would take back
 * what clients have read.
 */
const OF_THE_RUNTIME: ReadonlySet<string> = new Set([
  REQUEST_PART_TYPE,
  "elicitation-request",
  "elicitation-resolved",
  DISCARD_TYPE,
]);

/**
 * Writes the published events of a turn to its stream, including those of agents that the turn delegated to.
 */
export function createTurnWriter(
  turnId: string,
  { write }: Pick<TurnOutput, "write">,
  { elicitations, approvals }: TurnEvents,
  onError: (error: unknown) => void,
): TurnWriter {
  let hasForged = false;
  /** Requests whose end was written. A turn that runs again may publish it again. */
  const ended = new Set<string>();
  /** Tool calls that are on this stream. */
  const calls = new Set<string>();
  function show(request: ElicitationRequest): void {
    if (ended.has(request.elicitationId)) return;
    if (isResolved(request)) ended.add(request.elicitationId);
    void write(requestChunk(request));
  }
  const stops = [
    elicitations.subscribe(turnId, ({ request }) => show(request)),
    approvals.subscribe(
      turnId,
      createApprovalWriter(calls, (chunk) => void write(chunk)),
    ),
  ];
  return {
    write(chunk) {
      if (OF_THE_RUNTIME.has(chunk.type)) {
        if (!hasForged) onError(forgedChunk(chunk.type));
        hasForged = true;
        return Promise.resolve();
      }
      const isCall = chunk.type === "tool-input-available" && "toolCallId" in chunk;
      if (isCall && typeof chunk.toolCallId === "string") calls.add(chunk.toolCallId);
      return write(chunk);
    },
    show,
    release() {
      for (const stop of stops) stop();
    },
  };
}

function forgedChunk(type: string): Error {
  return new KitError(
    `elicit-kit: the agent's stream contains a chunk of type "${type}". It was dropped, because only the runtime writes such chunks. To ask the user, call turn.ask, which writes the request.`,
  );
}
