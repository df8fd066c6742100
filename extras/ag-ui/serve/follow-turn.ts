import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import {
  type SurfaceTurn,
  type TurnPause,
  untilBlocked,
  wantsAnswer,
  type Presented,
} from "../../../src/runtime/internal.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { writeInterrupt } from "../wire/translate.ts";
import type { AgUiMessage, RunInput } from "./run-input.ts";
import { type AgUiEvent, type TurnEvents, createTurnEvents } from "./turn-events.ts";

export interface FollowOptions {
  readonly turn: SurfaceTurn;
  readonly input: RunInput;
  /** The position in the turn's log up to which the client has read. `undefined`: it has read nothing. */
  readonly after: number | undefined;
  /** Returns how a request is presented to the user. */
  readonly presented: (request: ElicitationRequest) => Presented;
  readonly signal: AbortSignal;
  /** Resolves when the client has room for more. */
  readonly write: (event: AgUiEvent) => Promise<void>;
  readonly clock: Clock;
}

export type RunEnd =
  | { readonly kind: "interrupt"; readonly interrupts: readonly ReturnType<typeof writeInterrupt>[] }
  | { readonly kind: "success" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "aborted" };

/**
 * Writes the events of a turn until it waits for its user or has ended. Entries that the client already has are read
 * again without writing them, because the final snapshot contains all messages.
 */
export async function followTurn(options: FollowOptions): Promise<RunEnd> {
  const { turn, input, presented, signal, write } = options;
  const events = createTurnEvents(turn.id);
  if (options.after !== undefined) {
    for await (const entry of turn.read({ live: false, signal })) {
      if (entry.seq > options.after) break;
      events.eventsOf(entry);
    }
    events.close();
  }
  const pause = await untilAsked(options, events);
  if (pause.state === "aborted") return { kind: "aborted" };
  for (const event of events.close()) await write(event);
  if (pause.state === "ended") for (const event of events.endTools()) await write(event);
  await write({ type: "STATE_SNAPSHOT", snapshot: input.state });
  await write({ type: "MESSAGES_SNAPSHOT", messages: joined(input.messages, turn.id, events.messages()) });
  const message = events.failure();
  if (pause.state === "ended")
    return message === undefined ? { kind: "success" } : { kind: "failed", message };
  const interrupts = pause.requests.flatMap((request) => {
    const how = presented(request);
    // The user has confirmed it, and a client of any kind would ask again.
    if (how.as === "link" && pause.state !== "consented" && !wantsAnswer(request)) return [];
    return writeInterrupt(withProblem(request), pause.after, how.as === "link" ? how.url : undefined);
  });
  return { kind: "interrupt", interrupts };
}

/** Reads until the turn asks a question that its client can show. Ends questions that the client cannot show. */
async function untilAsked(options: FollowOptions, events: TurnEvents): Promise<TurnPause> {
  const { turn, presented, signal, write, clock } = options;
  for (let { after } = options; ;) {
    const pause = await untilBlocked(turn, {
      after,
      signal,
      clock,
      async onEntry(entry) {
        for (const event of events.eventsOf(entry)) await write(event);
      },
    });
    let refused = 0;
    for (const request of pause.requests) {
      const how = presented(request);
      if (how.as !== "refused") continue;
      await turn.failRequest(request.elicitationId, how.reason);
      refused += 1;
    }
    if (refused === 0) return pause;
    ({ after } = pause);
  }
}

/** After an invalid answer, the message of a form contains the error, because not every client reads metadata. */
function withProblem(request: ElicitationRequest): ElicitationRequest {
  const { mode, message, progress } = request;
  if (mode !== "form" || progress?.lastError === undefined) return request;
  return { ...request, message: `${message}\n\n${progress.lastError}`, progress: undefined };
}

/** The client's messages, followed by the messages of the turn that the client does not have. */
function joined(
  known: readonly AgUiMessage[],
  turnId: string,
  ofTurn: readonly AgUiMessage[],
): readonly AgUiMessage[] {
  const others = known.filter(({ id }) => !id.startsWith(`${turnId}.`));
  return [...others, ...ofTurn];
}
