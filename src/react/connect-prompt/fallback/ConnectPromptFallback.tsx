"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../../prompt/context.ts";
import { useConnectPrompt } from "../context.ts";

/**
 * Ways to the page when the browser refused a window: a link that opens a tab, and one that leaves the chat. They are
 * live because the person has already agreed to open the page. Renders a `<div>` with two `<a>`, or nothing.
 */
export const ConnectPromptFallback = forwardRef(function ConnectPromptFallback(
  props: ConnectPromptFallbackProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { elicitation, messages } = usePrompt("ConnectPromptParts.Fallback");
  const { url } = useConnectPrompt("Fallback");
  const element = usePartElement("div", props, {
    ref,
    state: {},
    props: {
      children: (
        <>
          <a href={url.href} target="_blank" rel="noopener noreferrer" onClick={elicitation.opened}>
            {messages.openInNewTab}
          </a>
          <a href={url.href} rel="noreferrer" onClick={elicitation.opened}>
            {messages.continueInThisTab}
          </a>
        </>
      ),
    },
  });
  const shown =
    elicitation.status === "opened" && elicitation.window === "blocked" && url.verdict !== "block";
  return shown ? element : null;
});

export type ConnectPromptFallbackProps = PartProps<"div", ConnectPromptFallbackState>;
export type ConnectPromptFallbackState = object;
