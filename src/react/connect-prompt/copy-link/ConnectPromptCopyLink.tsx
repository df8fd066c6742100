"use client";
import { useState } from "react";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { button } from "../../prompt/button.ts";
import { isOver } from "../../prompt/status-text.ts";
import { connectPart } from "../context.ts";

/**
 * Puts the URL on the clipboard. Renders a `<button>`, or nothing where there is no URL that may be opened, or where its
 * page would not know the person who comes by a link.
 */
export const ConnectPromptCopyLink: Part<"button", ConnectPromptCopyLinkState> = connectPart(
  "ConnectPromptParts.CopyLink",
  "button",
  function useCopyLink({ elicitation, catalogue, announce, url }) {
    const [copied, setCopied] = useState(false);
    async function copy(): Promise<void> {
      try {
        await navigator.clipboard.writeText(url.href);
      } catch {
        // Not allowed here (an iframe, plain http): the link is still there to be selected.
        return;
      }
      setCopied(true);
      announce(catalogue.linkCopied);
    }
    if (isOver(elicitation) || url.verdict === "block" || elicitation.opener === "needed") return undefined;
    return button(copied ? catalogue.linkCopied : catalogue.copyLink, copy, { copied });
  },
);

export type ConnectPromptCopyLinkProps = PartProps<"button", ConnectPromptCopyLinkState>;
export interface ConnectPromptCopyLinkState {
  /** `data-copied` */
  copied: boolean;
}
