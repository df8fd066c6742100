"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonProps } from "../../prompt/button-props.ts";
import { usePrompt } from "../../prompt/context.ts";
import { useConnectPrompt } from "../context.ts";

/**
 * Opens the page in a window, and opens it again while it is awaited. Renders a `<button>`, or nothing when the page may
 * not be opened (any more).
 */
export const ConnectPromptConnect = forwardRef(function ConnectPromptConnect(
  props: ConnectPromptConnectProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  const { elicitation, messages } = usePrompt("ConnectPromptParts.Connect");
  const { url, awaited } = useConnectPrompt("Connect");
  const busy = elicitation.status === "submitting";
  const element = usePartElement("button", props, {
    ref,
    state: { awaited, busy },
    props: {
      ...buttonProps(busy, elicitation.connect),
      children: awaited ? messages.openAgain : messages.connect,
    },
  });
  // It stays while an answer is on its way: a button that comes and goes takes the focus with it.
  const possible = elicitation.status === "pending" || awaited || busy;
  return possible && url.verdict !== "block" ? element : null;
});

export type ConnectPromptConnectProps = PartProps<"button", ConnectPromptConnectState>;
export interface ConnectPromptConnectState {
  /** `data-awaited`: the page was opened before. */
  awaited: boolean;
  /** `data-busy`: an answer is on its way. */
  busy: boolean;
}
