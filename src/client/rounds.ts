import type {
  ElicitationAction,
  ElicitationAnswer,
  ElicitationContent,
  ElicitationRequest,
} from "../protocol/contract.ts";
import type { AnswerSender } from "./answer-sender.ts";
import type { ItemStore } from "./item-store.ts";
import { hasEnded, isOpen } from "./state.ts";

export interface Rounds {
  /** Answers a request: at once, or with its round. Resolves when the answer is delivered or refused, or is held. */
  answer(id: string, action: ElicitationAction, content?: ElicitationContent): Promise<void>;
  /** Sends the answers of a round once none of its requests is unanswered. */
  flush(round: ElicitationRequest["round"]): Promise<void>;
}

/** Sends answers. Those of a round are held until they can leave together. */
export function createRounds(store: ItemStore, sender: AnswerSender): Rounds {
  async function flush(round: ElicitationRequest["round"]): Promise<void> {
    if (round === undefined) return;
    const members = store.items().filter((item) => item.request.round?.id === round.id);
    const open = members.filter((item) => isOpen(item));
    const answers = open.flatMap((item) => (item.status === "answered" ? [item.answer] : []));
    if (members.length < round.size || answers.length === 0 || answers.length < open.length) return;
    await sender.send(answers);
  }

  return {
    async answer(elicitationId, action, content) {
      const { status, conversationId, request } = store.getKnown(elicitationId);
      if (hasEnded(status)) return;
      const answer: ElicitationAnswer = {
        conversationId,
        elicitationId,
        action,
        ...(content !== undefined && { content }),
      };
      if (status === "undelivered") sender.retryNow(elicitationId);
      if (request.round === undefined) return sender.send([answer]);
      store.dispatch(elicitationId, { type: "held", answer });
      await flush(request.round);
    },
    flush,
  };
}
