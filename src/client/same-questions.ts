import type { DraftStore, ElicitationItem } from "./elicitation.ts";
import type { ItemStore } from "./item-store.ts";
import { isOpen } from "./ended.ts";

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
