import type { Catalogue } from "../words/cards/catalogue.ts";
import { en } from "../words/cards/en.ts";
import { type BoundElicitation, isWaiting } from "./bound-elicitation.ts";

/** The effect of a message in the app's composer while requests wait for the user. */
export interface Composer {
  /** A sentence for the user, to show beside the composer. `undefined`: no request waits. */
  readonly hint: string | undefined;
  /**
   * Fills in the waiting form from the user's message. Call it instead of sending the message. Resolves with whether any
   * field was filled in, which the card shows. `undefined`: no waiting form accepts a sentence, so a message withdraws
   * the waiting requests.
   */
  readonly propose: ((text: string) => Promise<boolean>) | undefined;
}

/**
 * Returns the effect of a message in your composer, and a text that explains it.
 *
 * @example
 * const { hint, propose } = composerOf(elicitations);
 * const send = async (text: string) => (propose === undefined ? sendMessage({ text }) : propose(text));
 */
export function composerOf(
  elicitations: readonly BoundElicitation[],
  catalogue: Pick<Catalogue, "messageFills" | "messageWithdraws"> = en,
): Composer {
  const waiting = elicitations.filter(isWaiting);
  const form = waiting.find(({ takesSentence, status }) => takesSentence === true && status === "pending");
  if (form !== undefined) return { hint: catalogue.messageFills, propose: form.propose };
  const hint = waiting.length === 0 ? undefined : catalogue.messageWithdraws(waiting.length);
  return { hint, propose: undefined };
}
