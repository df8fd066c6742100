"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { buttonView } from "../button-view.ts";
import { type PromptShared, usePrompt } from "../context.ts";
import { isOver } from "../status-text.ts";

/** An explicit no. Renders a `<button>`, or nothing once the request has ended. */
export const PromptDecline = /* @__PURE__ */ forwardRef(function PromptDecline(
  props: PromptDeclineProps,
  ref: ForwardedRef<HTMLButtonElement>,
) {
  return usePartElement(props, ref, declineView(usePrompt("Decline")));
});

export function declineView({
  elicitation,
  catalogue,
}: PromptShared): PartRender<PromptDeclineState> | undefined {
  if (isOver(elicitation)) return undefined;
  return buttonView(catalogue.decline, elicitation.decline, { busy: elicitation.status === "submitting" });
}

export type PromptDeclineProps = PartProps<"button", PromptDeclineState>;
export interface PromptDeclineState {
  /** `data-busy`: an answer is being sent. */
  busy: boolean;
}
