import { REQUEST_PART_TYPE } from "../../../protocol/contract.ts";
import { isResolved } from "../elicitation/record.ts";
import type { RequestEvent } from "../elicitation/record-notifier.ts";
import type { StreamChunk } from "../ports.ts";
import type { EventBus } from "../shared/event-bus.ts";
import { requestChunk } from "./stream-helper.ts";
import { type ToolApprovalEvent, createApprovalWriter } from "./tool-approvals.ts";
import type { TurnOutput } from "./turn-output.ts";

/** The stream of a turn, in the hands of the process that runs it. */
export interface OwnedStream {
  /** What the turn's own agent says, but for requests. Resolves when the next chunk is wanted. */
  say(chunk: StreamChunk): Promise<void>;
  /** From then on nothing that is published is written any more. */
  release(): void;
}

/** What is published about a turn in this process. */
export interface TurnEvents {
  elicitations: Pick<EventBus<RequestEvent>, "subscribe">;
  approvals: Pick<EventBus<ToolApprovalEvent>, "subscribe">;
}

/** Only the runtime writes these, for requests that have a record: nobody could answer another one. */
const REQUESTS: ReadonlySet<string> = new Set([
  REQUEST_PART_TYPE,
  "elicitation-request",
  "elicitation-resolved",
]);

/**
 * What the owner of a stream does: writes down what is published for it, by its own turn or by an agent that the turn
 * has delegated to.
 */
export function ownStream(
  turnId: string,
  { write }: Pick<TurnOutput, "write">,
  { elicitations, approvals }: TurnEvents,
  onError: (error: unknown) => void,
): OwnedStream {
  let hasForged = false;
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
      if (REQUESTS.has(chunk.type)) {
        if (!hasForged) onError(forgedRequest(chunk.type));
        hasForged = true;
        return Promise.resolve();
      }
      const isCall = chunk.type === "tool-input-available" && "toolCallId" in chunk;
      if (isCall && typeof chunk.toolCallId === "string") calls.add(chunk.toolCallId);
      return write(chunk);
    },
    release() {
      for (const stop of stops) stop();
    },
  };
}

function forgedRequest(type: string): Error {
  return new Error(
    `elicit-kit: the agent's stream has a chunk of the type "${type}", which was left out: no answer to it could be taken. Ask with turn.ask, which writes the request.`,
  );
}
