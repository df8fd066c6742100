import { createContext, type RefObject } from "react";
import type { UrlInspection } from "../../contract/inspect-url.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { partsOf } from "../part.ts";
import { useShared } from "../use-shared.ts";
import type { Announce } from "./live-region.tsx";

/** The values that the root of a prompt shares with its parts. */
export interface PromptShared {
  elicitation: BoundElicitation;
  catalogue: Catalogue;
  /** The element that takes the focus when the card appears, and when the focused control disappears. */
  titleRef: RefObject<HTMLElement | null>;
  messageId: string;
  /** Declines the request. */
  readonly decline: (note?: string) => void;
  /** The note that the user has sent with the decline. */
  said?: string | undefined;
  /** Dismisses the request. Asks first if there is user input. */
  readonly dismiss: () => void;
  /** The result of the last reminder, of passing the question on, or of a sentence that has filled in the form. */
  told?: { notice: "reminded" | "too-soon" | "given" | "not-done" | "filled"; sentence: string } | undefined;
  /** Whether the user is selecting whom to pass the question on to, instead of answering. */
  isGiving?: boolean | undefined;
  /** In a list whose rows expand to cards: closes the row. */
  fold?: (() => void) | undefined;
  /** Announces a sentence to screen readers. */
  announce: Announce;
  /** Sends the agent the user's message to ask again. `undefined` unless the request ended without a yes. */
  askAgain?: ((message: string, elicitation: BoundElicitation) => void) | undefined;
  /** The inspected link of a URL request. */
  url?: UrlInspection | undefined;
}

export const PromptContext = /* @__PURE__ */ createContext<PromptShared | undefined>(undefined);

/** For parts that both kinds of prompt have. `part` is the name after the dot. */
export function usePrompt(part: string): PromptShared {
  return useShared(
    PromptContext,
    `ConnectPromptParts.${part}> or <FormElicitationParts.${part}`,
    "ConnectPromptParts.Root> or <FormElicitationParts.Root",
  );
}

export const promptPart = /* @__PURE__ */ partsOf(usePrompt);

/** Registers a handler for Escape in the prompt. Returns a function that removes it. */
export type OnEscape = (escape: () => void) => () => void;

/** The functions that a dialog or an inbox provides to its prompts. */
export interface PromptPlace {
  /** Provided by a dialog, whose own Escape handler runs first. */
  readonly onEscape?: OnEscape;
  /** Provided by an inbox: closes the row of the prompt. × and Escape then close the row, and the request stays open. */
  readonly fold?: () => void;
}

export const PlaceContext = /* @__PURE__ */ createContext<PromptPlace | undefined>(undefined);
