import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../contract/contract.ts";
import { isResolved } from "../request/record.ts";
import type { RequestEvent } from "../request/record-notifier.ts";
import type { StreamChunk } from "../ports/index.ts";
import type { ChunkQueue } from "../../base/chunk-queue.ts";
import type { EventBus } from "../../base/event-bus.ts";
import { DISCARD_TYPE } from "./turn-log.ts";
import { requestChunk } from "./stream-helper.ts";
import { KitError } from "../../contract/kit-error.ts";

/** Writes the stream of a turn, in the process that runs it. */
export interface TurnWriter {
  /**
   * Writes a chunk of the turn's own agent. Drops chunks that only the runtime may write. Resolves when the next chunk is
   * wanted.
   */
  write(chunk: StreamChunk): Promise<void>;
  /** Writes the current state of a request, unless its outcome is already written. */
  show(request: ElicitationRequest): void;
  /** The requests that it has written, and whether with their outcome. */
  readonly shown: ReadonlyMap<string, boolean>;
  /** Stops writing published events. */
  release(): void;
}

/** The events of turns in this process. */
export interface TurnEvents {
  elicitations: Pick<EventBus<RequestEvent>, "subscribe">;
  approvals: Pick<EventBus<ToolApprovalEvent>, "subscribe">;
}

/**
 * Only the runtime may write these chunks. A request without a record could not be answered, and a discard would remove
 * chunks that clients have read.
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
  { write }: Pick<ChunkQueue<StreamChunk>, "write">,
  { elicitations, approvals }: TurnEvents,
  onError: (error: unknown) => void,
): TurnWriter {
  let hasForged = false;
  /** A turn that runs again may publish an outcome again. */
  const shown = new Map<string, boolean>();
  /** Tool calls that are on this stream. */
  const calls = new Set<string>();
  function show(request: ElicitationRequest): void {
    const { elicitationId } = request;
    if (shown.get(elicitationId) === true) return;
    shown.set(elicitationId, isResolved(request));
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
    shown,
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

/** The approval of a tool call. This is not an elicitation, which asks for information that only the user has. */
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
 * created here. If it is approved, the part is also completed here, because that agent gets the output.
 */
function createApprovalWriter(
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
    // Without this response, the AI SDK does not accept the message in the history of the next turn.
    const response = { type: "tool-approval-response", approvalId, approved, reason };
    if (approvalId !== undefined) append(response);
    if (!approved) {
      write(event, {}, "tool-output-denied");
    } else if (delegated.has(toolCallId)) {
      write(event, { output: { status: "approved" }, dynamic: true }, "tool-output-available");
    }
  };
}
