"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { buttonView } from "../../prompt/button-view.ts";
import type { PartRender } from "../../view.ts";
import { type ConnectShared, useConnect } from "../context.ts";

/** "I've finished": tells the server that the page is done. Renders a `<button>`, or nothing before a page was opened. */
export const ConnectPromptFinished = /* @__PURE__ */ forwardRef(function ConnectPromptFinished(
  props: ConnectPromptFinishedProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, finishedView(useConnect("Finished")));
});

export function finishedView({
  elicitation,
  catalogue,
  awaited,
}: ConnectShared): PartRender<ConnectPromptFinishedState> | undefined {
  if (!awaited) return undefined;
  // Where accept means consent it was sent already. The second one says that the page is done.
  return buttonView(catalogue.finished, () => elicitation.accept(), {
    busy: elicitation.status === "submitting",
  });
}

export type ConnectPromptFinishedProps = PartProps<"button", ConnectPromptFinishedState>;
export interface ConnectPromptFinishedState {
  /** `data-busy`: an answer is being sent. */
  busy: boolean;
}
