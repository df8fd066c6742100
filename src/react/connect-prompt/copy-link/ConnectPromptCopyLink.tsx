"use client";
import { type ForwardedRef, forwardRef, useState } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonView } from "../../prompt/button-view.ts";
import { isOver } from "../../prompt/status-text.ts";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/**
 * Puts the URL on the clipboard. Renders a `<button>`, or nothing where there is no URL that may be opened, or where its
 * page would not know the person who comes by a link.
 */
export const ConnectPromptCopyLink = /* @__PURE__ */ forwardRef(function ConnectPromptCopyLink(
  props: ConnectPromptCopyLinkProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, useCopyLinkView(useConnect("CopyLink")));
});

export function useCopyLinkView({
  elicitation,
  catalogue,
  announce,
  url,
}: ConnectShared): PartRender<ConnectPromptCopyLinkState> | undefined {
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
  return buttonView(copied ? catalogue.linkCopied : catalogue.copyLink, copy, { copied });
}

export type ConnectPromptCopyLinkProps = PartProps<"button", ConnectPromptCopyLinkState>;
export interface ConnectPromptCopyLinkState {
  /** `data-copied` */
  copied: boolean;
}
