import { createContext, type RefObject } from "react";
import type { UrlInspection } from "../../contract/inspect-url.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { partsOf } from "../part.ts";
import { useShared } from "../use-shared.ts";
import type { Announce } from "./live-region.tsx";

/** What the root of a prompt shares with its parts. */
export interface PromptShared {
  elicitation: BoundElicitation;
  catalogue: Catalogue;
  /** Takes the focus when the card appears, and when the focused control disappears. */
  titleRef: RefObject<HTMLElement | null>;
  messageId: string;
  /** Declines the request, in a way that can be taken back for a while. */
  readonly decline: (note?: string) => void;
  /** What the user has said with the no. */
  said?: string | undefined;
  /** Dismisses the request in such a way; asks first when something was typed. */
  readonly dismiss: () => void;
  /** In a list whose rows open to cards: closes the row. */
  fold?: (() => void) | undefined;
  /** Announces a sentence to screen readers. */
  announce: Announce;
  /** Of an account: asks the agent to connect it after all. */
  askAgain?: ((message: string, elicitation: BoundElicitation) => void) | undefined;
  /** Of a URL request: its inspected link. */
  url?: UrlInspection | undefined;
}

export const PromptContext = /* @__PURE__ */ createContext<PromptShared | undefined>(undefined);

/** For parts that both kinds of prompt have. `part`: the name behind the dot. */
export function usePrompt(part: string): PromptShared {
  return useShared(
    PromptContext,
    `ConnectPromptParts.${part}> or <FormElicitationParts.${part}`,
    "ConnectPromptParts.Root> or <FormElicitationParts.Root",
  );
}

export const promptPart = /* @__PURE__ */ partsOf(usePrompt);

/** Registers what Escape does in the prompt. Returns the function that removes it. */
export type OnEscape = (escape: () => void) => () => void;

/** What a dialog or an inbox provides to the prompts in it. */
export interface PromptPlace {
  /** Of a dialog: its own Escape handler runs first. */
  readonly onEscape?: OnEscape;
  /** Of an inbox: closes the row of the prompt. Then × and Escape do that, and the request stays open. */
  readonly fold?: () => void;
}

export const PlaceContext = /* @__PURE__ */ createContext<PromptPlace | undefined>(undefined);
