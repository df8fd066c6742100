import { createContext, type RefObject } from "react";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { createPartFactory } from "../create-part.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import type { Announce } from "./live-region.tsx";

/** What the root of a prompt shares with its parts. */
export interface PromptContextValue {
  elicitation: BoundElicitation;
  catalogue: Catalogue;
  /** Where focus goes when the card appears, and when the focused control goes away. */
  titleRef: RefObject<HTMLElement | null>;
  messageId: string;
  /** Puts the request away; asks first when something was typed. */
  readonly dismiss: () => void;
  /** Says a sentence to people who do not see it appear. */
  announce: Announce;
}

export const PromptContext = createContext<PromptContextValue | undefined>(undefined);

/** For parts that both kinds of prompt have. */
export const promptPart = createPartFactory(
  PromptContext,
  "<ConnectPromptParts.Root> or <FormElicitationParts.Root>",
);

/** Takes what Escape does in the prompt, and returns the function that takes it back. */
export type OnEscape = (escape: () => void) => () => void;

/** Set by a dialog around a prompt, which hears of Escape first. */
export const ModalContext = createContext<OnEscape | undefined>(undefined);
