import { createContext, type RefObject, useContext } from "react";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Messages } from "../messages/catalogue.ts";
import type { Announce } from "./live-region.tsx";

/** What the root of a prompt shares with its parts. */
export interface PromptContextValue {
  elicitation: BoundElicitation;
  messages: Messages;
  /** Where focus goes when the card appears, and when the focused control goes away. */
  titleRef: RefObject<HTMLElement | null>;
  messageId: string;
  /** Says a sentence to people who do not see it appear. */
  announce: Announce;
}

export const PromptContext = createContext<PromptContextValue | undefined>(undefined);

/** The prompt around `part`. Throws when there is none. */
export function usePrompt(part: string): PromptContextValue {
  const value = useContext(PromptContext);
  if (value === undefined) throw missing(part, "<ConnectPromptParts.Root> or <FormElicitationParts.Root>");
  return value;
}

export function missing(part: string, parent: string): Error {
  return new Error(`elicit-kit: <${part}> has no root to take its state from. Place it within ${parent}.`);
}
