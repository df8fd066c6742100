import { createContext, type RefObject } from "react";
import type { UrlInspection } from "../../client/index.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import { useShared } from "../use-shared.ts";
import type { Announce } from "./live-region.tsx";

/** What the root of a prompt shares with its parts. */
export interface PromptShared {
  elicitation: BoundElicitation;
  catalogue: Catalogue;
  /** Where focus goes when the card appears, and when the focused control goes away. */
  titleRef: RefObject<HTMLElement | null>;
  messageId: string;
  /** Puts the request away; asks first when something was typed. */
  readonly dismiss: () => void;
  /** Says a sentence to people who do not see it appear. */
  announce: Announce;
  /** Of a URL request: what is to know about its link. */
  url?: UrlInspection | undefined;
}

export const PromptContext = /* @__PURE__ */ createContext<PromptShared | undefined>(undefined);

/** For parts that both kinds of prompt have. `part` is their name behind the dot. */
export function usePrompt(part: string): PromptShared {
  return useShared(
    PromptContext,
    `ConnectPromptParts.${part}> or <FormElicitationParts.${part}`,
    "ConnectPromptParts.Root> or <FormElicitationParts.Root",
  );
}

/** Takes what Escape does in the prompt, and returns the function that takes it back. */
export type OnEscape = (escape: () => void) => () => void;

/** Set by a dialog around a prompt, which hears of Escape first. */
export const ModalContext = /* @__PURE__ */ createContext<OnEscape | undefined>(undefined);
