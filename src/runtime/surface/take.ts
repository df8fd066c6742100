import type { ElicitationAction, ElicitationContent } from "../../contract/contract.ts";
import { UNREADABLE_NOTE, invalidNote } from "../../contract/elicit-result.ts";
import type { Clock } from "../../base/clock.ts";
import { untilAborted } from "../../base/deadlines.ts";
import type { SurfaceTurn } from "../turn/surface.ts";

/** An answer that a protocol has parsed. */
export interface GivenAnswer {
  readonly elicitationId: string;
  readonly action: ElicitationAction;
  readonly content?: ElicitationContent | undefined;
  /** As in `SurfaceAnswer`. */
  readonly answerId?: string | undefined;
}

/** The result of handling an answer. */
export type Taken =
  /** The answer was recorded. A page that the user agreed to open, or says to have finished, may still be open. */
  | { readonly kind: "settled" }
  /** The answer was not valid. With no attempt left, the request has ended as failed. `note` is for the user. */
  | { readonly kind: "invalid"; readonly attemptsLeft: number; readonly note: string }
  /**
   * The answer was not taken, because the user has made too many writes. It does not count as an attempt. `retryAfter` is
   * in seconds.
   */
  | { readonly kind: "limited"; readonly retryAfter: number }
  /** The request is no longer waiting for an answer. */
  | { readonly kind: "gone" };

/** The result for an answer that is not rate-limited. */
export type TakenNow = Exclude<Taken, { kind: "limited" }>;

type Answering = Pick<SurfaceTurn, "answer" | "rejectAnswer">;

/** Handles a client's answer, for every protocol. `consent`: accepting a page only means that the user opens it. */
export async function take(
  turn: Answering,
  { elicitationId, action, content, answerId }: GivenAnswer,
  options: { consent?: boolean } = {},
): Promise<Taken> {
  const [result] = await turn.answer([
    {
      elicitationId,
      action,
      answerId,
      ...(content !== undefined && { content }),
      ...(options.consent === true && { acceptMeans: "consent" }),
    },
  ]);
  switch (result?.kind) {
    case "limited":
      return { kind: "limited", retryAfter: result.retryAfter };
    case "invalid":
      return reject(turn, elicitationId, invalidNote(result.errors));
    case "settled":
    case "consented":
    case "pending":
      return { kind: "settled" };
    default:
      return { kind: "gone" };
  }
}

/** Counts an answer that could not be parsed. */
export function takeUnreadable(turn: Answering, elicitationId: string): Promise<TakenNow> {
  return reject(turn, elicitationId, UNREADABLE_NOTE);
}

/**
 * Handles an answer that its client cannot send again. A rate-limited answer waits here until it is allowed. Aborting
 * `signal` ends the wait.
 */
export async function takeInTime(
  turn: Answering,
  answer: GivenAnswer,
  options: { consent?: boolean; signal: AbortSignal; clock: Clock },
): Promise<TakenNow> {
  const { signal, clock } = options;
  for (;;) {
    const taken = await take(turn, answer, options);
    if (taken.kind !== "limited") return taken;
    await pause(clock, taken.retryAfter * 1000, signal);
    if (signal.aborted) return { kind: "gone" };
  }
}

async function reject(turn: Answering, elicitationId: string, note: string): Promise<TakenNow> {
  const attemptsLeft = await turn.rejectAnswer(elicitationId, note);
  return attemptsLeft === undefined ? { kind: "gone" } : { kind: "invalid", attemptsLeft, note };
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancel: (() => void) | undefined;
  const passed = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await untilAborted(passed, signal);
  cancel?.();
}
