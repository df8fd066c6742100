"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { buttonView } from "../button-view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { isOver } from "../status-text.ts";

/**
 * Dismisses the request without a decision, as Escape does; asks first when something was typed. Renders a `<button>`, or
 * nothing once the request has ended.
 */
export const PromptDismiss = /* @__PURE__ */ forwardRef(function PromptDismiss(
  props: PromptDismissProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, dismissView(usePrompt("Dismiss")));
});

export function dismissView({
  elicitation,
  catalogue,
  dismiss,
}: PromptShared): PartRender<PromptDismissState> | undefined {
  if (isOver(elicitation)) return undefined;
  return buttonView(catalogue.cancel, dismiss, { busy: elicitation.status === "submitting" });
}

export type PromptDismissProps = PartProps<"button", PromptDismissState>;
export interface PromptDismissState {
  /** `data-busy`: an answer is being sent. */
  busy: boolean;
}
