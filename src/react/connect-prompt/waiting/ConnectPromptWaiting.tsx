"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { WindowState } from "../../../client/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { waitingText } from "../../prompt/status-text.ts";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/** Says what the card waits for while the page is open. Renders a `<p>`, or nothing before the first click and at the end. */
export const ConnectPromptWaiting = /* @__PURE__ */ forwardRef(function ConnectPromptWaiting(
  props: ConnectPromptWaitingProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, waitingView(useConnect("Waiting")));
});

export function waitingView({
  elicitation,
  catalogue,
  awaited,
}: ConnectShared): PartRender<ConnectPromptWaitingState> | undefined {
  if (!awaited) return undefined;
  const { window, checking = false } = elicitation;
  return {
    tag: "p",
    state: { window, checking },
    props: { children: waitingText(elicitation, catalogue) },
  };
}

export type ConnectPromptWaitingProps = PartProps<"p", ConnectPromptWaitingState>;
export interface ConnectPromptWaitingState {
  /** `data-window`: `open`, `closed`, `blocked` or `elsewhere`. */
  window: WindowState | undefined;
  /** `data-checking`: the status is being read. */
  checking: boolean;
}
