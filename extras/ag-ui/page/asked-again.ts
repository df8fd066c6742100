import { canonical } from "../../../src/base/canonical.ts";
import { isObject } from "../../../src/contract/json.ts";
import { type AgUiInterrupt, type AgUiQuestion, METADATA_KEY, UNREADABLE } from "../wire/translate.ts";

/**
 * Whether an interrupt asks the same question as a card that is open, so that the card can stay. An equal id is not
 * enough: agents ask one question after the other under one id.
 */
export function isAskedAgain(
  known: AgUiQuestion & { readonly isSent: boolean },
  asked: AgUiQuestion,
): boolean {
  if (known.key !== asked.key) return false;
  // An agent of this kit keeps the id of a question, and repeats it until it has the answer.
  if (isOurs(asked.interrupt)) return isSameCard(known, asked);
  // The page of an answered question may still be open. Any other question with that id is a new one.
  if (known.isSent && known.request.mode === "form") return false;
  return canonical(known.interrupt) === canonical(asked.interrupt);
}

/** After an answer that does not fit, an agent of this kit adds the reason to the message. */
function isSameCard({ request: before }: AgUiQuestion, { request: now }: AgUiQuestion): boolean {
  const hasSameWords = now.message === before.message || now.message.startsWith(`${before.message}\n\n`);
  const asksFor = (request: typeof now) =>
    canonical(request.mode === "form" ? request.requestedSchema : request.url);
  return hasSameWords && now.toolCallId === before.toolCallId && asksFor(now) === asksFor(before);
}

function isOurs({ metadata }: AgUiInterrupt): boolean {
  const ours = metadata?.[METADATA_KEY];
  return isObject(ours) && typeof ours["elicitationId"] === "string";
}

/**
 * The interrupts of a run, each id once. Different questions under one id cannot be answered, because the agent could not
 * tell the answers apart: they become one interrupt that can only be cancelled.
 */
export function withUniqueIds(interrupts: readonly AgUiInterrupt[]): readonly AgUiInterrupt[] {
  const byId = new Map<string, AgUiInterrupt>();
  for (const interrupt of interrupts) {
    const { id, reason, message } = interrupt;
    const before = byId.get(id);
    const isRepeated = before === undefined || canonical(before) === canonical(interrupt);
    byId.set(id, isRepeated ? interrupt : { id, reason, message, responseSchema: UNREADABLE });
  }
  return [...byId.values()];
}
