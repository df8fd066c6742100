"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonView } from "../../prompt/button-view.ts";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/**
 * Opens the page in a window; while the page is awaited, opens it again. Renders a `<button>`, or nothing when the page
 * may not be opened.
 */
export const ConnectPromptConnect = /* @__PURE__ */ forwardRef(function ConnectPromptConnect(
  props: ConnectPromptConnectProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, connectView(useConnect("Connect")));
});

export function connectView({
  elicitation,
  catalogue,
  url,
  awaited,
}: ConnectShared): PartRender<ConnectPromptConnectState> | undefined {
  const busy = elicitation.status === "submitting";
  // Stays while an answer is sent: a button that disappears loses the focus.
  const possible = elicitation.status === "pending" || awaited || busy;
  if (!possible || url.verdict === "block") return undefined;
  const label = awaited ? catalogue.openAgain : catalogue.connect;
  return buttonView(label, elicitation.connect, { awaited, busy });
}

export type ConnectPromptConnectProps = PartProps<"button", ConnectPromptConnectState>;
export interface ConnectPromptConnectState {
  /** `data-awaited`: the page was opened before. */
  awaited: boolean;
  /** `data-busy`: an answer is being sent. */
  busy: boolean;
}
