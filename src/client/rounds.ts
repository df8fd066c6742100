import type { ElicitationAction, ElicitationAnswer } from "../contract/contract.ts";
import type { AnswerSender } from "./answer-sender.ts";
import type { ClientContext } from "./client-context.ts";
import type { HeldAnswer, HeldAnswers } from "./held-answers.ts";
import { hasEnded, isOpen } from "./state.ts";
import type { UndoTimes } from "./undo-times.ts";

/** The details of an answer: the content of an accept and whether to remember it, or the note of a decline. */
type Given = Pick<ElicitationAnswer, "content" | "note" | "remember">;

export interface Rounds {
  /** Answers a request: at once, or with its round. Resolves when the answer is delivered or refused, or is held. */
  answer(id: string, action: ElicitationAction, given?: Given): Promise<void>;
  /** Answers a request once the user can no longer undo the answer. */
  hold(id: string, answer: HeldAnswer): Promise<void>;
  /** Holds an answer again that an earlier page held and could not send. */
  resume(id: string): Promise<void>;
  /** Cancels a held answer. */
  undo(id: string): void;
  /** Sends the answers of a request's round once all its requests are answered. Call it after every change to one. */
  flush(id: string, isLeaving?: boolean): Promise<void>;
  /** No more requests of the round of this one will come. */
  complete(id: string): Promise<void>;
}

/**
 * Sends answers. Answers of a round are held until all can be sent together, and answers of `hold` until they can no
 * longer be undone.
 */
export function createRounds(
  { store, pauses }: ClientContext,
  sender: AnswerSender,
  undoTimes: UndoTimes,
  heldAnswers: HeldAnswers,
): Rounds {
  const complete = new Set<string>();

  async function flush(id: string, isLeaving = false): Promise<void> {
    const members = store.roundOf(id);
    const round = store.get(id)?.request.round;
    const isComplete = round === undefined || members.length >= round.size || complete.has(round.id);
    const open = members.filter((item) => isOpen(item));
    const answers = open.flatMap((item) =>
      // A new object ends the retries of an undelivered answer, so that the round is sent as one.
      item.status === "answered" || item.status === "undelivered" ? [{ ...item.answer }] : [],
    );
    if (!isComplete || answers.length < open.length || open.some((item) => undoTimes.has(item.id))) return;
    if (open.some((item) => item.status === "answered")) await sender.send(answers, isLeaving);
  }

  function begin(elicitationId: string, action: ElicitationAction, { content, note, remember }: Given) {
    const { status, conversationId, request } = store.getKnown(elicitationId);
    if (hasEnded(status)) return undefined;
    undoTimes.end(elicitationId);
    heldAnswers.remove(elicitationId);
    // Ends the retries of the previous answer.
    if (status === "undelivered") pauses.end(elicitationId);
    const answer: ElicitationAnswer = {
      conversationId,
      elicitationId,
      action,
      ...(content !== undefined && { content }),
      ...(note !== undefined && { note }),
      ...(remember === true && request.mode === "form" && request.remember !== undefined && { remember }),
    };
    return { answer, request };
  }

  async function answerNow(id: string, action: ElicitationAction, given: Given = {}): Promise<void> {
    const begun = begin(id, action, given);
    if (begun === undefined) return;
    if (begun.request.round === undefined) return sender.send([begun.answer]);
    store.dispatch(id, { type: "held", answer: begun.answer });
    await flush(id);
  }

  async function hold(id: string, held: HeldAnswer): Promise<void> {
    const { action, note } = held;
    if (undoTimes.length === 0) return answerNow(id, action, { note });
    const begun = begin(id, action, { note });
    if (begun === undefined) return;
    const before = store.get(id);
    const undoUntil = undoTimes.begin(id);
    store.dispatch(id, { type: "held", answer: begun.answer, undoUntil });
    // The answer is already being sent, and must be sent unchanged.
    if (store.get(id) === before) undoTimes.end(id);
    else heldAnswers.save(id, held);
  }

  return {
    answer: answerNow,
    hold,
    async resume(id) {
      const held = heldAnswers.take(id);
      if (held !== undefined) await hold(id, held);
    },
    undo(id) {
      undoTimes.end(id);
      heldAnswers.remove(id);
      if (store.getKnown(id).undoUntil !== undefined) store.dispatch(id, { type: "undone" });
    },
    flush,
    async complete(id) {
      const round = store.get(id)?.request.round;
      if (round === undefined || complete.has(round.id)) return;
      complete.add(round.id);
      await flush(id);
    },
  };
}
