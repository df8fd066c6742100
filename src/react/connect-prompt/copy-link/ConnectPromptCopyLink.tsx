"use client";
import { type ForwardedRef, forwardRef, useState } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonView } from "../../prompt/button-view.ts";
import { withIcon } from "../../prompt/icon.tsx";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/**
 * Copies the URL to the clipboard. Renders a `<button>`, or nothing when the URL may not be opened, or when its page could
 * not know a person who comes by a link. Once the page is open there is nothing to copy.
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
  showsLink,
}: ConnectShared): PartRender<ConnectPromptCopyLinkState> | undefined {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url.href);
    } catch {
      // Not allowed here (an iframe, plain http). The link can still be selected.
      return;
    }
    setCopied(true);
    announce(catalogue.linkCopied);
  }
  if (!showsLink || url.verdict === "block" || elicitation.opener === "needed") return undefined;
  const children = withIcon(copied ? "check" : "copy", copied ? catalogue.linkCopied : catalogue.copyLink);
  return buttonView(children, copy, { copied });
}

export type ConnectPromptCopyLinkProps = PartProps<"button", ConnectPromptCopyLinkState>;
export interface ConnectPromptCopyLinkState {
  /** `data-copied`: the link was copied. */
  copied: boolean;
}
