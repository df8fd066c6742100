"use client";
import { type ForwardedRef, forwardRef, type ReactNode } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonView } from "../../prompt/button-view.ts";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/**
 * Opens the page in a window; while that is open, brings it to the front; when it looks closed, opens it again. Its label says
 * which. Renders a `<button>`, or nothing when the page may not be opened.
 */
export const ConnectPromptConnect = /* @__PURE__ */ forwardRef(function ConnectPromptConnect(
  props: ConnectPromptConnectProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, connectView(useConnect("Connect")));
});

/** `sign`: drawn behind the label. */
export function connectView(
  { elicitation, catalogue, purpose, url, awaited }: ConnectShared,
  sign?: ReactNode,
): PartRender<ConnectPromptConnectState> | undefined {
  const busy = elicitation.status === "submitting";
  // Stays while an answer is sent: a button that disappears loses the focus.
  const possible = elicitation.status === "pending" || awaited || busy;
  if (!possible || url.verdict === "block") return undefined;
  const { window, notice } = elicitation;
  const label =
    notice?.code === "provider-error"
      ? catalogue.tryAgain
      : window === "open"
        ? catalogue.showWindow
        : awaited
          ? catalogue.openAgain
          : url.tier === "danger"
            ? catalogue[purpose === "connect" ? "connectAnyway" : "openAnyway"]
            : catalogue[purpose];
  const children = sign ? (
    <>
      {label}
      {sign}
    </>
  ) : (
    label
  );
  return buttonView(children, () => void elicitation.connect(), { awaited, busy });
}

export type ConnectPromptConnectProps = PartProps<"button", ConnectPromptConnectState>;
export interface ConnectPromptConnectState {
  /** `data-awaited`: the page was opened before. */
  awaited: boolean;
  /** `data-busy`: an answer is being sent. */
  busy: boolean;
}
