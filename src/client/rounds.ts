import type { ElicitationAction, ElicitationAnswer } from "../contract/contract.ts";
import type { AnswerSender } from "./answer-sender.ts";
import type { ClientContext } from "./client-options.ts";
import { hasEnded, isOpen } from "./ended.ts";
import type { DraftStore, ElicitationItem } from "./elicitation.ts";
import type { ItemStore } from "./item-store.ts";

/** The details of an answer: the content of an accept and whether to remember it, or the note of a decline. */
type Given = Pick<ElicitationAnswer, "content" | "note" | "remember" | "delegated">;

export interface Rounds {
  /** Answers a request: at once, or with its round. Resolves when the answer is delivered or refused, or is held. */
  answer(id: string, action: ElicitationAction, given?: Given): Promise<void>;
  /** Sends the answers of a request's round once all its requests are answered. Call it after every change to one. */
  flush(id: string): Promise<void>;
  /** No more requests of the round of this one will come. */
  complete(id: string): Promise<void>;
}

/** Sends answers. Answers of a round are held until all can be sent together. */
export function createRounds({ store, pauses }: ClientContext, sender: AnswerSender): Rounds {
  const complete = new Set<string>();

  async function flush(id: string): Promise<void> {
    const members = store.roundOf(id);
    const round = store.get(id)?.request.round;
    const isComplete = round === undefined || members.length >= round.size || complete.has(round.id);
    const open = members.filter((item) => isOpen(item));
    const answers = open.flatMap((item) =>
      // A new object ends the retries of an undelivered answer, so that the round is sent as one.
      item.status === "answered" || item.status === "undelivered" ? [{ ...item.answer }] : [],
    );
    if (!isComplete || answers.length < open.length) return;
    if (open.some((item) => item.status === "answered")) await sender.send(answers);
  }

  async function answer(
    elicitationId: string,
    action: ElicitationAction,
    { content, note, remember, delegated }: Given = {},
  ): Promise<void> {
    const { status, conversationId, request } = store.getKnown(elicitationId);
    if (hasEnded(status)) return;
    // Ends the retries of the previous answer.
    if (status === "undelivered") pauses.end(elicitationId);
    const given: ElicitationAnswer = {
      conversationId,
      elicitationId,
      action,
      ...(content !== undefined && { content }),
      ...(note !== undefined && { note }),
      ...(remember === true && request.mode === "form" && request.remember !== undefined && { remember }),
      ...(delegated && { delegated }),
    };
    if (request.round === undefined) return sender.send([given]);
    store.dispatch(elicitationId, { type: "held", answer: given });
    await flush(elicitationId);
  }

  return {
    answer,
    flush,
    async complete(id) {
      const round = store.get(id)?.request.round;
      if (round === undefined || complete.has(round.id)) return;
      complete.add(round.id);
      await flush(id);
    },
  };
}

/**
 * Returns a function to call with each new item. If its conversation has had the same question of the same requester
 * before, the earlier item is marked as `askedAgain`, and the new form gets its input.
 */
export function createSameQuestions(store: ItemStore, drafts: DraftStore): (item: ElicitationItem) => void {
  /** By question: the id of its last request. */
  const last = new Map<string, string>();
  return (item) => {
    const question = questionOf(item);
    const before = store.get(last.get(question) ?? "");
    last.set(question, item.id);
    if (before === undefined || isOpen(before)) return;
    store.dispatch(before.id, { type: "asked-again" });
    const input = drafts.load(before.id);
    if (input === undefined || !isOpen(item)) return;
    drafts.save(item.id, input);
    drafts.save(before.id, undefined);
  };
}

/** The message counts too, because two questions may have the same field. An account is the same whatever needs it. */
function questionOf({ conversationId, request }: ElicitationItem): string {
  const { message, requester, context, requestedSchema } = request;
  const page = request.mode === "url" && [request.purpose, request.service?.name ?? message];
  const question = page || [message, requestedSchema];
  return JSON.stringify([conversationId, question, requester, context?.trigger]);
}
