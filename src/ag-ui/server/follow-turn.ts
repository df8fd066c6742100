import type { ElicitationRequest } from "../../protocol/contract.ts";
import {
  type Clock,
  type SurfaceTurn,
  type TurnPause,
  untilBlocked,
  wantsAnswer,
} from "../../runtime/core/index.ts";
import { writeInterrupt } from "../translate.ts";
import type { AgUiMessage, RunInput } from "./run-input.ts";
import { type AgUiEvent, createTurnEvents } from "./turn-events.ts";

export interface FollowOptions {
  readonly turn: SurfaceTurn;
  readonly input: RunInput;
  /** Position in the turn's log that the client has read. `undefined`: nothing. */
  readonly after: number | undefined;
  /** Where the person answers a request that the client cannot show. */
  readonly linkFor: (request: ElicitationRequest) => string | undefined;
  readonly signal: AbortSignal;
  readonly write: (event: AgUiEvent) => void;
  readonly clock: Clock;
}

/** Why a run ends. */
export type RunEnd =
  | { readonly kind: "interrupt"; readonly interrupts: readonly ReturnType<typeof writeInterrupt>[] }
  | { readonly kind: "success" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "aborted" };

/**
 * Writes what a turn does until it waits for its person or has ended. What the client has read already is read again
 * without being written: messages are built from it, so that the snapshot before the end has all of them.
 */
export async function followTurn(options: FollowOptions): Promise<RunEnd> {
  const { turn, input, linkFor, signal, write, clock } = options;
  const events = createTurnEvents(turn.id);
  if (options.after !== undefined) {
    for await (const entry of turn.read({ live: false, signal })) {
      if (entry.seq > options.after) break;
      events.eventsOf(entry);
    }
    events.close();
  }
  const pause: TurnPause = await untilBlocked(turn, {
    after: options.after,
    signal,
    clock,
    onEntry(entry) {
      for (const event of events.eventsOf(entry)) write(event);
    },
  });
  if (pause.state === "aborted") return { kind: "aborted" };
  for (const event of events.close()) write(event);
  if (pause.state === "ended") for (const event of events.endTools()) write(event);
  write({ type: "STATE_SNAPSHOT", snapshot: input.state });
  write({ type: "MESSAGES_SNAPSHOT", messages: joined(input.messages, turn.id, events.messages()) });
  const message = events.failure();
  if (pause.state === "ended")
    return message === undefined ? { kind: "success" } : { kind: "failed", message };
  // While a question is open, pages that the person has agreed to open need no answer.
  const isWanted = (request: ElicitationRequest) => pause.state === "consented" || wantsAnswer(request);
  const interrupts = pause.requests
    .filter(isWanted)
    .map((request) => writeInterrupt(withProblem(request), pause.after, linkFor(request)));
  return { kind: "interrupt", interrupts };
}

/** A form whose last answer was invalid says so in its message, because not every client reads metadata. */
function withProblem(request: ElicitationRequest): ElicitationRequest {
  const { mode, message, progress } = request;
  if (mode !== "form" || progress?.lastError === undefined) return request;
  return { ...request, message: `${message}\n\n${progress.lastError}`, progress: undefined };
}

/** The client's messages, and those of the turn after the last that the client has. */
function joined(
  known: readonly AgUiMessage[],
  turnId: string,
  ofTurn: readonly AgUiMessage[],
): readonly AgUiMessage[] {
  const others = known.filter(({ id }) => !id.startsWith(`${turnId}.`));
  return [...others, ...ofTurn];
}
