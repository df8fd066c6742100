"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { WindowState } from "../../../client/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { emphasise } from "../../prompt/emphasise.tsx";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/**
 * Says what the card waits for: the page while it is open, or the server while an answer is sent. Renders a `<p>`, or
 * nothing when nothing is awaited.
 */
export const ConnectPromptWaiting = /* @__PURE__ */ forwardRef(function ConnectPromptWaiting(
  props: ConnectPromptWaitingProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, waitingView(useConnect("Waiting")));
});

export function waitingView({
  elicitation,
  catalogue,
  purpose,
  url,
  awaited,
}: ConnectShared): PartRender<ConnectPromptWaitingState> | undefined {
  const { status, window, checking = false } = elicitation;
  const busy = status === "submitting";
  if (!awaited && !busy) return undefined;
  const children = busy ? (
    <span>{catalogue.submitting}</span>
  ) : window === "closed" ? (
    <span>{checking ? catalogue.checking : catalogue.windowClosed}</span>
  ) : (
    <span>{emphasise(catalogue.waitingFor(url.asciiHost, purpose), url.asciiHost)}</span>
  );
  return { tag: "p", state: { window, checking, busy }, props: { children } };
}

export type ConnectPromptWaitingProps = PartProps<"p", ConnectPromptWaitingState>;
export interface ConnectPromptWaitingState {
  /** `data-window`: `open`, `closed`, `blocked` or `elsewhere`. */
  window: WindowState | undefined;
  /** `data-checking`: the status is being read. */
  checking: boolean;
  /** `data-busy`: an answer is being sent. */
  busy: boolean;
}
