import type { ElicitationAction, ElicitationAnswer } from "../contract/contract.ts";
import type { AnswerSender } from "./answer-sender.ts";
import type { ClientContext } from "./client-context.ts";
import { hasEnded, isOpen } from "./state.ts";

/** What comes with an answer: the content of an accept, or the note of a decline. */
type Given = Pick<ElicitationAnswer, "content" | "note">;

export interface Rounds {
  /** Answers a request: at once, or with its round. Resolves when the answer is delivered or refused, or is held. */
  answer(id: string, action: ElicitationAction, given?: Given): Promise<void>;
  /** Sends the answers of a request's round once none of its requests is unanswered. Call it after every change to one. */
  flush(id: string): Promise<void>;
  /** No more requests of the round of this one will come. */
  complete(id: string): Promise<void>;
}

/** Sends answers. Those of a round are held until they can leave together. */
export function createRounds({ store, pauses }: ClientContext, sender: AnswerSender): Rounds {
  const complete = new Set<string>();

  async function flush(id: string): Promise<void> {
    const members = store.roundOf(id);
    const round = store.get(id)?.request.round;
    const isComplete = round === undefined || members.length >= round.size || complete.has(round.id);
    const open = members.filter((item) => isOpen(item));
    const answers = open.flatMap((item) =>
      // A new object takes over from the tries that an undelivered answer waits for: the round leaves as one.
      item.status === "answered" || item.status === "undelivered" ? [{ ...item.answer }] : [],
    );
    if (!isComplete || answers.length < open.length) return;
    if (open.some((item) => item.status === "answered")) await sender.send(answers);
  }

  return {
    async answer(elicitationId, action, { content, note } = {}) {
      const { status, conversationId, request } = store.getKnown(elicitationId);
      if (hasEnded(status)) return;
      const answer: ElicitationAnswer = {
        conversationId,
        elicitationId,
        action,
        ...(content !== undefined && { content }),
        ...(note !== undefined && { note }),
      };
      // Ends the tries of the answer before.
      if (status === "undelivered") pauses.end(elicitationId);
      if (request.round === undefined) return sender.send([answer]);
      store.dispatch(elicitationId, { type: "held", answer });
      await flush(elicitationId);
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
