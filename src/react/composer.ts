import type { Catalogue } from "../words/cards/catalogue.ts";
import { en } from "../words/cards/en.ts";
import { type BoundElicitation, isWaiting } from "./bound-elicitation.ts";

/** What a message in the app's composer does while something waits for the user. */
export interface Composer {
  /** A sentence for the user, to stand beside the composer. `undefined`: nothing waits. */
  readonly hint: string | undefined;
  /**
   * Fills in the form that waits from the user's message; call it in place of sending the message. Resolves with whether it
   * filled in anything; the card says so. `undefined`: no form waits that takes a sentence, so a message withdraws what waits.
   */
  readonly propose: ((text: string) => Promise<boolean>) | undefined;
}

/**
 * What a message in your composer does now, and the words that say so.
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
