"use client";
import { type ForwardedRef, forwardRef, useState } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonProps } from "../../prompt/button-props.ts";
import { usePrompt } from "../../prompt/context.ts";
import { isOver } from "../../prompt/status-text.ts";
import { useConnectPrompt } from "../context.ts";

/** Puts the URL on the clipboard. Renders a `<button>`, or nothing where there is no URL that may be opened. */
export const ConnectPromptCopyLink = forwardRef(function ConnectPromptCopyLink(
  props: ConnectPromptCopyLinkProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  const { elicitation, messages, announce } = usePrompt("ConnectPromptParts.CopyLink");
  const { url } = useConnectPrompt("CopyLink");
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url.href);
    } catch {
      // Not allowed here (an iframe, plain http): the link is still there to be selected.
      return;
    }
    setCopied(true);
    announce(messages.linkCopied);
  }
  const element = usePartElement("button", props, {
    ref,
    state: { copied },
    props: { ...buttonProps(false, copy), children: copied ? messages.linkCopied : messages.copyLink },
  });
  return isOver(elicitation) || url.verdict === "block" ? null : element;
});

export type ConnectPromptCopyLinkProps = PartProps<"button", ConnectPromptCopyLinkState>;
export interface ConnectPromptCopyLinkState {
  /** `data-copied` */
  copied: boolean;
}
