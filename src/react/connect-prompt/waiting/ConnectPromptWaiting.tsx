"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { WindowState } from "../../../client/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../../prompt/context.ts";
import { waitingText } from "../../prompt/status-text.ts";
import { useConnectPrompt } from "../context.ts";

/** What is awaited while the page is open. Renders a `<p>`, or nothing before the first click and after the end. */
export const ConnectPromptWaiting = forwardRef(function ConnectPromptWaiting(
  props: ConnectPromptWaitingProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  const { awaited } = useConnectPrompt("Waiting");
  const { elicitation, messages } = usePrompt("ConnectPromptParts.Waiting");
  const { window, checking } = elicitation;
  const element = usePartElement("p", props, {
    ref,
    state: { window, checking: checking === true },
    props: { children: waitingText(elicitation, messages) },
  });
  return awaited ? element : null;
});

export type ConnectPromptWaitingProps = PartProps<"p", ConnectPromptWaitingState>;
export interface ConnectPromptWaitingState {
  /** `data-window`: `open`, `closed`, `blocked` or `elsewhere`. */
  window: WindowState | undefined;
  /** `data-checking`: the server is being asked. */
  checking: boolean;
}
